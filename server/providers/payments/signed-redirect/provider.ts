// A provider that is paid by a signed redirect and tells by a signed notice, as its settings say:
// the verbs of the payment port.
import { randomBytes } from 'node:crypto';
import { type Currency, isCurrency } from '#kernel/money.ts';
import type {
  CallbackAnswer,
  CallbackReading,
  CheckOutcome,
  CreateOutcome,
  KnownPayment,
  PaymentProvider,
  PaymentReport,
  ProviderContext,
  RawCallback,
} from '#server/modules/payments/provider.ts';
import { type OutboundAnswer, OutboundError } from '#server/platform/outbound/outbound.ts';
import { isPayLink } from '#kernel/pay-link.ts';
import { canBelieveCode } from '#server/providers/payments/kit/certainty.ts';
import { asRead, pendingReport, unknownReport } from '#server/providers/payments/kit/report.ts';
import { amountsOf } from './amounts.ts';
import { type Options, readOptions } from './options.ts';
import type { Profile } from './profile.ts';
import { settingsOf } from './settings.ts';
import type { Pairs } from './signature.ts';
import {
  dedupKeyOf,
  encode,
  isNoticeSigned,
  isOk,
  readForm,
  readJson,
  readRefund,
  reasonOf,
  reportPayment,
  type Stamp,
  writeCreate,
  writeMessage,
} from './wire.ts';

/** Our choice: the usual life of a pay page of a gateway. A valid notice that comes later still counts. */
const PAYABLE_SECONDS = 30 * 60;
/** Our choice: a notice of twelve fields is under 4 kB. */
const MAX_NOTICE_BYTES = 64 * 1024;

/**
 * The adapter of one provider of the family. Faulty settings throw from `apiHosts`, so that they
 * are told when the shop starts.
 */
export function createSignedRedirect(profile: Profile): PaymentProvider {
  const optionsOf = (context: ProviderContext) => readOptions(profile, context.settings, context.environment);
  return {
    name: profile.name,
    settings: settingsOf(profile),
    amountForm: profile.defaults.AMOUNT_FORMAT === 'major_decimal' ? 'decimal-text' : 'minor-units',
    supportsCurrency: (currency: Currency) => profile.currencies?.includes(currency) ?? isCurrency(currency),
    accountOf: (given) => given['MERCHANT_ID'] ?? null,
    apiHosts: (given, environment) => {
      const { createUrl, queryUrl, refundUrl } = readOptions(profile, given, environment);
      return [createUrl, queryUrl, refundUrl].flatMap((url) => (url === null ? [] : [new URL(url).host]));
    },
    payHosts: (given, environment) => readOptions(profile, given, environment).payHosts,
    payableForSeconds: PAYABLE_SECONDS,
    signedHeaders: [],
    create: async (context, input) => {
      const options = optionsOf(context);
      const amounts = amountsOf(options);
      const amount = amounts.write(input.amount);
      if (amount === null) return amounts.refuse(input.amount);
      const pairs = writeCreate(options, newStamp(context), input, amount);
      if (options.start === 'browser_redirect')
        return readLink(context, options, withQuery(options.createUrl, pairs), input.reference);
      try {
        return readCreated(context, options, await call(context, options, options.createUrl, pairs), input.reference);
      } catch (error) {
        if (!(error instanceof OutboundError)) throw error;
        return { kind: error.wasSent ? 'unknown' : 'refused', reason: error.message };
      }
    },
    query: (context, payment) => ask(context, optionsOf(context), payment),
    check: (context) => check(context, optionsOf(context)),
    readCallback: (context, raw) => readNotice(context, optionsOf(context), raw),
    refund: async (context, payment, refundRef) => {
      const options = optionsOf(context);
      const none = (status: 'failed' | 'unknown', reason: string) => ({ status, refundProviderRef: null, reason });
      if (options.refundUrl === null)
        return none('failed', `${options.title} has no refund call; refund in its console`);
      const amounts = amountsOf(options);
      const amount = amounts.write(payment.amount);
      if (amount === null) return amounts.failRefund(payment.amount);
      const { currency } = payment.amount;
      const fields = { order_no: payment.reference, refund_no: refundRef, amount, currency, reason: 'requested' };
      try {
        const message = writeMessage(options, 'refund', newStamp(context), fields);
        const { status, text } = await call(context, options, options.refundUrl, message);
        return readRefund(options, status, readJson(text), payment.amount);
      } catch (error) {
        if (!(error instanceof OutboundError)) throw error;
        return none('unknown', error.message);
      }
    },
  };
}

function newStamp(context: ProviderContext): Stamp {
  return { timestamp: String(Math.floor(context.now() / 1000)), nonce: randomBytes(8).toString('hex') };
}

function withQuery(url: string, pairs: Pairs): string {
  const { text } = encode('query', pairs);
  return `${url}${url.includes('?') ? '&' : '?'}${text}`;
}

function call(context: ProviderContext, options: Options, url: string, pairs: Pairs): Promise<OutboundAnswer> {
  const headers = { accept: 'application/json' };
  if (options.encoding === 'query') return context.outbound(withQuery(url, pairs), { method: 'GET', headers });
  const { text, contentType } = encode(options.encoding, pairs);
  return context.outbound(url, { method: 'POST', headers: { ...headers, 'content-type': contentType }, body: text });
}

function readCreated(
  context: ProviderContext,
  options: Options,
  answer: OutboundAnswer,
  reference: string,
): CreateOutcome {
  const { status, text } = answer;
  const pairs = readJson(text);
  if (!pairs || !canBelieveCode(status) || pairs[options.names.code] === undefined)
    return { kind: 'unknown', reason: `${options.title} answered ${status} without a pay link` };
  if (!isOk(options, pairs)) {
    // The number was used before, so a payment under it may exist.
    const isDuplicate = options.duplicateCodes.includes(pairs[options.names.code] ?? '');
    return { kind: isDuplicate ? 'unknown' : 'refused', reason: `${options.title}: ${reasonOf(options, pairs)}` };
  }
  const link = pairs[options.names.pay_url] ?? '';
  return readLink(context, options, link, pairs[options.names.provider_order_no] || reference);
}

function readLink(context: ProviderContext, options: Options, link: string, providerRef: string): CreateOutcome {
  return isPayLink(link, options.payHosts, context.environment)
    ? { kind: 'redirect', url: link, providerRef }
    : { kind: 'unknown', reason: 'the pay link is missing or points elsewhere' };
}

async function ask(context: ProviderContext, options: Options, payment: KnownPayment): Promise<PaymentReport> {
  if (options.queryUrl === null) return pendingReport(payment, `${options.title} has no query call`);
  const message = writeMessage(options, 'query', newStamp(context), { order_no: payment.reference });
  const { status, text } = await call(context, options, options.queryUrl, message);
  const pairs = status === 200 ? readJson(text) : null;
  const what = `${options.title} answered ${status} to the query`;
  // Without flat fields there is no signature to look at, so nothing of it is believed.
  if (!pairs) return unknownReport(payment, what, text);
  // An answer may go unsigned, for it came over our own connection; a wrong signature is never overlooked.
  if (pairs[options.names.sign] !== undefined && !isNoticeSigned(options, pairs))
    return unknownReport(payment, 'the answer to the query has a wrong signature', text);
  if (pairs[options.names.code] !== undefined && !isOk(options, pairs))
    return options.notFoundCodes.includes(pairs[options.names.code] ?? '')
      ? pendingReport(payment, reasonOf(options, pairs))
      : unknownReport(payment, reasonOf(options, pairs), text);
  return asRead(reportPayment(options, pairs), text);
}

/**
 * An order that is not there. Only an answer signed with our secret, or a code that the contract gives this
 * one meaning, proves anything:
 * every contract has its own codes, and "no such order" and "wrong signature" are both just a no.
 */
async function check(context: ProviderContext, options: Options): Promise<CheckOutcome> {
  const { names, notFoundCodes, queryUrl, title } = options;
  const nothingToAsk = (reason: string): CheckOutcome => ({ kind: 'nothing_to_ask', reason });
  if (queryUrl === null) return nothingToAsk('there is no QUERY_URL, so a test purchase proves the settings');
  const message = writeMessage(options, 'query', newStamp(context), { order_no: 'refill-check' });
  const { status, text } = await call(context, options, queryUrl, message);
  const pairs = status < 500 ? readJson(text) : null;
  if (!pairs) return { kind: 'unreachable', reason: `${title} answered ${status} to the query` };
  const said = `${title} answered ${reasonOf(options, pairs)}`;
  const isSigned = pairs[names.sign] !== undefined;
  if (isSigned && !isNoticeSigned(options, pairs))
    return { kind: 'refused', reason: `${said}, with a signature that does not fit`, lookAt: ['SECRET', 'SIGN_TYPE'] };
  if (isSigned || notFoundCodes.includes(pairs[names.code] ?? ''))
    return { kind: 'ok', said, proven: ['MERCHANT_ID', 'SECRET', 'QUERY_URL'] };
  if (notFoundCodes.length > 0)
    return { kind: 'refused', reason: said, lookAt: ['SECRET', 'MERCHANT_ID', 'SIGN_TYPE', 'CANONICAL'] };
  return nothingToAsk(`${said}; set NOT_FOUND_CODES to what the contract answers for an unknown order`);
}

/** The order of looking: where from, how large, signature, account (told, for the shop compares it), time. */
async function readNotice(context: ProviderContext, options: Options, raw: RawCallback): Promise<CallbackReading> {
  const answerWith = (status: number, body: string): CallbackAnswer => ({
    status,
    contentType: options.ackContentType,
    body,
  });
  const invalid = (reason: string) => ({ kind: 'invalid', reason, answer: answerWith(400, options.ackFail) }) as const;
  if (options.ipAllow.length > 0 && !options.ipAllow.includes(raw.ip)) return invalid('the address is not on IP_ALLOW');
  if (raw.body.length > MAX_NOTICE_BYTES) return invalid('the notice is too large');
  const pairs = readPairs(raw, options);
  if (!pairs) return invalid('the body is no notice');
  if (!isNoticeSigned(options, pairs)) return invalid('the signature does not fit the notice');
  const events = (report: PaymentReport, dedupKey: string) =>
    ({ kind: 'events', events: [{ dedupKey, report }], answer: answerWith(200, options.ackOk) }) as const;
  const report = asRead(reportPayment(options, pairs), raw.body.toString('utf8') || JSON.stringify(raw.query));
  const dedupKey = dedupKeyOf(options, pairs);
  if (isTimely(options, pairs, context.now())) return events(report, dedupKey);
  // Signed, but of another hour: sent again after an outage, or again by somebody who kept it. The
  // provider itself knows which.
  if (options.queryUrl === null || report.reference === null)
    return invalid('the time of the notice is too far from ours');
  try {
    const asked = await ask(context, options, strangeNotice(report, report.reference));
    // A key of its own: what was only asked must not make the shop drop a fresh notice of the same words.
    return events(asked, `${dedupKey}:asked:${asked.status}`);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return { kind: 'unavailable', reason: `an old notice could not be asked about: ${error.message}` };
  }
}

function readPairs(raw: RawCallback, options: Options): Pairs | null {
  const contentType = (raw.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  if (raw.method === 'GET') return options.encoding === 'query' ? raw.query : null;
  if (contentType === 'application/x-www-form-urlencoded') return readForm(raw.body.toString('utf8'));
  return contentType === 'application/json' ? readJson(raw.body.toString('utf8')) : null;
}

function isTimely(options: Options, pairs: Pairs, now: number): boolean {
  if (options.maxSkewS === 0) return true;
  const seconds = pairs[options.names.timestamp] ?? '';
  return /^\d{1,11}$/.test(seconds) && Math.abs(now / 1000 - Number(seconds)) <= options.maxSkewS;
}

/** Builds a payment from a notice alone: enough to ask about it. */
function strangeNotice(report: PaymentReport, reference: string): KnownPayment {
  const { captureRef } = report;
  const amount = report.amount ?? { amountMinor: 0, currency: 'USD' as const };
  return {
    reference,
    providerRef: null,
    captureRef,
    approval: null,
    amount,
    playerRef: '',
    channelId: '',
    createdAt: 0,
  };
}
