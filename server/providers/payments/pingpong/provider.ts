// PingPong Checkout v4, hosted mode: the verbs of the payment port. Shapes and meanings are in wire.ts.
import { HOUR_SECONDS } from '#kernel/time.ts';
import type {
  CallbackAnswer,
  CheckOutcome,
  CreateOutcome,
  PaymentProvider,
  PaymentReport,
  ProviderContext,
} from '#server/modules/payments/provider.ts';
import { OutboundError } from '#server/platform/outbound/outbound.ts';
import { isPayLink } from '#kernel/pay-link.ts';
import { canBelieveCode } from '#server/providers/payments/kit/certainty.ts';
import { asRead, pendingReport, unknownReport, unreadableReport } from '#server/providers/payments/kit/report.ts';
import { wordAt } from '#server/providers/payments/kit/json.ts';
import { failRefund, refuse, supportsCurrency, writeAmount } from './amounts.ts';
import { accountOf, apiBase, apiHosts, isKnownSource, payHosts, settings, signTypeOf } from './settings.ts';
import { isSigned } from './signature.ts';
import {
  type Content,
  isAccepted,
  isNotFound,
  isRefusalCode,
  paymentStatus,
  isRefundRefusal,
  readContent,
  readFields,
  readMessage,
  readRefund,
  reportNotice,
  reportPayment,
  sentenceOf,
  unreadableNotice,
  writeEnvelope,
  writePrePay,
} from './wire.ts';

/** Our choice, told to PingPong as timeExpire: an hour for what a player began in its last minute. */
const PAYABLE_SECONDS = HOUR_SECONDS;

/** @source acquirer-api-docs-v4-en.pingpongx.com, notices: 2xx whose body is not FAIL */
const ACKNOWLEDGED: CallbackAnswer = { status: 200, contentType: 'text/plain', body: 'OK' };
const NOT_BELIEVED: CallbackAnswer = { status: 401, contentType: 'text/plain', body: 'FAIL' };

export const pingpong: PaymentProvider = {
  name: 'pingpong',
  settings,
  amountForm: 'decimal-text',
  supportsCurrency,
  accountOf: (given) => given['ACC_ID'] ?? null,
  apiHosts,
  payHosts,
  payableForSeconds: PAYABLE_SECONDS,
  /** @source acquirer-api-docs-v4-en.pingpongx.com, notices: 5s, 5s, 3m, 10m, 20m, 3 x 30m, 60m and 3 x 3h */
  repeatsCallbacksForSeconds: 43_390,
  signedHeaders: [],

  async create(context, input): Promise<CreateOutcome> {
    const amount = writeAmount(input.amount);
    if (!amount) return refuse(input.amount);
    try {
      const answer = await call(context, '/v4/payment/prePay', writePrePay(input, amount));
      if (answer.kind === 'refused') {
        const isCertain = canBelieveCode(answer.status) && isRefusalCode(answer.code);
        return { kind: isCertain ? 'refused' : 'unknown', reason: `PingPong: ${answer.reason}` };
      }
      if (answer.kind === 'none') return { kind: 'unknown', reason: answer.reason };
      const { paymentUrl, transactionId } = answer.content;
      if (
        !transactionId ||
        !isPayLink(paymentUrl, payHosts(context.settings, context.environment), context.environment)
      )
        return { kind: 'unknown', reason: 'the pay link is missing or points elsewhere' };
      return { kind: 'redirect', url: paymentUrl, providerRef: transactionId };
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return { kind: error.wasSent ? 'unknown' : 'refused', reason: error.message };
    }
  },

  async query(context, payment): Promise<PaymentReport> {
    const answer = await call(context, '/v4/payment/query', { merchantTransactionId: payment.reference });
    if (answer.kind === 'content') return asRead(reportPayment(answer.content, payment.reference, null), answer.text);
    if (answer.kind === 'refused' && isNotFound(answer.code)) return pendingReport(payment, answer.reason);
    if (answer.kind === 'refused') return unknownReport(payment, answer.reason, answer.text);
    return unreadableReport(payment, paymentStatus(answer.word), answer.reason, answer.text);
  },

  async readCallback(context, raw) {
    const { settings: given } = context;
    const invalid = (reason: string) => ({ kind: 'invalid', reason, answer: NOT_BELIEVED }) as const;
    if (!isKnownSource(given, raw.ip)) return invalid('the notice comes from an address that is not PingPong’s');
    const fields = readFields(raw.body.toString('utf8'));
    if (!fields || !isSigned(fields, given['SALT'], signTypeOf(given))) return invalid('the signature does not fit');
    const text = fields['bizContent'] ?? '';
    const content = readContent(text);
    // Acknowledged, for it will not read better the next time; what it says of money goes to a person.
    const event = content ? reportNotice(content, fields['accId'] ?? '') : unreadableNotice(text, raw.body);
    if (event)
      return { kind: 'events', events: [{ ...event, report: asRead(event.report, text) }], answer: ACKNOWLEDGED };
    const reason = `${content?.notifyType ?? 'an unreadable notice'} is of no interest`.slice(0, 200);
    return { kind: 'ignored', reason, answer: ACKNOWLEDGED };
  },

  async refund(context, payment, refundRef) {
    const amount = writeAmount(payment.amount);
    if (!amount) return failRefund(payment.amount);
    const say = (status: 'failed' | 'unknown', reason: string) =>
      ({ status, refundProviderRef: null, reason }) as const;
    try {
      const about = { merchantTransactionId: payment.reference, merchantRefundId: refundRef };
      const content = { ...about, amount, currency: payment.amount.currency };
      const answer = await call(context, '/v4/payment/refund', content);
      if (answer.kind === 'content') return readRefund(answer.content, payment.amount);
      if (answer.kind === 'none') return say('unknown', answer.reason);
      // Refused, or known already under this number: the refund itself tells.
      const known = await call(context, '/v4/refund/query', about);
      if (known.kind === 'content') return readRefund(known.content, payment.amount);
      return say(known.kind === 'refused' && isRefundRefusal(answer.code) ? 'failed' : 'unknown', answer.reason);
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return say('unknown', error.message);
    }
  },

  /**
   * @source acquirer-api-docs-v4-en.pingpongx.com, codes: 103000 authorisation, 104000
   * signature, 107001 and 107002 not found
   */
  async check(context): Promise<CheckOutcome> {
    const answer = await call(context, '/v4/payment/query', { merchantTransactionId: 'refill-check' });
    const reason = `PingPong: ${answer.kind === 'content' ? 'found what is not there' : answer.reason}`;
    const isKnown = answer.kind === 'content' || (answer.kind === 'refused' && isNotFound(answer.code));
    if (isKnown) return { kind: 'ok', said: reason, proven: ['ACC_ID', 'CLIENT_ID', 'SALT', 'SIGN_TYPE'] };
    if (answer.kind === 'none' || !isRefusalCode(answer.code)) return { kind: 'unreachable', reason };
    const isOfSignature = answer.code.startsWith('104');
    return { kind: 'refused', reason, lookAt: isOfSignature ? ['SALT', 'SIGN_TYPE'] : ['ACC_ID', 'CLIENT_ID', 'SALT'] };
  },
};

type Answer =
  | { readonly kind: 'content'; readonly content: Content; readonly text: string }
  | {
      readonly kind: 'refused';
      readonly status: number;
      readonly code: string;
      readonly reason: string;
      readonly text: string;
    }
  /** `word`: the status of a signed content whose shape does not fit. */
  | { readonly kind: 'none'; readonly reason: string; readonly text: string; readonly word?: string | undefined };

/** `content` is believed only when it is signed by our salt and about our shop; a refusal needs no signature. */
async function call(context: ProviderContext, path: string, content: object): Promise<Answer> {
  const { settings: given, environment } = context;
  const reply = await context.outbound(`${apiBase(given, environment)}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: writeEnvelope(given, content),
  });
  const message = readMessage(reply.text);
  const { text } = reply;
  if (!message?.code) return { kind: 'none', reason: `PingPong answered ${reply.status} without a code`, text };
  if (!isAccepted(message.code))
    return { kind: 'refused', status: reply.status, code: message.code, reason: sentenceOf(message), text };
  const fields = readFields(reply.text);
  const isOurs = fields?.['accId'] === accountOf(given).accId && isSigned(fields, given['SALT'], signTypeOf(given));
  if (!isOurs) return { kind: 'none', reason: 'the answer is not signed by PingPong', text };
  const read = readContent(message.bizContent ?? '');
  if (read) return { kind: 'content', content: read, text };
  const word = wordAt(message.bizContent ?? '', 'status');
  return { kind: 'none', reason: `PingPong answered ${reply.status} with a strange content`, text, word };
}
