// Pagsmile's checkout page: the verbs of the payment port. Shapes and meanings are in wire.ts and notice.ts.
import { DAY_SECONDS } from '#kernel/time.ts';
import type { Environment } from '#kernel/environment.ts';
import type {
  CheckOutcome,
  CreateOutcome,
  CreatePayment,
  KnownPayment,
  PaymentProvider,
  PaymentReport,
  ProviderContext,
  RefundOutcome,
} from '#server/modules/payments/provider.ts';
import { OutboundError } from '#server/platform/outbound/outbound.ts';
import { canBelieveCode } from '#server/providers/payments/kit/certainty.ts';
import { asRead, pendingReport, unknownReport, unreadableReport } from '#server/providers/payments/kit/report.ts';
import { wordAt } from '#server/providers/payments/kit/json.ts';
import { failRefund, refuse, supportsCurrency, writeAmount } from './amounts.ts';
import { ACCEPTED, isFresh, isSignature, NOT_BELIEVED, readHeader, readWebhook } from './notice.ts';
import { apiBase, apiHosts, isNotifyIp, notifyMaxAgeMs, payHosts, secretKeys, settings } from './settings.ts';
import {
  type Answer,
  askedStatus,
  describe,
  isDuplicate,
  isNotFound,
  isRefusal,
  isSuccess,
  readAnswer,
  readRefund,
  refundOfTrade,
  reportTrade,
  writeCreate,
  writeQuery,
  writeRefund,
} from './wire.ts';

/**
 * Our choice, told to Pagsmile with each order: a day, for cash and bank transfers. What is paid
 * later still is booked as late.
 */
const PAYABLE_SECONDS = DAY_SECONDS;

export const pagsmile: PaymentProvider = {
  name: 'pagsmile',
  settings,
  amountForm: 'decimal-text',
  supportsCurrency,
  accountOf: (given) => given['APP_ID'] ?? null,
  apiHosts,
  payHosts,
  payableForSeconds: PAYABLE_SECONDS,
  /** @source docs.pagsmile.com, notification: the last one 840 minutes after the first */
  repeatsCallbacksForSeconds: 50_400,
  signedHeaders: ['pagsmile-signature'],

  async create(context, input): Promise<CreateOutcome> {
    const amount = writeAmount(input.amount);
    if (amount === null) return refuse(input.amount);
    try {
      const body = writeCreate(input, context.settings, amount, context.now());
      const { status, answer } = await call(context, 'create', body);
      if (answer && isSuccess(answer)) return readCreated(context, answer);
      if (answer && isDuplicate(answer)) return await recallTrade(context, input);
      if (answer && isRefusal(answer) && canBelieveCode(status)) return { kind: 'refused', reason: describe(answer) };
      return { kind: 'unknown', reason: answer ? describe(answer) : `Pagsmile answered ${status}` };
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return { kind: error.wasSent ? 'unknown' : 'refused', reason: error.message };
    }
  },

  query: queryTrade,

  async readCallback(context, raw) {
    const invalid = (reason: string) => ({ kind: 'invalid', reason, answer: NOT_BELIEVED }) as const;
    if (!isNotifyIp(context.settings, raw.ip)) return invalid('the address is not on the list of addresses');
    const { t, v2 } = readHeader(raw.headers['pagsmile-signature']);
    if (!isSignature(v2, raw.body, secretKeys(context.settings))) return invalid('the signature does not fit');
    // Not signed, so no proof: what keeps a repeat from counting twice is its key.
    if (!isFresh(t, context.now(), notifyMaxAgeMs(context.settings))) return invalid('the time is too far from ours');
    const notice = readWebhook(raw.body);
    if (!notice) return invalid('the body is no notification');
    if (notice.event) return { kind: 'events', events: [notice.event], answer: ACCEPTED };
    return { kind: 'ignored', reason: `${notice.status} is of no interest`, answer: ACCEPTED };
  },

  async refund(context, payment, refundRef): Promise<RefundOutcome> {
    const unknown = (reason: string) => ({ status: 'unknown', refundProviderRef: null, reason }) as const;
    const amount = writeAmount(payment.amount);
    if (amount === null) return failRefund(payment.amount);
    try {
      const about = { ref: refundRef, amount, currency: payment.amount.currency };
      const body = writeRefund(context.settings['APP_ID'], payment, about, context.now());
      const { status, answer } = await call(context, 'refund', body);
      if (answer && isSuccess(answer)) return readRefund(answer, payment.amount);
      if (!answer || !isRefusal(answer) || status >= 500 || answer.code === '20000')
        return unknown(answer ? describe(answer) : `Pagsmile answered ${status} to the refund`);
      // Refused, perhaps because an earlier call was carried out whose answer never came: the trade knows.
      const { answer: asked } = await askTrade(context, payment);
      if (!asked || !isSuccess(asked)) return unknown(describe(answer));
      const before = refundOfTrade(asked.trade_status, asked.trade_no ?? null);
      return before ?? { status: 'failed', refundProviderRef: null, reason: describe(answer) };
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return unknown(error.message);
    }
  },

  /**
   * A trade that is not there. UNSURE: the words of sub_code are from memory; one that says "not exist"
   * is of a merchant who is known.
   */
  async check(context): Promise<CheckOutcome> {
    const body = writeQuery(context.settings['APP_ID'], null, 'refill-check', context.now());
    const { status, answer } = await call(context, 'query', body);
    if (!answer || status >= 500 || answer.code === '20000')
      return { kind: 'unreachable', reason: answer ? describe(answer) : `Pagsmile answered ${status} to the query` };
    if (isSuccess(answer) || isNotFound(answer))
      return { kind: 'ok', said: describe(answer), proven: ['APP_ID', 'SECRET_KEYS'] };
    const isOfApp = /app/i.test(answer.sub_code ?? '');
    return { kind: 'refused', reason: describe(answer), lookAt: isOfApp ? ['APP_ID'] : ['SECRET_KEYS', 'APP_ID'] };
  },
};

/** `answer` null: the body is not Pagsmile's. Errors come with status 400 or 200. */
async function call(
  context: ProviderContext,
  verb: 'create' | 'query' | 'refund',
  body: string,
): Promise<{ status: number; answer: Answer | null; text: string }> {
  const { settings: given, environment } = context;
  const credentials = Buffer.from(`${given['APP_ID']}:${secretKeys(given)[0] ?? ''}`).toString('base64');
  const { status, text } = await context.outbound(`${apiBase(given, environment)}/trade/${verb}`, {
    method: 'POST',
    headers: { authorization: `Basic ${credentials}`, accept: 'application/json', 'content-type': 'application/json' },
    body,
  });
  return { status, answer: readAnswer(text), text };
}

async function askTrade(
  context: ProviderContext,
  payment: { providerRef: string | null; reference: string },
): Promise<{ status: number; answer: Answer | null; text: string }> {
  const body = writeQuery(context.settings['APP_ID'], payment.providerRef, payment.reference, context.now());
  return call(context, 'query', body);
}

async function queryTrade(context: ProviderContext, payment: KnownPayment): Promise<PaymentReport> {
  const { answer, status, text } = await askTrade(context, payment);
  if (answer && isSuccess(answer)) return asRead(reportTrade(answer), text);
  if (answer && isNotFound(answer)) return pendingReport(payment, describe(answer));
  if (answer) return unknownReport(payment, describe(answer), text);
  const said = wordAt(text, 'code') === '10000' ? askedStatus(wordAt(text, 'trade_status')) : 'unknown';
  return unreadableReport(payment, said, `Pagsmile answered ${status} to the query`, text);
}

/** Made by an earlier call, whose page nobody can give us again: what became of it decides. */
async function recallTrade(context: ProviderContext, { reference }: CreatePayment): Promise<CreateOutcome> {
  const { answer, text } = await askTrade(context, { providerRef: null, reference });
  const report = answer && isSuccess(answer) ? asRead(reportTrade(answer), text) : null;
  if (report?.status === 'paid' || report?.status === 'paid_unreadable') return { kind: 'paid', report };
  if (report?.status === 'failed' || report?.status === 'expired')
    return { kind: 'refused', reason: `the trade made before is ${report.reason}` };
  return { kind: 'unknown', reason: 'the trade was made before, and its page is not told again' };
}

function readCreated(context: ProviderContext, answer: Answer): CreateOutcome {
  const url = secureUrl(answer.web_url, context.environment);
  if (!answer.trade_no) return { kind: 'unknown', reason: 'Pagsmile answered without a trade number' };
  if (url === null || !payHosts(context.settings, context.environment).includes(new URL(url).host))
    return { kind: 'unknown', reason: 'the checkout page is missing or points elsewhere' };
  return { kind: 'redirect', url, providerRef: answer.trade_no };
}

/** Samples show plain http, which no payer shall be sent to: https instead, but for a simulator on this machine. */
function secureUrl(text: string | undefined, environment: Environment): string | null {
  if (text === undefined || !URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.username !== '' || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null;
  const isLocal = environment === 'demo' && /^(?:localhost|127\.0\.0\.1)$/.test(url.hostname);
  if (!isLocal) url.protocol = 'https:';
  return url.href;
}
