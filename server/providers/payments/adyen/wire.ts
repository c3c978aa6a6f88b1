// Adyen's payment links on the wire: shapes, and what their statuses mean to us. Pure: no calls, no
// clock. Webhooks are in webhook.ts.
import { DAY_MS } from '#kernel/time.ts';
import Type, { type Static } from 'typebox';
import type { CreatePayment, PaymentReport, PaymentStatus, RefundOutcome } from '#server/modules/payments/provider.ts';
import { capped, reader } from '#server/providers/payments/kit/json.ts';
import { isCertainRefusal } from '#server/providers/payments/kit/certainty.ts';
import { statusIn } from '#server/providers/payments/kit/report.ts';
import { readAmount, type WireAmount } from './amounts.ts';

const Id = Type.String({ minLength: 1, maxLength: 256 });
const Text = Type.Optional(Type.String());
/** `value` is text here: see parse. */
export const Amount = Type.Optional(Type.Object({ currency: Text, value: Text }));

/** @source github.com/Adyen/adyen-openapi CheckoutService-v72.json, PaymentLinkResponse */
const PaymentLink = Type.Object({
  id: Id,
  status: Text,
  url: Type.Optional(Type.String({ maxLength: 4000 })),
  reference: Text,
  merchantAccount: Text,
  amount: Amount,
});

/** @source CheckoutService-v72.json, ServiceError */
const Fault = Type.Object({ status: Text, errorCode: Text, message: Text, errorType: Text });

/** @source CheckoutService-v72.json, PaymentRefundResponse */
const Refund = Type.Object({ pspReference: Id, status: Type.String() });

export const readLink = reader(PaymentLink);
const readRefundBody = reader(Refund);
const readFaultBody = reader(Fault);

/** One sentence of an error answer; null when the body is not Adyen's. */
export function readFault(text: string): string | null {
  const body = readFaultBody(text);
  return body ? capped([body.errorCode, body.message].filter(Boolean).join(' ') || 'no reason') : null;
}

/** @source CheckoutService-v72.json, PaymentLinkRequest: expiresAt at most 70 days ahead */
const MAX_LIFE_MS = 70 * DAY_MS;

/**
 * Body of POST /paymentLinks.
 * @param now epoch milliseconds
 * @source CheckoutService-v72.json, PaymentLinkRequest. UNSURE: the shortest shopperReference,
 *   3 characters, is from memory
 */
export function writeLink(input: CreatePayment, merchantAccount: string, amount: WireAmount, now: number): string {
  const expiresAt = new Date(Math.min(input.expiresAt, now + MAX_LIFE_MS)).toISOString().replace(/\.\d{3}Z$/, 'Z');
  return JSON.stringify({
    merchantAccount,
    reference: input.reference,
    amount,
    returnUrl: input.returnUrl,
    expiresAt,
    reusable: false,
    description: input.productName.slice(0, 280),
    ...(input.playerRef.length >= 3 && input.playerRef.length <= 256 ? { shopperReference: input.playerRef } : {}),
    ...(/^[A-Z]{2}$/.test(input.country) ? { countryCode: input.country } : {}),
    ...(/^[a-z]{2}(?:-[A-Z]{2})?$/.test(input.locale) ? { shopperLocale: input.locale } : {}),
    ...(input.channelId === '' ? {} : { allowedPaymentMethods: [input.channelId] }),
  });
}

/**
 * A refused try leaves the link active, so only these end a payment.
 * @source CheckoutService-v72.json, PaymentLinkResponse.status
 */
const LINK_STATUS: Readonly<Record<string, PaymentStatus>> = {
  active: 'pending',
  paymentPending: 'pending',
  completed: 'paid',
  paid: 'paid',
  expired: 'expired',
};

export const linkStatus = (word: string | undefined): PaymentStatus => statusIn(LINK_STATUS, word);

/** Reports the payment of a link. The PSP reference a refund needs comes with the webhook only. */
export function reportLink(link: Static<typeof PaymentLink>): PaymentReport {
  return {
    status: linkStatus(link.status),
    reference: link.reference ?? null,
    providerRef: link.id,
    captureRef: null,
    amount: readAmount(link.amount?.value, link.amount?.currency),
    merchantAccount: link.merchantAccount ?? null,
    reason: capped(link.status ?? 'no status'),
  };
}

/**
 * Body of POST /payments/{pspReference}/refunds. The reference is the payment's own, so that
 * the webhook about the refund names the payment, whichever of the two Adyen echoes.
 * @source CheckoutService-v72.json, PaymentRefundRequest
 */
export function writeRefund(reference: string, merchantAccount: string, amount: WireAmount): string {
  return JSON.stringify({ merchantAccount, amount, reference, merchantRefundReason: 'OTHER' });
}

/** `received` is all Adyen ever says at once; the outcome comes as the webhook REFUND. */
export function readRefund(status: number, text: string): RefundOutcome {
  const refund = status === 200 || status === 201 ? readRefundBody(text) : null;
  if (refund) return { status: 'pending', refundProviderRef: refund.pspReference, reason: capped(refund.status) };
  const reason = isCertainRefusal(status) ? readFault(text) : null;
  if (reason !== null) return { status: 'failed', refundProviderRef: null, reason: `${status}: ${reason}` };
  return { status: 'unknown', refundProviderRef: null, reason: `Adyen answered ${status}` };
}
