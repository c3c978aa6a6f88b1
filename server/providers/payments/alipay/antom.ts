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
import { writeAmount } from './amounts.ts';
import { readNotice, reportNotice, writeMetadata } from './antom-notices.ts';
import {
  CARD,
  isCertainRefusal,
  isSigned,
  linkOf,
  readAnswer,
  readCreated,
  readPayment,
  readRefund,
  reportPayment,
  sentenceOf,
  writePayment,
  writeSignature,
} from './antom-wire.ts';
import { isPayLink, nothing } from './outcomes.ts';
import { readPrivateKey, readPublicKeys } from './rsa.ts';
import { apiBase } from './settings.ts';

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
    if (!amount) return { kind: 'refused', reason: `Antom can not charge this amount of ${input.amount.currency}` };
    const method = input.channelId || context.settings['PAYMENT_METHOD'] || 'ALIPAY_CN';
    const path = method === CARD ? 'createPaymentSession' : 'pay';
    try {
      const { answer, isTrusted } = await call(context, path, writePayment(input, amount, method, context.settings));
      const created = isTrusted ? readCreated(answer.text) : null;
      if (!created) return { kind: 'unknown', reason: `Antom answered ${answer.status} without a payment` };
      if (answer.status < 500 && isCertainRefusal(created.result))
        return { kind: 'refused', reason: `Antom: ${sentenceOf(created.result)}` };
      const url = created.result.resultStatus === 'F' ? undefined : linkOf(created);
      if (!isPayLink(context, url))
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
    const notice = readNotice(raw.body.toString('utf8'));
    const event = notice && reportNotice(notice, raw.headers['client-id'] ?? '');
    if (event) return { kind: 'events', events: [event], answer: ACKNOWLEDGED };
    const kind = notice?.notifyType ?? notice?.disputeNotificationType ?? 'an unreadable notice';
    return { kind: 'ignored', reason: `${kind} is of no interest`.slice(0, 200), answer: ACKNOWLEDGED };
  },

  /**
   * Antom's cancel gives the money of a paid payment back, so it is asked first whether there is any.
   * UNSURE: a payment made in the blink between the two calls is given back, and its own notice may still say that it was paid
   */
  async cancel(context, payment) {
    try {
      const before = await inquire(context, payment);
      if (before.status === 'paid' || before.status === 'failed') return before;
      const { answer, isTrusted } = await call(
        context,
        'cancel',
        JSON.stringify({ paymentRequestId: payment.reference }),
      );
      const done = isTrusted ? readAnswer(answer.text) : null;
      if (done?.result.resultStatus !== 'S')
        return nothing(payment, done ? sentenceOf(done.result) : `Antom answered ${answer.status}`);
      return { ...nothing(payment, 'cancelled'), status: 'failed' };
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return nothing(payment, error.message);
    }
  },

  async refund(context, payment, refundRef) {
    const refundAmount = writeAmount(payment.amount);
    if (!refundAmount)
      return { status: 'failed', refundProviderRef: null, reason: 'Antom can not express this amount' };
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
      return isTrusted ? readRefund(answer.status, answer.text) : unknown('the answer is not signed by Antom');
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
  if (!view) return nothing(payment, `Antom answered ${answer.status} to the inquiry`);
  // ORDER_NOT_EXIST among others: a session nobody paid at yet has no order, and it may still be paid.
  if (view.result.resultStatus !== 'S') return nothing(payment, sentenceOf(view.result));
  return reportPayment(view, payment.reference, payment.channelId === CARD);
}

/**
 * An answer without a signature is taken as the official SDKs do: it came over TLS from the host we called. One that has a signature must fit.
 * @source github.com/alipay/global-open-sdk-java, DefaultAlipayClient; docs.antom.com, API overview (the sandbox has its own path)
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
