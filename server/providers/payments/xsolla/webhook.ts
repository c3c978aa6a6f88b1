// Xsolla's webhooks on the wire: the signature, shapes, and what each type means to us. Pure: no calls, no clock.
import { createHash, timingSafeEqual } from 'node:crypto';
import Type, { type Static } from 'typebox';
import type { CallbackEvent, PaymentReport, PaymentStatus } from '#server/modules/payments/provider.ts';
import { capped, reader, wordAt } from '#server/providers/payments/kit/json.ts';
import { statusIn, unreadableEvent } from '#server/providers/payments/kit/report.ts';
import { readAmount } from './amounts.ts';
import { Id, Parameters, Purchase, Text, Transaction } from './wire.ts';

/**
 * sha1(raw body + project secret) in lower hex. Not an HMAC: that is how Xsolla signs.
 * @source github.com/xsolla/xsolla-sdk-php, WebhookAuthenticator
 */
export function signBody(body: Buffer, secret: string): string {
  return createHash('sha1').update(body).update(secret).digest('hex');
}

/**
 * Returns true when the header `Authorization: Signature <40 hex>` fits the body under one of the keys. No key, no
 * belief.
 */
export function isSigned(header: string | undefined, body: Buffer, keys: readonly string[]): boolean {
  const given = /^Signature ([0-9a-f]{40})$/.exec(header ?? '')?.[1];
  if (given === undefined) return false;
  // Every key is tried, so that the time taken does not tell which one fitted.
  return keys.filter((key) => timingSafeEqual(Buffer.from(signBody(body, key)), Buffer.from(given))).length > 0;
}

const RefundDetails = Type.Optional(Type.Object({ code: Text, reason: Text, refund_amount: Text }));

/**
 * @source developers.xsolla.com webhooks `payment`, `refund`, `partial_refund`; github.com/xsolla/xsolla-sdk-php,
 *   PartialRefundMessageTest: `refund_details` has code and reason alone
 * UNSURE: `settings.project_id` and `refund_amount` are from memory
 */
const PaymentHook = Type.Object({
  settings: Type.Optional(Type.Object({ project_id: Text })),
  purchase: Purchase,
  transaction: Transaction,
  refund_details: RefundDetails,
  custom_parameters: Parameters,
});

/**
 * @source developer.xsolla.com webhooks `order_paid`, `order_canceled`; UNSURE: the inner
 * shape of `billing` is inferred
 */
const OrderHook = Type.Object({
  order: Type.Object({ id: Id, amount: Text, currency: Text, invoice_id: Text, mode: Text }),
  billing: Type.Optional(
    Type.Object({
      settings: Type.Optional(Type.Object({ project_id: Text })),
      purchase: Purchase,
      transaction: Type.Optional(Transaction),
      refund_details: RefundDetails,
    }),
  ),
  refund_details: RefundDetails,
  custom_parameters: Parameters,
});
const UserHook = Type.Object({ user: Type.Object({ id: Id }) });
const Kind = Type.Object({ notification_type: Type.String({ minLength: 1, maxLength: 64 }) });

export const readKind = reader(Kind);
export const readUserHook = reader(UserHook);
const readPaymentHook = reader(PaymentHook);
const readOrderHook = reader(OrderHook);

/**
 * All others are refunds and cancellations. A chargeback is always of the whole: `partial_refund` has no such code.
 * @source developers.xsolla.com, webhooks "Refund" and "Partial refund", refund codes
 */
const CHARGEBACK_CODE = '2';

export type HookReading =
  | { readonly kind: 'event'; readonly dedupKey: string; readonly report: PaymentReport }
  | { readonly kind: 'test'; readonly reason: string };

const PAYMENT_HOOKS: Readonly<Record<string, PaymentStatus>> = {
  payment: 'paid',
  refund: 'refunded',
  partial_refund: 'refunded',
};
const ORDER_HOOKS: Readonly<Record<string, PaymentStatus>> = { order_paid: 'paid', order_canceled: 'refunded' };

/** Returns true when a notification type tells of money; the others are acknowledged and dropped. */
export function isMoneyHook(type: string): boolean {
  return Object.hasOwn(PAYMENT_HOOKS, type) || Object.hasOwn(ORDER_HOOKS, type);
}

/**
 * Reads a verified webhook that tells of money; null when it has not the shape it must have.
 * A test payment that arrives on the live side is `test`: its signature is good, its money is not.
 * @source developer.xsolla.com webhooks; the dedupe key is type and transaction or order id
 */
export function readMoneyHook(type: string, text: string, isSandbox: boolean): HookReading | null {
  return Object.hasOwn(ORDER_HOOKS, type)
    ? readOrderMoney(type, text, isSandbox)
    : readPaymentMoney(type, text, isSandbox);
}

function readPaymentMoney(type: string, text: string, isSandbox: boolean): HookReading | null {
  const hook = readPaymentHook(text);
  if (!hook) return null;
  const { transaction, purchase, refund_details: refund } = hook;
  if (!isSandbox && isDryRun(transaction)) return { kind: 'test', reason: 'a test payment on the live side' };
  const price = purchase?.checkout ?? purchase?.total;
  const whole = readAmount(price?.amount, price?.currency);
  // A payment may go back in several parts, all under its own number, and no field tells one of them from another: only
  // the very same message is a repetition. @source developers.xsolla.com, webhook "Partial refund"
  const isPart = type === 'partial_refund';
  const part = isPart ? `:${createHash('sha256').update(text).digest('hex')}` : '';
  // Only a full refund gives back what was paid; of a part the checkout price is no measure.
  const amount = isPart ? readAmount(refund?.refund_amount, price?.currency) : whole;
  return event(keyOf(type, refund), `${transaction.id}${part}`, {
    status: isChargeback(refund) ? 'chargeback' : statusIn(PAYMENT_HOOKS, type),
    reference: transaction.external_id ?? hook.custom_parameters?.reference ?? null,
    captureRef: transaction.id,
    amount,
    ...(isPart ? { amountDoubt: 'part' as const } : {}),
    merchantAccount: hook.settings?.project_id ?? null,
    reason: refundReason(type, refund),
  });
}

function readOrderMoney(type: string, text: string, isSandbox: boolean): HookReading | null {
  const hook = readOrderHook(text);
  if (!hook) return null;
  const { order, billing } = hook;
  const refund = billing?.refund_details ?? hook.refund_details;
  const isTest = order.mode === 'sandbox' || (billing?.transaction ? isDryRun(billing.transaction) : false);
  if (!isSandbox && isTest) return { kind: 'test', reason: 'a test order on the live side' };
  const price = billing?.purchase?.checkout ?? order;
  return event(keyOf(type, refund), order.id, {
    status: isChargeback(refund) ? 'chargeback' : statusIn(ORDER_HOOKS, type),
    reference: billing?.transaction?.external_id ?? hook.custom_parameters?.reference ?? null,
    captureRef: billing?.transaction?.id ?? order.invoice_id ?? null,
    amount: readAmount(price.amount, price.currency),
    merchantAccount: billing?.settings?.project_id ?? null,
    reason: refundReason(type, refund),
  });
}

/** A verified webhook about money whose shape does not fit: what it names is told all the same. */
export function unreadableHook(type: string, body: Buffer): CallbackEvent | null {
  const text = body.toString('utf8');
  const reference =
    wordAt(text, 'transaction', 'external_id') ??
    wordAt(text, 'custom_parameters', 'reference') ??
    wordAt(text, 'billing', 'transaction', 'external_id');
  const about = { reference: reference ?? null, captureRef: wordAt(text, 'transaction', 'id') ?? null };
  return unreadableEvent(about, statusIn({ ...PAYMENT_HOOKS, ...ORDER_HOOKS }, type), `Xsolla sent ${type}`, body);
}

/** A chargeback comes as a refund does, and both may be told of one transaction. */
function keyOf(type: string, refund: Static<typeof RefundDetails> | undefined): string {
  return isChargeback(refund) ? `${type}:chargeback` : type;
}

function event(kind: string, id: string, report: Omit<PaymentReport, 'providerRef'>): HookReading {
  return { kind: 'event', dedupKey: `${kind}:${id}`, report: { ...report, providerRef: null } };
}

function isDryRun(transaction: Static<typeof Transaction>): boolean {
  return transaction.dry_run === true || transaction.dry_run === '1' || transaction.dry_run === 'true';
}

function isChargeback(refund: Static<typeof RefundDetails> | undefined): boolean {
  return refund?.code === CHARGEBACK_CODE;
}

function refundReason(type: string, refund: Static<typeof RefundDetails> | undefined): string {
  return capped([type, refund?.code && `code ${refund.code}`, refund?.reason].filter(Boolean).join(' '));
}
