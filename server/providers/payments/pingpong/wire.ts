// PingPong Checkout v4 on the wire: the envelope, shapes, and what the codes and statuses mean to
// us. Pure: no calls, no clock.
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
import { accountOf, type Settings, signTypeOf } from './settings.ts';
import { type Fields, signFields } from './signature.ts';

/**
 * The request around `content`, which is sent as the very text that was signed. @source
 * acquirer-api-docs-v4-en.pingpongx.com, common parameters
 */
export function writeEnvelope(given: Settings, content: object): string {
  const fields = {
    ...accountOf(given),
    signType: signTypeOf(given),
    version: '1.0',
    bizContent: JSON.stringify(content),
  };
  return JSON.stringify({ ...fields, sign: signFields(fields, given['SALT'] ?? '', fields.signType) });
}

/**
 * Signs that free text must not hold; `<` and `>` are refused outright. @source
 * acquirer-api-docs-v4-en.pingpongx.com, special characters
 */
const plain = (text: string): string =>
  text
    .replace(/[\\"'{}[\]:,<>&/();=%+]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/**
 * Content of prePay. The money is captured at once (captureDelayHours 0).
 * @param amount decimal text of major units
 * @source acquirer-api-docs-v4-en.pingpongx.com, prePay
 * UNSURE: language codes; what shopperIP takes when we know none
 */
export function writePrePay(input: CreatePayment, amount: string): object {
  return {
    captureDelayHours: '0',
    amount,
    currency: input.amount.currency,
    merchantTransactionId: input.reference,
    payResultUrl: input.returnUrl,
    payCancelUrl: input.cancelUrl,
    notificationUrl: input.notifyUrl,
    shopperIP: input.device.ip || '0.0.0.0',
    timeExpire: String(Math.floor(input.expiresAt / 1000)),
    language: input.locale.split('-')[0] ?? 'en',
    ...(/^[A-Z]{2}$/.test(input.country) ? { tradeCountry: input.country } : {}),
    ...(input.channelId === '' ? {} : { paymentMethods: [input.channelId] }),
    merchantUserId: input.playerRef.slice(0, 64),
    remark: plain(input.productName).slice(0, 100),
  };
}

const Text = Type.Optional(Type.String({ maxLength: 8000 }));

/** @source acquirer-api-docs-v4-en.pingpongx.com: answers have code and description, notices need not */
const Message = Type.Object({ bizContent: Text, sign: Text, accId: Text, code: Text, description: Text });

/** Every top-level field as text, for the signature is over all that came; null when it is no flat object. */
const Flat = Type.Record(Type.String(), Type.String());
export const readFields: (text: string) => Fields | null = reader(Flat);
export const readMessage = reader(Message);

/** @source acquirer-api-docs-v4-en.pingpongx.com, prePay, query, refund and notices */
const Content = Type.Object({
  notifyType: Text,
  merchantTransactionId: Text,
  transactionId: Text,
  amount: Text,
  currency: Text,
  status: Text,
  paymentUrl: Text,
  merchantRefundId: Text,
  refundId: Text,
});
export type Content = Static<typeof Content>;
export const readContent = reader(Content);

/** 107001 and 107002: there is no such transaction. @source acquirer-api-docs-v4-en.pingpongx.com, codes */
export const isNotFound = (code: string): boolean => /^10700[12]$/.test(code);

export function sentenceOf(message: Static<typeof Message>): string {
  return capped([message.code, message.description].filter(Boolean).join(' ') || 'no code');
}

/** Accepted: done, taken, under way. @source acquirer-api-docs-v4-en.pingpongx.com, codes */
const ACCEPTED: ReadonlySet<string> = new Set(['000000', '001000', '002000']);
export const isAccepted = (code: string | undefined): boolean => ACCEPTED.has(code ?? '');

/**
 * Parameter, authorisation, signature, currency: nothing was made. 107000 (duplicate) and the gateway's
 * 500xxx say nothing of the kind.
 */
export const isRefusalCode = (code: string | undefined): boolean => /^10(?:2|3|4|6)\d{3}$/.test(code ?? '');

/** 108xxx. @source acquirer-api-docs-v4-en.pingpongx.com, codes */
export const isRefundRefusal = (code: string | undefined): boolean =>
  /^108\d{3}$/.test(code ?? '') || isRefusalCode(code);

/**
 * FAILED is no end on the hosted page: the player may try again until the order is closed.
 * AUTH_SUCCESS is not captured yet.
 * @source acquirer-api-docs-v4-en.pingpongx.com, transaction status
 */
const STATUS: Readonly<Record<string, PaymentStatus>> = {
  INIT: 'pending',
  PROCESSING: 'pending',
  AUTH_SUCCESS: 'pending',
  SUCCESS: 'paid',
  FAILED: 'declined',
  CLOSED: 'expired',
  CANCEL: 'failed',
};

export const paymentStatus = (word: string | undefined): PaymentStatus => statusIn(STATUS, word);

/** Reports a payment from a query or a notice. */
export function reportPayment(
  content: Content,
  reference: string | null,
  merchantAccount: string | null,
): PaymentReport {
  return {
    status: paymentStatus(content.status),
    reference: content.merchantTransactionId ?? reference,
    providerRef: content.transactionId ?? null,
    captureRef: content.transactionId ?? null,
    amount: readAmount(content.amount, content.currency),
    merchantAccount,
    reason: capped(content.status ?? 'no status'),
  };
}

/** @source acquirer-api-docs-v4-en.pingpongx.com, refund status */
const REFUND_STATUS: ReadonlyMap<string, { notice: PaymentStatus; outcome: RefundOutcome['status'] }> = new Map([
  ['SUCCESS', { notice: 'refunded', outcome: 'done' }] as const,
  ['FAILED', { notice: 'refund_failed', outcome: 'failed' }] as const,
  ['PROCESSING', { notice: 'pending', outcome: 'pending' }] as const,
]);

/**
 * Reads the answer to refund or to its query.
 * @source acquirer-api-docs-v4.pingpongx.com/pages/71c886, refund notice: `amount` is the amount of the refund, named by
 *   `refundId` and `merchantRefundId`
 */
export function readRefund(content: Content, asked: Money): RefundOutcome {
  const outcome: RefundOutcome = {
    status: REFUND_STATUS.get(content.status ?? '')?.outcome ?? 'unknown',
    refundProviderRef: content.refundId ?? null,
    reason: capped(content.status ?? 'no status'),
  };
  return refundOfAmount(outcome, readAmount(content.amount, content.currency), asked);
}

/** A verified notice as an event of ours; null when it is of no interest. */
export function reportNotice(content: Content, accId: string): CallbackEvent | null {
  if (!content.merchantTransactionId) return null;
  if (content.notifyType === 'RECHARGE') {
    const dedupKey = capped(
      `RECHARGE:${content.transactionId ?? content.merchantTransactionId}:${content.status ?? ''}`,
    );
    return { dedupKey, report: reportPayment(content, null, accId) };
  }
  if (content.notifyType !== 'REFUND') return null;
  const status = REFUND_STATUS.get(content.status ?? '')?.notice ?? 'unknown';
  return {
    dedupKey: capped(
      `REFUND:${content.refundId ?? content.merchantRefundId ?? content.merchantTransactionId}:${content.status}`,
    ),
    report: { ...reportPayment(content, null, accId), status, captureRef: null },
  };
}

/** A verified notice whose content does not fit: what it names is told all the same. @param text its bizContent */
export function unreadableNotice(text: string, body: Buffer): CallbackEvent | null {
  const kind = wordAt(text, 'notifyType') ?? '';
  const about = {
    reference: wordAt(text, 'merchantTransactionId') ?? null,
    providerRef: wordAt(text, 'transactionId') ?? null,
    captureRef: wordAt(text, 'transactionId') ?? null,
  };
  const said = kind === 'RECHARGE' ? paymentStatus(wordAt(text, 'status')) : kind === 'REFUND' ? 'refunded' : 'unknown';
  return unreadableEvent(about, said, `PingPong sent ${kind || 'a notice'}`, body);
}
