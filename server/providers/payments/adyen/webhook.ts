// Adyen's standard webhooks on the wire: what is signed, and what each event means to us. Pure: no calls, no clock.
import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import Type, { type Static } from 'typebox';
import type { CallbackEvent, PaymentStatus } from '#server/modules/payments/provider.ts';
import { capped, reader } from '#server/providers/payments/kit/json.ts';
import { readAmount } from './amounts.ts';
import { Amount } from './wire.ts';

const Text = Type.Optional(Type.String());

/** @source github.com/Adyen/adyen-node-api-library, NotificationRequestItem */
const Item = Type.Object({
  eventCode: Type.String({ minLength: 1, maxLength: 64 }),
  success: Type.Union([Type.Literal('true'), Type.Literal('false')]),
  pspReference: Type.String({ minLength: 1, maxLength: 256 }),
  originalReference: Text,
  merchantAccountCode: Text,
  merchantReference: Text,
  amount: Amount,
  reason: Text,
  additionalData: Type.Optional(Type.Object({ hmacSignature: Text })),
});
const Notification = Type.Object({
  live: Type.Union([Type.Literal('true'), Type.Literal('false')]),
  notificationItems: Type.Array(Type.Object({ NotificationRequestItem: Item }), { minItems: 1, maxItems: 100 }),
});

export type WebhookItem = Static<typeof Item>;

const readNotification = reader(Notification);

/** The items of a notification and which side they are of; null when it is none. Nothing is verified yet. */
export function readWebhook(text: string): { isLive: boolean; items: readonly WebhookItem[] } | null {
  const notification = readNotification(text);
  if (!notification) return null;
  const items = notification.notificationItems.map((one) => one.NotificationRequestItem);
  return { isLive: notification.live === 'true', items };
}

/**
 * Adyen signs this text of an item: eight values joined by colons, missing ones empty, nothing escaped. `reason`,
 * `live` and all of additionalData are NOT signed.
 * @source github.com/Adyen/adyen-node-api-library, HmacValidator
 */
export function signedText(item: WebhookItem): string {
  return [
    item.pspReference,
    item.originalReference ?? '',
    item.merchantAccountCode ?? '',
    item.merchantReference ?? '',
    item.amount?.value ?? '',
    item.amount?.currency ?? '',
    item.eventCode,
    item.success,
  ].join(':');
}

/** HMAC-SHA256 in base64. @param key the hex digits of the Customer Area, decoded */
export function sign(text: string, key: KeyObject): string {
  return createHmac('sha256', key).update(text, 'utf8').digest('base64');
}

/**
 * Returns true when `signature` fits under one of the keys, in constant time; a wrong length is false. No key, no
 * belief.
 */
export function isSignature(signature: string | undefined, text: string, keys: readonly KeyObject[]): boolean {
  const given = Buffer.from(signature ?? '', 'base64');
  // Every key is tried, so that the time taken does not tell which one fitted.
  const fits = keys.filter((key) => {
    const wanted = Buffer.from(sign(text, key), 'base64');
    return wanted.length === given.length && timingSafeEqual(wanted, given);
  });
  return fits.length > 0;
}

export function isSigned(item: WebhookItem, keys: readonly KeyObject[]): boolean {
  return isSignature(item.additionalData?.hmacSignature, signedText(item), keys);
}

type Meaning = { readonly yes: PaymentStatus | null; readonly no: PaymentStatus | null };
const same = (status: PaymentStatus | null): Meaning => ({ yes: status, no: status });

/**
 * Maps an event to our status when it succeeded and when it did not; null is of no interest. A refused AUTHORISATION is
 * no end: the player may try again on the same link. A cancelled authorisation gives the money back. CAPTURE_FAILED
 * takes away what AUTHORISATION had promised, which to us is the same as a chargeback.
 * @source docs.adyen.com webhook event codes. UNSURE: SECOND_CHARGEBACK and TECHNICAL_CANCEL are from memory
 */
const EVENTS: Readonly<Record<string, Meaning>> = {
  AUTHORISATION: { yes: 'paid', no: 'declined' },
  PENDING: same('pending'),
  OFFER_CLOSED: same('pending'),
  EXPIRE: same('pending'),
  CANCELLATION: { yes: 'refunded', no: null },
  TECHNICAL_CANCEL: { yes: 'refunded', no: null },
  CANCEL_OR_REFUND: { yes: 'refunded', no: 'refund_failed' },
  REFUND: { yes: 'refunded', no: 'refund_failed' },
  REFUND_FAILED: same('refund_failed'),
  REFUNDED_REVERSED: same('refund_failed'),
  CAPTURE: same(null),
  CAPTURE_FAILED: same('chargeback'),
  CHARGEBACK: same('chargeback'),
  SECOND_CHARGEBACK: same('chargeback'),
  CHARGEBACK_REVERSED: same(null),
  NOTIFICATION_OF_CHARGEBACK: same(null),
  REPORT_AVAILABLE: same(null),
};

/** A verified item as an event of ours; null when it is of no interest, as are events nobody knows. */
export function reportItem(item: WebhookItem): CallbackEvent | null {
  const isSuccess = item.success === 'true';
  const meaning = Object.hasOwn(EVENTS, item.eventCode) ? EVENTS[item.eventCode] : undefined;
  const status = (isSuccess ? meaning?.yes : meaning?.no) ?? null;
  if (status === null) return null;
  // A refund needs the reference of the payment: its own when it was authorised, the original one of all that follows.
  const captureRef = status === 'paid' ? item.pspReference : (item.originalReference ?? null);
  return {
    dedupKey: `${item.eventCode}:${item.pspReference}:${item.success}`,
    report: {
      status,
      reference: item.merchantReference ?? null,
      providerRef: null,
      captureRef: captureRef === '' ? null : captureRef,
      amount: readAmount(item.amount?.value, item.amount?.currency),
      merchantAccount: item.merchantAccountCode ?? null,
      reason: capped([item.eventCode, item.reason].filter(Boolean).join(' ')),
    },
  };
}
