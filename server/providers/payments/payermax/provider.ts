// PayerMax hosted checkout: the verbs of the payment port. Shapes and meanings are in wire.ts.
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
import { isPayLink } from '#kernel/pay-link.ts';
import { canBelieveCode } from '#server/providers/payments/kit/certainty.ts';
import { asRead, pendingReport, unknownReport, unreadableReport } from '#server/providers/payments/kit/report.ts';
import { wordAt } from '#server/providers/payments/kit/json.ts';
import { failRefund, refuse, supportsCurrency, writeAmount } from './amounts.ts';
import { isSigned, readPrivateKey, readPublicKeys, signBody } from './rsa.ts';
import { apiBase, apiHosts, payHosts, settings } from './settings.ts';
import {
  ACCEPTED,
  type Answer,
  isRefusalCode,
  orderStatus,
  readAnswer,
  readNotice,
  readRefund,
  reportNotice,
  reportOrder,
  sentenceOf,
  unreadableNotice,
  toTradeNo,
  writeEnvelope,
  writeOrder,
  writeRefund,
} from './wire.ts';

/** An hour of the order at PayerMax, and five minutes for a call that was repeated: each call begins that hour anew. */
const PAYABLE_SECONDS = 65 * 60;
/** @source github.com/payermax-all/payermax-server-sdk: its own calls wait this long */
const TIMEOUT_MS = 15_000;

/** @source docs.payermax.com, notice of a payment: this very body; anything else is sent again */
const ACKNOWLEDGED: CallbackAnswer = {
  status: 200,
  contentType: 'application/json',
  body: '{"msg":"Success","code":"SUCCESS"}',
};
const NOT_BELIEVED: CallbackAnswer = { status: 401, contentType: 'text/plain', body: '' };

/** @source docs.payermax.com, error codes; REQ_TIME_OVER_TIME is our clock, which no setting mends */
const NO_ORDER = 'ORDER_NOT_EXIST';
const LOOK_AT: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ['MERCHANT_INVALID', ['MERCHANT_NO']],
  ['MERCHANT_APP_INVALID', ['APP_ID']],
  ['SIGN_VERIFY_FAILED', ['PRIVATE_KEY']],
  ['PARAMS_INVALID', ['MERCHANT_NO', 'APP_ID', 'SP_MERCHANT_NO']],
  ['CONTRACT_INVALID', ['MERCHANT_NO', 'APP_ID']],
  ['REQ_TIME_OVER_TIME', []],
]);

export const payermax: PaymentProvider = {
  name: 'payermax',
  settings,
  amountForm: 'decimal-number',
  supportsCurrency,
  accountOf: (given) => given['MERCHANT_NO'] ?? null,
  apiHosts,
  payHosts,
  payableForSeconds: PAYABLE_SECONDS,
  /** @source docs.payermax.com, "Callback Notification": 30s, 300s, 600s, 3600s and 43200s */
  repeatsCallbacksForSeconds: 47_730,
  signedHeaders: ['sign'],

  async create(context, input): Promise<CreateOutcome> {
    const amount = writeAmount(input.amount);
    if (!amount) return refuse(input.amount);
    try {
      const { status, answer } = await call(context, 'orderAndPay', writeOrder(input, amount));
      if (!answer) return { kind: 'unknown', reason: `PayerMax answered ${status} without an order` };
      if (answer.code !== ACCEPTED) {
        const kind = canBelieveCode(status) && isRefusalCode(answer.code) ? 'refused' : 'unknown';
        return { kind, reason: `PayerMax: ${sentenceOf(answer)}` };
      }
      const { redirectUrl, tradeToken } = answer.data ?? {};
      if (!tradeToken || !isPayLink(redirectUrl, payHosts(context.settings, context.environment), context.environment))
        return { kind: 'unknown', reason: 'the pay link is missing or points elsewhere' };
      return { kind: 'redirect', url: redirectUrl, providerRef: tradeToken };
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return { kind: error.wasSent ? 'unknown' : 'refused', reason: error.message };
    }
  },

  query: queryOrder,

  async readCallback(context, raw) {
    if (!isSigned(raw.body, raw.headers['sign'], readPublicKeys(context.settings['PUBLIC_KEY'])))
      return { kind: 'invalid', reason: 'the signature does not fit the body', answer: NOT_BELIEVED };
    const text = raw.body.toString('utf8');
    const notice = readNotice(text);
    // Acknowledged, for it will not read better the next time; what it says of money goes to a person.
    const event = notice ? reportNotice(notice, context.settings['APP_ID'] ?? '') : unreadableNotice(raw.body);
    if (event)
      return { kind: 'events', events: [{ ...event, report: asRead(event.report, text) }], answer: ACKNOWLEDGED };
    const kind = notice ? `${notice.notifyType} ${notice.data?.status ?? ''}`.trim() : 'an unreadable notice';
    const reason = `${kind} is of no interest`.slice(0, 200);
    return { kind: 'ignored', reason, answer: ACKNOWLEDGED };
  },

  /**
   * The close itself says little, so the order is asked what came of it. UNSURE: the fields
   * of orderClose are from memory
   */
  async cancel(context, payment) {
    try {
      const { answer, status, text } = await call(context, 'orderClose', { outTradeNo: toTradeNo(payment.reference) });
      if (!answer) return unknownReport(payment, `PayerMax answered ${status} to the close`, text);
      return await queryOrder(context, payment);
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return pendingReport(payment, error.message);
    }
  },

  async refund(context, payment, refundRef) {
    const amount = writeAmount(payment.amount);
    if (!amount) return failRefund(payment.amount);
    const say = (status: 'failed' | 'unknown', reason: string) =>
      ({ status, refundProviderRef: null, reason }) as const;
    try {
      const data = writeRefund(payment.reference, refundRef, amount, payment.amount.currency);
      const { status, answer } = await call(context, 'refund', data);
      if (!answer) return say('unknown', `PayerMax answered ${status}`);
      const outcome = readRefund(answer, payment.amount);
      if (outcome) return outcome;
      // Refused, or known already under this number: the refund itself tells.
      const known = await call(context, 'refundQuery', { outRefundNo: toTradeNo(refundRef) });
      const isFinal = isRefusalCode(answer.code) || answer.code.startsWith('REFUND_');
      return (
        readRefund(known.answer, payment.amount) ??
        say(isFinal && known.answer ? 'failed' : 'unknown', sentenceOf(answer))
      );
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return say('unknown', error.message);
    }
  },

  /**
   * An order that is not there. The answer is signed as well, which tells whether the key to believe
   * PayerMax by is the right one.
   */
  async check(context): Promise<CheckOutcome> {
    const reply = await send(context, 'orderQuery', { outTradeNo: 'refillcheck' });
    const answer = readAnswer(reply.text);
    const reason = `PayerMax answered ${reply.status}${answer ? `: ${sentenceOf(answer)}` : ' without a code'}`;
    const sign = reply.headers['sign'];
    const isProven = isSigned(reply.text, sign, readPublicKeys(context.settings['PUBLIC_KEY']));
    const ours = ['MERCHANT_NO', 'APP_ID', 'PRIVATE_KEY'];
    const lookAt = answer ? LOOK_AT.get(answer.code) : undefined;
    if (lookAt) return { kind: 'refused', reason, lookAt };
    if (answer?.code !== ACCEPTED && answer?.code !== NO_ORDER) return { kind: 'unreachable', reason };
    if (sign && !isProven)
      return { kind: 'refused', reason: `${reason}, signed by another key than PUBLIC_KEY`, lookAt: ['PUBLIC_KEY'] };
    return { kind: 'ok', said: reason, proven: isProven ? [...ours, 'PUBLIC_KEY'] : ours };
  },
};

async function queryOrder(context: ProviderContext, payment: KnownPayment): Promise<PaymentReport> {
  const found = await call(context, 'orderQuery', { outTradeNo: toTradeNo(payment.reference) });
  const { answer, isSigned: isTheirs, status, text } = found;
  if (answer?.code === ACCEPTED && answer.data) return asRead(reportOrder(answer.data, payment.reference, null), text);
  if (answer?.code === NO_ORDER) return pendingReport(payment, sentenceOf(answer));
  if (answer && answer.code !== ACCEPTED) return unknownReport(payment, sentenceOf(answer), text);
  const said = isTheirs ? orderStatus(wordAt(text, 'data', 'status')) : 'unknown';
  return unreadableReport(payment, said, `PayerMax answered ${status} to the query`, text);
}

/**
 * `answer` is null when it makes no sense, or when it accepts without PayerMax's signature: refusals need
 * none, as in the official SDK.
 * @source github.com/payermax-all/payermax-server-sdk
 */
async function call(
  context: ProviderContext,
  name: string,
  data: object,
): Promise<{ status: number; answer: Answer | null; isSigned: boolean; text: string }> {
  const reply = await send(context, name, data);
  const answer = readAnswer(reply.text);
  const keys = readPublicKeys(context.settings['PUBLIC_KEY']);
  const isTheirs = isSigned(reply.text, reply.headers['sign'], keys);
  const isTrusted = answer?.code !== ACCEPTED || isTheirs;
  return { status: reply.status, answer: isTrusted ? answer : null, isSigned: isTheirs, text: reply.text };
}

function send(context: ProviderContext, name: string, data: object): Promise<OutboundAnswer> {
  const { settings: given, environment } = context;
  const body = writeEnvelope(given, context.now(), data);
  const token = given['MERCHANT_AUTH_TOKEN'];
  return context.outbound(`${apiBase(given, environment)}/${name}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      sign: signBody(body, readPrivateKey(given['PRIVATE_KEY'])),
      ...(token ? { merchant_auth_token: token } : {}),
    },
    body,
    timeoutMs: TIMEOUT_MS,
  });
}
