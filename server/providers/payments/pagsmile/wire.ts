// Pagsmile's pay-ins on the wire: shapes, bodies, return codes, and what its statuses mean to us. Pure: no calls, no
// clock. Notifications are in notice.ts.
import { createHash } from 'node:crypto';
import Type, { type Static } from 'typebox';
import type { Money } from '#kernel/money.ts';
import type { CreatePayment, PaymentReport, PaymentStatus, RefundOutcome } from '#server/modules/payments/provider.ts';
import { capped, reader } from '#server/providers/payments/kit/json.ts';
import { refundOfAmount } from '#server/providers/payments/kit/refund.ts';
import { readAmount } from './amounts.ts';

const Text = Type.Optional(Type.String());

/**
 * Every answer has a code; the rest differs by call. @source docs.pagsmile.com, checkout page,
 * payin detail, refund, API code
 */
const Answer = Type.Object({
  code: Type.String(),
  msg: Text,
  sub_code: Text,
  sub_msg: Text,
  trade_no: Text,
  out_trade_no: Text,
  web_url: Type.Optional(Type.String({ maxLength: 4000 })),
  trade_status: Text,
  order_amount: Text,
  order_currency: Text,
  refund_status: Text,
  refund_amount: Text,
  refund_currency: Text,
});
export type Answer = Static<typeof Answer>;

export const readAnswer = reader(Answer);

export const isSuccess = (answer: Answer): boolean => answer.code === '10000';
export const isDuplicate = (answer: Answer): boolean => answer.sub_code === 'duplicate-out_trade_no';

/** There is no such trade. UNSURE: the words of sub_code are from memory. */
export const isNotFound = ({ sub_code, sub_msg }: Answer): boolean =>
  /not[-_ ]?(?:exist|found)/i.test(`${sub_code} ${sub_msg}`);

/** One sentence of a refusal. */
export function describe({ code, msg, sub_code, sub_msg }: Answer): string {
  return capped(`Pagsmile answered ${[code, msg, sub_code, sub_msg].filter(Boolean).join(' ')}`);
}

/**
 * Codes after which no money can come: nothing was made, or what was made is REFUSED already. A code
 * that is not here proves nothing.
 * @source docs.pagsmile.com, API code, parts 1 and 2
 */
const REFUSING_CODES: ReadonlySet<string> = new Set(['20000', '40001', '40002', '40004', '40005', '70001', '90001']);

export function isRefusal(answer: Answer): boolean {
  return REFUSING_CODES.has(answer.code) && !isDuplicate(answer);
}

/**
 * `yyyy-MM-dd HH:mm:ss`.
 * @param at epoch milliseconds
 * UNSURE: the time zone is not said; the answers' times are UTC, so ours are
 */
function timestampOf(at: number): string {
  return new Date(at).toISOString().slice(0, 19).replace('T', ' ');
}

/** ISO 3166 alpha-3 of Pagsmile's countries. @source docs.pagsmile.com, country code */
const REGIONS: Readonly<Record<string, string>> = {
  BR: 'BRA', RU: 'RUS', TR: 'TUR', CN: 'CHN', HK: 'HKG', ID: 'IDN', KR: 'KOR', MY: 'MYS', PH: 'PHL', TH: 'THA', TW: 'TWN', SA: 'SAU', AE: 'ARE',
}; /* a row a line */ // prettier-ignore

/** @source docs.pagsmile.com, checkout page: at most 15 days */
const MAX_MINUTES = 15 * 24 * 60;

/**
 * Body of POST /trade/create.
 * @param amount decimal text, major units
 * @param now epoch milliseconds
 * @source docs.pagsmile.com, checkout page (general). `timeout_express` ends the choosing,
 *   `cancellation_express` the paying
 */
export function writeCreate(
  input: CreatePayment,
  given: Readonly<Record<string, string>>,
  amount: string,
  now: number,
): string {
  const minutes = Math.min(Math.max(Math.floor((input.expiresAt - now) / 60_000), 1), MAX_MINUTES);
  // "Wallet.LINEPay": the method, and behind the dot the channel it needs.
  const [method = '', channel = ''] = input.channelId.split('.');
  const region = REGIONS[input.country];
  return JSON.stringify({
    app_id: given['APP_ID'],
    timestamp: timestampOf(now),
    out_trade_no: input.reference,
    ...(method === '' ? {} : { method }),
    ...(channel === '' ? {} : { channel }),
    order_currency: input.amount.currency,
    order_amount: amount,
    subject: input.productName.slice(0, 128),
    content: `${input.brandName}: ${input.productName}`.slice(0, 255),
    trade_type: 'WEB',
    version: '2.0',
    timeout_express: `${minutes}m`,
    cancellation_express: `${minutes}m`,
    notify_url: input.notifyUrl,
    return_url: input.returnUrl,
    buyer_id: input.playerRef,
    ...(region === undefined ? {} : { regions: [region] }),
    ...(given['WEBSITE_URL'] ? { website_url: given['WEBSITE_URL'] } : {}),
  });
}

/** Body of POST /trade/query; by Pagsmile's number where we know it. @param now epoch milliseconds */
export function writeQuery(appId: string | undefined, tradeNo: string | null, reference: string, now: number): string {
  const which = tradeNo === null ? { out_trade_no: reference } : { trade_no: tradeNo };
  return JSON.stringify({ app_id: appId, timestamp: timestampOf(now), ...which });
}

/**
 * Body of POST /trade/refund, of exactly this amount.
 * @param now epoch milliseconds
 * @source docs.pagsmile.com, refund: `out_request_no` has at most 16 characters, so ours is
 *   made of the refund reference
 */
export function writeRefund(
  appId: string | undefined,
  payment: { providerRef: string | null; captureRef: string | null; reference: string },
  refund: { ref: string; amount: string; currency: string },
  now: number,
): string {
  const tradeNo = payment.captureRef ?? payment.providerRef;
  return JSON.stringify({
    app_id: appId,
    timestamp: timestampOf(now),
    ...(tradeNo === null ? { out_trade_no: payment.reference } : { trade_no: tradeNo }),
    out_request_no: createHash('sha256').update(refund.ref).digest('hex').slice(0, 16),
    refund_amount: refund.amount,
    refund_currency: refund.currency,
    refund_reason: 'Order refunded by the merchant',
  });
}

/**
 * Null in a notification is of no interest. A dispute has not taken the money yet; one that
 * was won again is for a person.
 * @source docs.pagsmile.com, payin status
 */
const STATUS: Readonly<Record<string, PaymentStatus | null>> = {
  INITIAL: 'pending',
  PROCESSING: 'pending',
  RISK_CONTROLLING: 'pending',
  SUCCESS: 'paid',
  REFUSED: 'failed',
  CANCEL: 'failed',
  EXPIRED: 'expired',
  REFUND_VERIFYING: null,
  REFUND_PROCESSING: null,
  REFUNDED: 'refunded',
  REFUND_REVOKE: 'refund_failed',
  REFUND_REFUSED: 'refund_failed',
  DISPUTE: null,
  CHARGEBACK: 'chargeback',
  CHARGEBACK_REVERSED: null,
};

/** `unknown` for a word that nobody knows; null for one of no interest. */
export function statusOf(word: string | undefined): PaymentStatus | null {
  return word !== undefined && Object.hasOwn(STATUS, word) ? (STATUS[word] ?? null) : 'unknown';
}

/** To a question, a word of no interest means that there is or was money: on its way back, disputed or won again. */
export const askedStatus = (word: string | undefined): PaymentStatus => statusOf(word) ?? 'paid_unreadable';

/** Reports the payment of a query's answer. */
export function reportTrade(answer: Answer): PaymentReport {
  const amount = readAmount(answer.order_amount, answer.order_currency);
  const status = askedStatus(answer.trade_status);
  const isPaid = status === 'paid' || status === 'paid_unreadable';
  return {
    status,
    reference: answer.out_trade_no ?? null,
    providerRef: answer.trade_no ?? null,
    captureRef: isPaid ? (answer.trade_no ?? null) : null,
    // "Same for partial refund": a query tells the price of the order, and not what went back.
    amount: status === 'refunded' ? null : amount,
    merchantAccount: null,
    reason: capped(answer.trade_status ?? 'no status'),
  };
}

/**
 * Reads Pagsmile's answer to a refund. @source docs.pagsmile.com, refund: refund_amount, refund_currency, refund_status
 */
export function readRefund(answer: Answer, asked: Money): RefundOutcome {
  const word = answer.refund_status ?? '';
  const status = word === 'REFUNDED' ? 'done' : statusOf(word) === 'refund_failed' ? 'failed' : 'pending';
  const outcome = { status, refundProviderRef: answer.trade_no ?? null, reason: capped(word || 'accepted') } as const;
  return refundOfAmount(outcome, readAmount(answer.refund_amount, answer.refund_currency), asked);
}

/**
 * Reads our refund from the status of a trade; null when it says nothing of refunds. A trade is REFUNDED after a part
 * as well, and no call tells how much went back: that is for manual review, unless the notification comes first.
 * @source docs.pagsmile.com, payin status, payin detail
 */
export function refundOfTrade(word: string | undefined, tradeNo: string | null): RefundOutcome | null {
  if (word === undefined || !word.startsWith('REFUND')) return null;
  const isOver = word === 'REFUNDED' || statusOf(word) === 'refund_failed';
  const reason = word === 'REFUNDED' ? 'REFUNDED, and Pagsmile does not say how much went back' : word;
  return { status: isOver ? 'failed' : 'pending', refundProviderRef: tradeNo, reason: capped(reason) };
}
