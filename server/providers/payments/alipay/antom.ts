// The verbs of the payment port over Antom (AMS). Shapes and meanings are in antom-wire.ts and antom-notices.ts.
import type {
  CallbackAnswer,
  CheckOutcome,
  CreateOutcome,
  KnownPayment,
  PaymentProvider,
  PaymentReport,
  ProviderContext,
} from '#server/modules/payments/provider.ts';
import { type OutboundAnswer, OutboundError } from '#server/platform/outbound/outbound.ts';
import { canBelieveCode } from '#server/providers/payments/kit/certainty.ts';
import { isPayLink } from '#kernel/pay-link.ts';
import {
  asRead,
  bareReport,
  pendingReport,
  unknownReport,
  unreadableReport,
} from '#server/providers/payments/kit/report.ts';
import { wordAt } from '#server/providers/payments/kit/json.ts';
import { failRefund, refuse, writeAmount } from './amounts.ts';
import { readNotice, reportNotice, unreadableNotice, writeMetadata } from './antom-notices.ts';
import {
  CARD,
  isCertainRefusal,
  isSigned,
  linkOf,
  paymentStatus,
  readAnswer,
  readCreated,
  readPayment,
  readRefund,
  reportPayment,
  sentenceOf,
  writePayment,
  writeSignature,
} from './antom-wire.ts';
import { readPrivateKey, readPublicKeys } from './rsa.ts';
import { apiBase, payHosts } from './settings.ts';

/** @source docs.antom.com, notifyPayment: this very body; it need not be signed */
const ACKNOWLEDGED: CallbackAnswer = {
  status: 200,
  contentType: 'application/json',
  body: '{"result":{"resultCode":"SUCCESS","resultStatus":"S","resultMessage":"success"}}',
};
const NOT_BELIEVED: CallbackAnswer = { status: 401, contentType: 'text/plain', body: '' };

/** @source docs.antom.com, inquiryPayment, result codes */
const NO_ORDER = 'ORDER_NOT_EXIST';

type Verbs = Required<Pick<PaymentProvider, 'create' | 'query' | 'readCallback' | 'cancel' | 'refund' | 'check'>>;

export const antom: Verbs = {
  async create(context, input): Promise<CreateOutcome> {
    const amount = writeAmount(input.amount);
    if (!amount) return refuse(input.amount);
    const method = input.channelId || context.settings['PAYMENT_METHOD'] || 'ALIPAY_CN';
    const path = method === CARD ? 'createPaymentSession' : 'pay';
    try {
      const { answer, isTrusted } = await call(context, path, writePayment(input, amount, method, context.settings));
      const created = isTrusted ? readCreated(answer.text) : null;
      if (!created) return { kind: 'unknown', reason: `Antom answered ${answer.status} without a payment` };
      if (canBelieveCode(answer.status) && isCertainRefusal(created.result))
        return { kind: 'refused', reason: `Antom: ${sentenceOf(created.result)}` };
      const url = created.result.resultStatus === 'F' ? undefined : linkOf(created);
      if (!isPayLink(url, payHosts(context.settings, context.environment), context.environment))
        return {
          kind: 'unknown',
          reason: `the pay link is missing or points elsewhere (${sentenceOf(created.result)})`,
        };
      // A session has no payment yet; it is asked about by our reference anyway.
      return { kind: 'redirect', url, providerRef: created.paymentId ?? input.reference };
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return { kind: error.wasSent ? 'unknown' : 'refused', reason: error.message };
    }
  },

  query: inquire,

  async readCallback(context, raw) {
    const keys = readPublicKeys(context.settings['PUBLIC_KEY']);
    if (!isSigned(raw.path, raw.headers, raw.body, keys))
      return { kind: 'invalid', reason: 'the signature does not fit', answer: NOT_BELIEVED };
    const text = raw.body.toString('utf8');
    const notice = readNotice(text);
    // Acknowledged, for it will not read better the next time; what it says of money goes to a person.
    const event = notice ? reportNotice(notice, raw.headers['client-id'] ?? '') : unreadableNotice(raw.body);
    if (event)
      return { kind: 'events', events: [{ ...event, report: asRead(event.report, text) }], answer: ACKNOWLEDGED };
    const kind = notice?.notifyType ?? notice?.disputeNotificationType ?? 'an unreadable notice';
    return { kind: 'ignored', reason: `${kind} is of no interest`.slice(0, 200), answer: ACKNOWLEDGED };
  },

  /**
   * Antom's cancel gives the money of a paid payment back, so it is asked first whether there is any.
   * UNSURE: a payment made in the blink between the two calls is given back, and its own notice
   * may still say that it was paid
   */
  async cancel(context, payment) {
    try {
      const before = await inquire(context, payment);
      // An answer that was not understood may be money, and a cancel would refund it.
      if (before.status !== 'pending' && before.status !== 'declined') return before;
      const { answer, isTrusted } = await call(
        context,
        'cancel',
        JSON.stringify({ paymentRequestId: payment.reference }),
      );
      const done = isTrusted ? readAnswer(answer.text) : null;
      if (!done) return unknownReport(payment, `Antom answered ${answer.status} to the cancel`, answer.text);
      if (done.result.resultStatus !== 'S') return pendingReport(payment, sentenceOf(done.result));
      return bareReport(payment, 'failed', 'cancelled');
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return pendingReport(payment, error.message);
    }
  },

  async refund(context, payment, refundRef) {
    const refundAmount = writeAmount(payment.amount);
    if (!refundAmount) return failRefund(payment.amount);
    const unknown = (reason: string) => ({ status: 'unknown', refundProviderRef: null, reason }) as const;
    if (payment.captureRef === null) return unknown('the payment id has not come yet');
    try {
      const body = {
        refundRequestId: refundRef,
        paymentId: payment.captureRef,
        refundAmount,
        metadata: writeMetadata(payment.reference),
      };
      const { answer, isTrusted } = await call(context, 'refund', JSON.stringify(body));
      return isTrusted
        ? readRefund(answer.status, answer.text, payment.amount)
        : unknown('the answer is not signed by Antom');
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return unknown(error.message);
    }
  },

  async check(context): Promise<CheckOutcome> {
    const { answer, isTrusted } = await call(context, 'inquiryPayment', '{"paymentRequestId":"refill-check"}');
    const result = readPayment(answer.text)?.result;
    const reason = `Antom answered ${answer.status}: ${result ? sentenceOf(result) : 'nothing readable'}`;
    // U is their own trouble.
    if (!result || answer.status >= 500 || result.resultStatus === 'U') return { kind: 'unreachable', reason };
    if (!isTrusted)
      return { kind: 'refused', reason: `${reason}, signed by another key than PUBLIC_KEY`, lookAt: ['PUBLIC_KEY'] };
    const ours = ['CLIENT_ID', 'PRIVATE_KEY'];
    if (result.resultStatus === 'S' || result.resultCode === NO_ORDER)
      return { kind: 'ok', said: reason, proven: answer.headers['signature'] ? [...ours, 'PUBLIC_KEY'] : ours };
    const isOfKey = result.resultCode === 'INVALID_SIGNATURE';
    return { kind: 'refused', reason, lookAt: isOfKey ? ['PRIVATE_KEY', 'KEY_VERSION'] : [...ours, 'API_BASE'] };
  },
};

async function inquire(context: ProviderContext, payment: KnownPayment): Promise<PaymentReport> {
  const { answer, isTrusted } = await call(
    context,
    'inquiryPayment',
    JSON.stringify({ paymentRequestId: payment.reference }),
  );
  const view = isTrusted ? readPayment(answer.text) : null;
  const { status, text } = answer;
  if (!view) {
    const said = isTrusted && status === 200 ? paymentStatus(wordAt(text, 'paymentStatus')) : 'unknown';
    return unreadableReport(payment, said, `Antom answered ${status} to the inquiry`, text);
  }
  // A session nobody paid at yet has no order, and it may still be paid.
  if (view.result.resultCode === NO_ORDER) return pendingReport(payment, sentenceOf(view.result));
  if (view.result.resultStatus !== 'S') return unknownReport(payment, sentenceOf(view.result), text);
  return asRead(reportPayment(view, payment.reference, payment.channelId === CARD), text);
}

/**
 * An answer without a signature is taken as the official SDKs do: it came over TLS from the host we called. One
 * that has a signature must fit.
 * @source github.com/alipay/global-open-sdk-java, DefaultAlipayClient; docs.antom.com, API overview
 *   (the sandbox has its own path)
 */
async function call(
  context: ProviderContext,
  verb: string,
  body: string,
): Promise<{ answer: OutboundAnswer; isTrusted: boolean }> {
  const { settings, environment } = context;
  const url = new URL(
    `${apiBase(settings, environment)}/ams/${environment === 'demo' ? 'sandbox/' : ''}api/v1/payments/${verb}`,
  );
  const clientId = settings['CLIENT_ID'] ?? '';
  const time = String(context.now());
  const key = readPrivateKey(settings['PRIVATE_KEY']);
  const answer = await context.outbound(url.href, {
    method: 'POST',
    headers: {
      'content-type': 'application/json; charset=UTF-8',
      'client-id': clientId,
      'request-time': time,
      signature: writeSignature(url.pathname, clientId, time, body, key, settings['KEY_VERSION'] || '1'),
    },
    body,
  });
  const isTrusted =
    answer.headers['signature'] === undefined ||
    isSigned(
      url.pathname,
      { 'client-id': clientId, ...answer.headers },
      answer.text,
      readPublicKeys(settings['PUBLIC_KEY']),
    );
  return { answer, isTrusted };
}
