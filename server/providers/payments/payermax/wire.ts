// PayerMax on the wire: the envelope, shapes, and what the codes and statuses mean to us. Pure: no calls, no clock.
import Type, { type Static } from 'typebox';
import type { Money } from '#kernel/money.ts';
import type {
  CallbackEvent,
  CreatePayment,
  PaymentReport,
  PaymentStatus,
  RefundOutcome,
} from '#server/modules/payments/provider.ts';
import { capped, reader, wordAt } from '#server/providers/payments/kit/json.ts';
import { refundOfAmount } from '#server/providers/payments/kit/refund.ts';
import { statusIn, unreadableEvent } from '#server/providers/payments/kit/report.ts';
import { readAmount } from './amounts.ts';
import type { Settings } from './settings.ts';

/**
 * Order numbers are letters, digits and underscores; ours have a dash and no underscore, so it goes both ways.
 * @source docs.payermax.com, orderAndPay, outTradeNo
 */
export const toTradeNo = (reference: string): string => reference.replaceAll('-', '_');
export const fromTradeNo = (tradeNo: string): string => tradeNo.replaceAll('_', '-');

/** A number in JSON exactly as its text: no float between our minor units and the wire. */
type RawJson = { readonly rawJSON: string };
const rawNumber = (text: string): RawJson => (JSON as unknown as { rawJSON: (text: string) => RawJson }).rawJSON(text);

/**
 * The request around `data`.
 * @param now epoch milliseconds; PayerMax takes a request for two minutes
 * @source docs.payermax.com, API description
 */
export function writeEnvelope(given: Settings, now: number, data: object): string {
  const provider = given['SP_MERCHANT_NO'];
  return JSON.stringify({
    version: '1.4',
    keyVersion: '1',
    requestTime: new Date(now).toISOString().replace('Z', '+00:00'),
    appId: given['APP_ID'],
    merchantNo: given['MERCHANT_NO'],
    ...(provider ? { spMerchantNo: provider } : {}),
    data,
  });
}

/**
 * Seconds an order stays payable, the same for every call of one order. @source
 * docs.payermax.com: half an hour to a day
 */
const EXPIRE_SECONDS = '3600';

/**
 * Data of orderAndPay.
 * @param totalAmount decimal text of major units
 * @source docs.payermax.com, orderAndPay (Hosted_Checkout); the OpenAPI file of
 *   github.com/payermax-all/payermax-server-sdk UNSURE: which language codes the cashier knows; an unknown one falls
 * back to its own choice
 */
export function writeOrder(input: CreatePayment, totalAmount: string): object {
  const [paymentMethodType, targetOrg] = input.channelId.split(':');
  return {
    outTradeNo: toTradeNo(input.reference),
    integrate: 'Hosted_Checkout',
    // 43 is the limit of Pix; the others take 256.
    subject: input.productName.slice(0, input.amount.currency === 'BRL' ? 43 : 256),
    totalAmount: rawNumber(totalAmount),
    currency: input.amount.currency,
    ...(/^[A-Z]{2}$/.test(input.country) ? { country: input.country } : {}),
    userId: input.playerRef.slice(0, 64),
    language: input.locale.split('-')[0] ?? 'en',
    reference: input.reference,
    frontCallbackUrl: input.returnUrl,
    notifyUrl: input.notifyUrl,
    expireTime: EXPIRE_SECONDS,
    ...(paymentMethodType ? { paymentDetail: { paymentMethodType, ...(targetOrg ? { targetOrg } : {}) } } : {}),
  };
}

/** Data of refund. @source docs.payermax.com, refund. UNSURE: outRefundNo takes the characters of outTradeNo */
export function writeRefund(reference: string, refundRef: string, amount: string, currency: string): object {
  return {
    outRefundNo: toTradeNo(refundRef),
    refundAmount: rawNumber(amount),
    refundCurrency: currency,
    outTradeNo: toTradeNo(reference),
    comments: 'order',
  };
}

const Text = Type.Optional(Type.String({ maxLength: 4000 }));

/**
 * Data of orders and refunds in answers and notices alike. @source docs.payermax.com, orderAndPay, orderQuery, refund,
 * the three notices; api.json of github.com/payermax-all/payermax-server-sdk
 */
const Data = Type.Object({
  outTradeNo: Text,
  tradeToken: Text,
  redirectUrl: Text,
  status: Text,
  totalAmount: Text,
  currency: Text,
  resultMsg: Text,
  outRefundNo: Text,
  refundTradeNo: Text,
  refundAmount: Text,
  refundCurrency: Text,
  caseId: Text,
  caseResult: Text,
  amount: Text,
});
const Answer = Type.Object({ code: Type.String(), msg: Text, data: Type.Optional(Data) });
const Notice = Type.Object({ ...Answer.properties, notifyType: Type.String(), merchantNo: Text, appId: Text });

export type Answer = Static<typeof Answer>;
export const readAnswer = reader(Answer);
export const readNotice = reader(Notice);

/** The call was accepted; nothing is said of the payment. @source docs.payermax.com, API description */
export const ACCEPTED = 'APPLY_SUCCESS';

export function sentenceOf(answer: Answer): string {
  return capped([answer.code, answer.msg].filter(Boolean).join(' '));
}

/**
 * Codes that say for certain that nothing was made. Every other one may speak of an order that is there.
 * @source docs.payermax.com, orderAndPay, error codes
 */
const REFUSALS: ReadonlySet<string> = new Set([
  'SIGN_VERIFY_FAILED',
  'MERCHANT_INVALID',
  'MERCHANT_APP_INVALID',
  'REQ_TIME_OVER_TIME',
  'TOO_MANY_REQUEST',
  'PARAMS_INVALID',
  'AMOUNT_INVALID',
  'AMOUNT_LIMIT',
  'COUNTRY_INVALID',
  'CURRENCY_INVALID',
  'CONTRACT_INVALID',
]);

export const isRefusalCode = (code: string): boolean => REFUSALS.has(code);

/** @source docs.payermax.com, transaction status: CLOSED was not paid in time */
const STATUS: Readonly<Record<string, PaymentStatus>> = {
  PENDING: 'pending',
  SUCCESS: 'paid',
  FAILED: 'failed',
  CLOSED: 'expired',
};

export const orderStatus = (word: string | undefined): PaymentStatus => statusIn(STATUS, word);

/** Reports a payment from orderQuery or the notice. */
export function reportOrder(
  data: Static<typeof Data>,
  reference: string | null,
  merchantAccount: string | null,
): PaymentReport {
  return {
    status: orderStatus(data.status),
    reference: data.outTradeNo === undefined ? reference : fromTradeNo(data.outTradeNo),
    providerRef: data.tradeToken ?? null,
    captureRef: data.tradeToken ?? null,
    amount: readAmount(data.totalAmount, data.currency),
    merchantAccount,
    reason: capped([data.status, data.resultMsg].filter(Boolean).join(' ') || 'no status'),
  };
}

/** @source docs.payermax.com, refund status */
const REFUND_STATUS: ReadonlyMap<string, { notice: PaymentStatus; outcome: RefundOutcome['status'] }> = new Map<
  string,
  { notice: PaymentStatus; outcome: RefundOutcome['status'] }
>([
  ['REFUND_SUCCESS', { notice: 'refunded', outcome: 'done' }],
  ['REFUND_FAILED', { notice: 'refund_failed', outcome: 'failed' }],
  ['REFUND_PENDING', { notice: 'pending', outcome: 'pending' }],
]);

/** Reads the answer to refund or refundQuery; null when it is none. */
export function readRefund(answer: Answer | null, asked: Money): RefundOutcome | null {
  if (answer?.code !== ACCEPTED) return null;
  const { data } = answer;
  const outcome = {
    status: REFUND_STATUS.get(data?.status ?? '')?.outcome ?? 'unknown',
    refundProviderRef: data?.refundTradeNo ?? null,
    reason: data?.status ?? sentenceOf(answer),
  };
  return refundOfAmount(outcome, readAmount(data?.refundAmount, data?.refundCurrency), asked);
}

/** A verified notice as an event of ours; null when it is of no interest. `code` and `msg` decide nothing. */
export function reportNotice(notice: Static<typeof Notice>, ourAppId: string): CallbackEvent | null {
  const { data, notifyType, merchantNo, appId } = notice;
  if (!data?.outTradeNo) return null;
  // Another application of the same merchant is somebody else's shop.
  const account = appId === undefined || appId === ourAppId ? (merchantNo ?? '') : `${merchantNo ?? ''}/${appId}`;
  if (notifyType === 'PAYMENT') {
    const dedupKey = capped(`PAYMENT:${data.tradeToken ?? data.outTradeNo}:${data.status ?? ''}`);
    return { dedupKey, report: reportOrder(data, null, account) };
  }
  if (DISPUTES.has(notifyType)) return reportCase(data, notifyType, account);
  if (notifyType !== 'REFUND') return null;
  const status = REFUND_STATUS.get(data.status ?? '')?.notice ?? 'unknown';
  return {
    dedupKey: capped(`REFUND:${data.refundTradeNo ?? data.outRefundNo ?? data.outTradeNo}:${data.status}`),
    report: {
      status,
      reference: fromTradeNo(data.outTradeNo),
      providerRef: null,
      captureRef: null,
      amount: readAmount(data.refundAmount, data.refundCurrency),
      merchantAccount: account,
      reason: capped(data.status ?? ''),
    },
  };
}

/** Types of a notice about a case; FRAUD and complaints come as plain warnings as well, without a case. */
const DISPUTES: ReadonlySet<string> = new Set(['CHARGEBACK', 'DISPUTE', 'FRAUD', 'CUSTOMER COMPLAINT']);

/** Steps after which a case has its result; before them the money is only frozen. CASE_CANCEL gives it free again. */
const ENDED: ReadonlySet<string> = new Set(['DISPUTE_END', 'CASE_CLOSED']);

/**
 * A dispute is a chargeback once it ended against the merchant. One that ended without a result goes to a person.
 * `amount` and `currency` are what the case froze, which may be less than the payment; the case's fee is beside it.
 * @source docs.payermax.com, "Chargeback Integration", chargeBaclNotifyUrl; api.json of
 *   github.com/payermax-all/payermax-server-sdk, chargeBaclNotifyUrl
 */
function reportCase(data: Static<typeof Data>, notifyType: string, merchantAccount: string): CallbackEvent | null {
  const { amount, caseId, caseResult, currency, status = '' } = data;
  if (caseId === undefined || !ENDED.has(status) || caseResult === 'WIN') return null;
  return {
    // A second chargeback of one order is another case; its steps are one loss.
    dedupKey: capped(`CASE:${caseId}:${caseResult ?? status}`),
    report: {
      status: caseResult === 'FAIL' ? 'chargeback' : 'paid_unreadable',
      reference: data.outTradeNo === undefined ? null : fromTradeNo(data.outTradeNo),
      providerRef: data.tradeToken ?? null,
      captureRef: data.tradeToken ?? null,
      amount: readAmount(amount, currency),
      merchantAccount,
      reason: capped([notifyType, status, caseResult ?? 'without a result'].join(' ')),
    },
  };
}

/** A verified notice whose shape does not fit: what it names is told all the same. */
export function unreadableNotice(body: Buffer): CallbackEvent | null {
  const text = body.toString('utf8');
  const kind = wordAt(text, 'notifyType') ?? '';
  const word = wordAt(text, 'data', 'status');
  const tradeNo = wordAt(text, 'data', 'outTradeNo');
  const about = {
    reference: tradeNo === undefined ? null : fromTradeNo(tradeNo),
    providerRef: wordAt(text, 'data', 'tradeToken') ?? null,
  };
  const isCase = DISPUTES.has(kind) && wordAt(text, 'data', 'caseResult') !== 'WIN';
  const said =
    kind === 'PAYMENT' ? orderStatus(word) : kind === 'REFUND' ? 'refunded' : isCase ? 'chargeback' : 'unknown';
  return unreadableEvent(about, said, `PayerMax sent ${kind || 'a notice'}`, body);
}
