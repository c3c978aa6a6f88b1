// Alipay's notices: signed JSON at Antom, a signed form on the Open Platform. Which one is told by the sale's protocol.

import { spoilView } from '#simulators/kit/faults.ts';
import type { CallbackDraft } from '#simulators/kit/outbox.ts';
import type { SaleCallbacks, Refund, Sale } from '#simulators/kit/simulated-sales.ts';
import { writeAntomAmount, writeYuan } from './alipay-amounts.ts';
import { antomHeader, antomText, openText, rsaSign } from './alipay-signature.ts';
import type { Account } from './alipay-account.ts';
import type { Context } from './context.ts';

/** The path the shop is called at: it is part of what Antom signs. */
const callbackPath = '/callback/alipay';

export function createAlipayCallbacks(context: Context, account: Account): SaleCallbacks {
  const keyOf = (sale: Sale) => (sale.faults.includes('bad-signature') ? account.stranger : account.alipay).privateKey;
  const referenceOf = (sale: Sale) => (sale.faults.includes('wrong-reference') ? `${sale.reference}X` : sale.reference);

  function antom(sale: Sale, kind: string, content: Record<string, unknown>): CallbackDraft {
    const clientId = sale.faults.includes('wrong-merchant') ? `${account.clientId}X` : account.clientId;
    const body = JSON.stringify(content);
    const time = new Date(context.clock.now()).toISOString();
    return {
      reference: sale.reference,
      kind,
      body,
      headers: {
        'content-type': 'application/json; charset=UTF-8',
        'client-id': clientId,
        'request-time': time,
        signature: antomHeader(antomText(callbackPath, clientId, time, body), keyOf(sale)),
      },
    };
  }

  function antomPayment(sale: Sale, notifyType: string, resultStatus: string): CallbackDraft {
    const resultCode =
      resultStatus === 'S' ? 'SUCCESS' : resultStatus === 'F' ? 'USER_BALANCE_NOT_ENOUGH' : resultStatus;
    const result = spoilView({ resultCode, resultStatus, resultMessage: resultCode.toLowerCase() }, sale.faults, {
      status: 'resultStatus',
      word: 'Q',
    });
    const content = {
      notifyType,
      result,
      paymentRequestId: referenceOf(sale),
      paymentId: sale.paymentId,
      paymentAmount: writeAntomAmount(sale.paid ?? sale.amount),
      paymentCreateTime: new Date(sale.createdAt).toISOString(),
      ...(resultStatus === 'S' ? { paymentTime: new Date(context.clock.now()).toISOString() } : {}),
      paymentMethodType: sale.details['method'],
    };
    return antom(sale, `${notifyType}:${resultStatus}`, spoilView(content, sale.faults, { money: ['paymentAmount'] }));
  }

  function open(sale: Sale, tradeStatus: string, extra: Record<string, string> = {}): CallbackDraft {
    const amount = sale.paid ?? sale.amount;
    const whole: Record<string, string> = {
      app_id: account.clientId,
      seller_id: sale.faults.includes('wrong-merchant') ? '2088000000000000' : account.sellerId,
      charset: 'utf-8',
      version: '1.0',
      sign_type: 'RSA2',
      notify_type: 'trade_status_sync',
      notify_id: `${sale.paymentId}${tradeStatus}${extra['refund_fee'] ?? ''}`,
      notify_time: new Date(context.clock.now() + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' '),
      out_trade_no: referenceOf(sale),
      trade_no: sale.paymentId ?? '',
      trade_status: tradeStatus,
      total_amount: writeYuan(amount),
      subject: sale.description,
      fund_bill_list: JSON.stringify([{ amount: writeYuan(amount), fundChannel: 'ALIPAYACCOUNT' }]),
      ...extra,
    };
    const fields = spoilView(whole, sale.faults, { money: ['total_amount'], status: 'trade_status' });
    const sign = rsaSign(openText(fields, ['sign', 'sign_type']), keyOf(sale));
    return {
      reference: sale.reference,
      kind: tradeStatus,
      body: new URLSearchParams({ ...fields, sign }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
    };
  }

  const isOpenPlatform = (sale: Sale) => sale.details['protocol'] === 'open_platform';

  function refunded(sale: Sale, refund: Refund): CallbackDraft {
    if (isOpenPlatform(sale)) {
      // The sum of all refunds so far; a trade of which something is left stays as it was.
      const amountMinor = sale.refunds.reduce((sum, one) => sum + one.amount.amountMinor, 0);
      const isWhole = amountMinor >= (sale.paid?.amountMinor ?? 0);
      return open(sale, isWhole ? 'TRADE_CLOSED' : 'TRADE_SUCCESS', {
        refund_fee: writeYuan({ ...refund.amount, amountMinor }),
        gmt_refund: new Date(refund.at + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' '),
        out_biz_no: refund.ref,
      });
    }
    const metadata = sale.details[`metadata ${refund.ref}`];
    return antom(sale, 'REFUND_RESULT', {
      notifyType: 'REFUND_RESULT',
      result: { resultCode: 'SUCCESS', resultStatus: 'S', resultMessage: 'success' },
      refundStatus: 'SUCCESS',
      refundRequestId: refund.ref,
      refundId: refund.id,
      refundAmount: writeAntomAmount(refund.amount),
      refundTime: new Date(refund.at).toISOString(),
      ...(metadata ? { metadata } : {}),
    });
  }

  /**
   * @param outcome of a judgement or an acceptance
   * @source docs.antom.com, notifyDispute; github.com/alipay/global-open-sdk-java, AlipayDisputeNotify and its enums
   */
  function dispute(sale: Sale, disputeNotificationType: string, outcome: string): CallbackDraft {
    const amount = writeAntomAmount(sale.paid ?? sale.amount);
    return antom(sale, `${disputeNotificationType}:${outcome}`, {
      paymentRequestId: sale.reference,
      paymentId: sale.paymentId,
      disputeId: `D${sale.paymentId}`,
      disputeType: 'CHARGEBACK',
      disputeTime: new Date(context.clock.now()).toISOString(),
      disputeNotificationType,
      disputeAmount: amount,
      ...(disputeNotificationType === 'DISPUTE_JUDGED'
        ? { disputeJudgedResult: outcome, disputeJudgedAmount: amount }
        : {}),
      ...(disputeNotificationType === 'DISPUTE_ACCEPTED'
        ? { disputeAcceptReason: outcome, disputeAcceptTime: new Date(context.clock.now()).toISOString() }
        : {}),
    });
  }

  return {
    paid: (sale) => (isOpenPlatform(sale) ? open(sale, 'TRADE_SUCCESS') : antomPayment(sale, 'PAYMENT_RESULT', 'S')),
    declined: (sale) => (isOpenPlatform(sale) ? open(sale, 'TRADE_CLOSED') : antomPayment(sale, 'PAYMENT_RESULT', 'F')),
    pending: (sale) =>
      isOpenPlatform(sale) ? open(sale, 'WAIT_BUYER_PAY') : antomPayment(sale, 'PAYMENT_PENDING', 'S'),
    refunded,
    // A merchant who does not answer in time has accepted: how most disputes are lost.
    chargedBack: (sale) => dispute(sale, 'DISPUTE_ACCEPTED', 'TIMEOUT'),
    emitted(sale, kind) {
      if (isOpenPlatform(sale)) return /^[A-Z_]+$/.test(kind) ? open(sale, kind) : undefined;
      const [notifyType = '', resultStatus = 'S'] = kind.split(':');
      if (/^(?:DISPUTE|DEFENSE|RDR)_/.test(notifyType)) return dispute(sale, notifyType, resultStatus);
      return /^[A-Z_]+$/.test(notifyType) ? antomPayment(sale, notifyType, resultStatus) : undefined;
    },
  };
}
