// The PayerMax simulator: the gateway, its signed notices and the cashier, under `/payermax`.

import type { FastifyReply } from 'fastify';
import { mountControl, readChoice } from '#simulators/kit/control.ts';
import { createFaultBook } from '#simulators/kit/faults.ts';
import { sendHostedPage, sendMessagePage } from '#simulators/kit/hosted-page.ts';
import { randomHex, randomUpper } from '#simulators/kit/ids.ts';
import { showAmount, textFromMinor } from '#simulators/kit/money.ts';
import { createOutbox, type CallbackDraft } from '#simulators/kit/outbox.ts';
import type { Look } from '#simulators/kit/page.ts';
import { createSimulatedSales, type SaleCallbacks, type Sale } from '#simulators/kit/simulated-sales.ts';
import { type Context, laterMs, type Mounted } from './context.ts';
import { type Account, dataOf, mountPayermaxApi, refundOf } from './payermax-api.ts';
import { decimalsOf, makeKeyPair, signBody } from './payermax-wire.ts';

const look: Look = {
  accent: '#1b6b4a',
  ground: '#f3f7f2',
  ink: '#15251d',
  radius: '14px',
  font: "'Noto Sans', system-ui, sans-serif",
};

/** @source docs.payermax.com, notices: anything else than this code is sent again */
const isAcknowledged = (status: number, text: string) => status === 200 && /"code"\s*:\s*"SUCCESS"/.test(text);

export function mountPayermax(context: Context): Mounted {
  const { app, clock, journal, shop } = context;
  const account = context.account<Account>(() => ({
    merchantNo: `SP${randomUpper(8).replace(/\D/g, '7')}`,
    appId: randomHex(16),
    shop: makeKeyPair(),
    payermax: makeKeyPair(),
    stranger: makeKeyPair(),
  }));
  const faults = createFaultBook();
  const outbox = createOutbox({ provider: context.name, journal, shop, clock, isAcknowledged });
  const newId = (kind: string) => `${kind === 'refund' ? 'R' : 'P'}${clock.now()}${randomUpper(6)}`;
  // An order that failed is over at PayerMax.
  const sales = createSimulatedSales({
    journal,
    clock,
    outbox,
    faults,
    laterMs,
    newId,
    callbacks: createCallbacks(context, account),
    isFinal: () => true,
  });
  mountPayermaxApi(context, account, sales, faults);

  const say = (reply: FastifyReply, heading: string, text: string, status = 200): FastifyReply =>
    sendMessagePage(reply, { provider: 'PayerMax', look, heading, text, status });

  /** @source docs.payermax.com, page return: the status in the address is not to be trusted */
  function leave(reply: FastifyReply, sale: Sale): FastifyReply {
    if (sale.status === 'closed' || sales.isExpired(sale))
      return say(reply, 'The order is closed', 'Please start again in the shop.', 410);
    if (!sale.returnUrl || sale.faults.includes('late')) return say(reply, 'Thank you', 'You may close this window.');
    const url = new URL(sale.returnUrl);
    url.searchParams.set('outTradeNo', sale.id);
    url.searchParams.set(
      'status',
      sale.status === 'paid' ? 'SUCCESS' : sale.status === 'declined' ? 'FAILED' : 'PENDING',
    );
    return reply.redirect(url.href, 303);
  }

  type ById = { Params: { id: string }; Querystring: { tradeToken?: string } };
  app.get<ById>('/payermax/cashier/:id', (request, reply) => {
    const sale = sales.table.get(request.params.id);
    if (!sale || sale.details['tradeToken'] !== request.query.tradeToken)
      return say(reply, 'No such order', 'This order is not known.', 404);
    if (!sales.isOpen(sale)) return leave(reply, sale);
    return sendHostedPage(reply, {
      provider: 'PayerMax',
      look,
      heading: 'Checkout',
      merchant: account.merchantNo,
      description: sale.description,
      amountText: showAmount(sale.amount, decimalsOf(sale.amount.currency)),
      reference: sale.reference,
      action: `/payermax/cashier/${sale.id}`,
      hidden: {},
      lines: [['Method', 'E-wallet']],
    });
  });
  app.post<ById>('/payermax/cashier/:id', async (request, reply) => {
    const sale = sales.table.get(request.params.id);
    if (!sale) return say(reply, 'No such order', 'This order is not known.', 404);
    await sales.decide(sale, readChoice(request.body));
    return leave(reply, sale);
  });

  mountControl(app, { name: context.name, faults, outbox, ...sales.controls });
  return {
    close: outbox.close,
    environment: (hosts) => ({
      REFILL_PAYERMAX_DEMO_API_BASE: `${context.apiOrigin()}/payermax/aggregate-pay/api/gateway`,
      REFILL_PAYERMAX_DEMO_MERCHANT_NO: account.merchantNo,
      REFILL_PAYERMAX_DEMO_APP_ID: account.appId,
      REFILL_PAYERMAX_DEMO_PRIVATE_KEY: account.shop.privateKey,
      REFILL_PAYERMAX_DEMO_PUBLIC_KEY: account.payermax.publicKey,
      REFILL_PAYERMAX_DEMO_PAY_HOSTS: hosts,
    }),
  };
}

function createCallbacks({ clock }: Context, account: Account): SaleCallbacks {
  function draft(sale: Sale, notifyType: string, code: string, data: Record<string, unknown>): CallbackDraft {
    const body = JSON.stringify({
      code,
      msg: '',
      keyVersion: '1',
      appId: account.appId,
      merchantNo: sale.faults.includes('wrong-merchant') ? `${account.merchantNo}X` : account.merchantNo,
      notifyTime: new Date(clock.now()).toISOString().replace('Z', '+00:00'),
      notifyType,
      data,
    });
    const { privateKey } = sale.faults.includes('bad-signature') ? account.stranger : account.payermax;
    return {
      reference: sale.reference,
      kind: `${notifyType}:${String(data['status'])}`,
      body,
      headers: { 'content-type': 'application/json', sign: signBody(body, privateKey) },
    };
  }
  const payment = (sale: Sale, status: string) => {
    const data = dataOf(sale, status);
    const outTradeNo = sale.faults.includes('wrong-reference') ? `${sale.id}X` : sale.id;
    return draft(sale, 'PAYMENT', status === 'SUCCESS' ? 'APPLY_SUCCESS' : 'PAYMENT_FAILED', { ...data, outTradeNo });
  };
  /** @source api.json of github.com/payermax-all/payermax-server-sdk, chargeBaclNotifyUrl */
  const dispute = (sale: Sale, notifyType: string, status: string, caseResult?: string) => {
    const amount = sale.paid ?? sale.amount;
    const text = (minor: number) => textFromMinor(minor, decimalsOf(amount.currency));
    const day = new Date(clock.now()).toISOString().slice(0, 10);
    const fee = 10 ** decimalsOf(amount.currency);
    return draft(sale, notifyType, 'APPLY_SUCCESS', {
      amount: text(amount.amountMinor),
      batchId: '',
      cardOrg: '',
      caseId: `O${sale.paymentId}`,
      ...(caseResult ? { caseResult } : {}),
      channelOrderNo: `TPC${sale.paymentId}`,
      currency: amount.currency,
      expirationDate: day,
      fee: text(fee),
      originTradeAmount: text(amount.amountMinor),
      originTradeCurrency: amount.currency,
      outTradeNo: sale.id,
      outUserId: 'simulated',
      payFinishTime: new Date(sale.paidAt ?? clock.now()).toISOString(),
      paymentMethodType: 'WALLET',
      productDesc: sale.description,
      reasonCode: '4842',
      reasonMessage: 'Late Presentment',
      retrievalDate: day,
      status,
      targetOrg: 'DANA',
      totalAmount: text(amount.amountMinor + fee),
      tradeAmount: text(amount.amountMinor),
      tradeCountry: sale.details['country'] ?? '',
      tradeCreateTime: new Date(sale.createdAt).toISOString(),
      tradeCurrency: amount.currency,
      tradeToken: sale.details['tradeToken'],
    });
  };
  return {
    paid: (sale) => payment(sale, 'SUCCESS'),
    declined: (sale) => payment(sale, 'FAILED'),
    closed: (sale) => payment(sale, 'CLOSED'),
    refunded: (sale, refund) => draft(sale, 'REFUND', 'APPLY_SUCCESS', refundOf(sale, refund, 'REFUND_SUCCESS')),
    chargedBack: (sale) => dispute(sale, 'CHARGEBACK', 'CASE_CLOSED', 'FAIL'),
    emitted(sale, kind) {
      const [notifyType = '', status = '', caseResult] = kind.split(':');
      if (notifyType === 'CHARGEBACK' || notifyType === 'DISPUTE') return dispute(sale, notifyType, status, caseResult);
      return notifyType === 'PAYMENT' ? payment(sale, status) : undefined;
    },
  };
}
