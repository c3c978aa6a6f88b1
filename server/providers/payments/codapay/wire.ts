// Codapay on the wire: starting a payment, asking for it, and what its result codes mean to us. Pure: no calls, no
// clock. Notifications are in notice.ts.
import Type, { type Static } from 'typebox';
import { type Currency, isCurrency } from '#kernel/money.ts';
import type { CreatePayment, PaymentReport, PaymentStatus } from '#server/modules/payments/provider.ts';
import { capped, reader } from '#server/providers/payments/kit/json.ts';
import { countryOf, readPrice, type WirePrice } from './amounts.ts';

const Text = Type.Optional(Type.String());
/** Numbers are text here, see json.ts. */
const Code = Type.String({ pattern: '^-?\\d{1,9}$' });

/** @source coda-payments.gitbook.io, initiate a payment */
const Init = Type.Object({
  initResult: Type.Object({
    resultCode: Code,
    resultDesc: Text,
    txnId: Text,
    redirectUrl: Type.Optional(Type.String({ maxLength: 4000 })),
  }),
});

/** @source coda-payments.gitbook.io, verify transaction status */
const Result = Type.Object({
  paymentResult: Type.Object({
    resultCode: Code,
    resultDesc: Text,
    txnId: Text,
    orderId: Text,
    totalPrice: Text,
    profile: Type.Optional(
      Type.Object({ entry: Type.Array(Type.Object({ key: Type.String(), value: Type.Optional(Type.Unknown()) })) }),
    ),
  }),
});

const readInitBody = reader(Init);
const readResultBody = reader(Result);

export type InitResult = Static<typeof Init>['initResult'];
export type PaymentResult = Static<typeof Result>['paymentResult'];

export const readInit = (text: string): InitResult | null => readInitBody(text)?.initResult ?? null;
export const readResult = (text: string): PaymentResult | null => readResultBody(text)?.paymentResult ?? null;

/**
 * Our reference with the currency in front, for Coda tells amounts without one; and an order id of digits alone
 * would come back as a number.
 * @source coda-payments.gitbook.io: orderId, 4 to 64 characters
 */
export function writeOrderId(reference: string, currency: Currency): string {
  return `${currency}-${reference}`;
}

/** Null parts for an order id that is none of ours. */
export function readOrderId(orderId: string): { reference: string; currency: Currency | null } {
  const [, currency = '', reference = orderId] = /^([A-Z]{3})-(.+)$/.exec(orderId) ?? [];
  return { reference, currency: isCurrency(currency) ? currency : null };
}

/**
 * Body of POST init.json.
 * @param projectId null for API v1.0
 * @source coda-payments.gitbook.io, initiate a payment: `items[].name` takes Latin letters only
 */
export function writeInit(
  input: CreatePayment,
  apiKey: string,
  projectId: number | null,
  { country, currency, price }: WirePrice,
  payType: number,
): string {
  const entry = [
    { key: 'user_id', value: input.playerRef },
    { key: 'client_ip', value: input.device.ip },
    { key: 'lang_code', value: input.locale.replace('-', '_') },
    { key: 'return_url', value: input.returnUrl },
  ];
  return JSON.stringify({
    initRequest: {
      apiKey,
      ...(projectId === null ? {} : { projectId }),
      orderId: writeOrderId(input.reference, input.amount.currency),
      country,
      currency,
      payType,
      items: [{ code: 'topup', name: latinName(input.productName), price }],
      profile: { entry: entry.filter(({ value }) => value !== '') },
    },
  });
}

/** Converts a name to letters that Coda's page can write; a name without any Latin letter becomes a plain one. */
export function latinName(name: string): string {
  const latin = name
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9 .,()+-]/g, '')
    .replace(/ +/g, ' ')
    .trim();
  return /[A-Za-z]/.test(latin) ? latin.slice(0, 100) : 'Game item';
}

/** The page of all channels, or one channel by its number; null for a channel that is no number. */
export function payTypeOf(channelId: string): number | null {
  if (channelId === '') return 0;
  return /^\d{1,9}$/.test(channelId) ? Number(channelId) : null;
}

/**
 * Body of POST inquiryPaymentResult.json.
 * @param txnId as text: it is longer than a JSON number can be trusted with
 * @source coda-payments.gitbook.io, verify transaction status. UNSURE: `country` with API v2.0 is seen
 *   in a public integration only
 */
export function writeInquiry(
  txnId: string,
  apiKey: string,
  projectId: number | null,
  currency: Currency | null,
): string {
  const country = currency === null ? null : countryOf(currency);
  return JSON.stringify({
    inquiryPaymentRequest: {
      apiKey,
      ...(projectId === null ? {} : { projectId, ...(country === null ? {} : { country }) }),
      txnId,
      needStatusFinal: 'true',
    },
  });
}

/**
 * Codes of a payment that is still open, final or not: user action pending, being paid (two), waiting at the counter.
 * @source coda-payments.gitbook.io, result codes
 */
const OPEN_CODES: ReadonlySet<string> = new Set(['209', '216', '431', '481']);
/** Nobody opened the page, or paid in time. */
const EXPIRED_CODES: ReadonlySet<string> = new Set(['206', '211', '456']);

/**
 * Bands of codes that refuse a payment; 551 to 556 are about refunds. @source coda-payments.gitbook.io, result codes
 */
const REFUSING_BANDS: readonly (readonly [number, number])[] = [
  [1, 151],
  [201, 254],
  [301, 319],
  [401, 494],
  [501, 504],
  [601, 607],
  [700, 752],
];

/** NaN, which lies in no band, for a text that is no code. */
const codeOf = (text: string): number => (/^\d{1,4}$/.test(text) ? Number(text) : Number.NaN);

/** A refusal is an end only where Coda says that the status is final; a code outside of all bands means nothing. */
function statusOf(result: PaymentResult): PaymentStatus {
  if (result.resultCode === '0') return 'paid';
  const isFinal = String(result.profile?.entry.find(({ key }) => key === 'isStatusFinal')?.value) === 'true';
  const code = codeOf(result.resultCode);
  const isRefusing = REFUSING_BANDS.some(([from, to]) => code >= from && code <= to);
  if (!isRefusing && !OPEN_CODES.has(result.resultCode)) return 'unknown';
  if (!isFinal || OPEN_CODES.has(result.resultCode)) return 'pending';
  return EXPIRED_CODES.has(result.resultCode) ? 'expired' : 'failed';
}

/**
 * Reports the payment of an inquiry. Its price is in the currency of the country, which the order id tells.
 * @param currency of the payment we asked about, where we know it
 */
export function reportResult(result: PaymentResult, txnId: string, currency?: Currency): PaymentReport {
  const order = result.orderId === undefined ? null : readOrderId(result.orderId);
  const paidIn = order?.currency ?? currency ?? null;
  const amount = paidIn === null ? null : readPrice(result.totalPrice, paidIn);
  // Whatever is said of another transaction is no answer to our question.
  const status = (result.txnId ?? txnId) === txnId ? statusOf(result) : 'unknown';
  return {
    status: status,
    reference: order?.reference ?? null,
    providerRef: txnId,
    captureRef: status === 'paid' ? txnId : null,
    amount,
    merchantAccount: null,
    reason: capped([result.resultCode, result.resultDesc].filter(Boolean).join(' ')),
  };
}

/**
 * Judges our credentials by the answer to an inquiry about no transaction. 204: key or address not registered, 205: the
 * key of the other side, 202: a bad parameter.
 * @source coda-payments.gitbook.io, result codes: 201 to 254 are about request and state
 * UNSURE: which of them says "no such transaction"; every other one of that band is told to a merchant who is known.
 */
export function judgeStranger(resultCode: string): 'ok' | 'refused' | 'unreachable' {
  const code = codeOf(resultCode);
  if ([202, 204, 205].includes(code)) return 'refused';
  return code === 0 || (code >= 201 && code <= 254) ? 'ok' : 'unreachable';
}
