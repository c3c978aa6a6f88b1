// Airwallex's refunds on the wire. Pure: no calls, no clock.
import Type, { type Static } from 'typebox';
import type { Money } from '#kernel/money.ts';
import type { RefundOutcome } from '#server/modules/payments/provider.ts';
import { capped, reader } from '#server/providers/payments/kit/json.ts';
import { refundOfAmount } from '#server/providers/payments/kit/refund.ts';
import { readAmount } from './amounts.ts';
import { isRefusal, readFault, requestId } from './wire.ts';

const Text = Type.Optional(Type.String());

/** @source npm @airwallex/node-sdk 2.1.0-beta.5, PaymentAcceptanceRefund */
export const Refund = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 128 }),
  request_id: Text,
  payment_intent_id: Text,
  amount: Text,
  currency: Text,
  status: Text,
  metadata: Type.Optional(Type.Object({ reference: Text })),
});
export type Refund = Static<typeof Refund>;

const readOne = reader(Refund);
const readList = reader(Type.Object({ items: Type.Array(Refund) }));

/**
 * Body of POST /pa/refunds/create.
 * @param amount major units
 * @param reference of the payment: webhooks of the refund bring it back
 */
export function writeRefund(intentId: string, refundRef: string, reference: string, amount: number): string {
  return JSON.stringify({
    request_id: requestId('refund', refundRef),
    payment_intent_id: intentId,
    amount,
    reason: 'Order refunded by the merchant',
    metadata: { reference, refund: refundRef },
  });
}

/**
 * @source airwallex.com/docs refunds API. UNSURE: the names are partly from memory; older API
 * versions say SUCCEEDED for SETTLED
 */
const STATUS: Readonly<Record<string, RefundOutcome['status']>> = {
  RECEIVED: 'pending',
  ACCEPTED: 'pending',
  SETTLED: 'done',
  SUCCEEDED: 'done',
  FAILED: 'failed',
};

/** Reads the answer to a create; `failed` only when Airwallex itself says so. */
export function readRefund(status: number, text: string, asked: Money): RefundOutcome {
  const refund = status === 200 || status === 201 ? readOne(text) : null;
  if (refund) return outcomeOf(refund, asked);
  const reason = isRefusal(status, text) && status !== 401 ? readFault(text) : null;
  if (reason !== null) return { status: 'failed', refundProviderRef: null, reason: `${status}: ${reason}` };
  return { status: 'unknown', refundProviderRef: null, reason: `Airwallex answered ${status} to the refund` };
}

/** The refund that was asked for under our key before, out of a list; null when the list does not have it. */
export function findRefund(text: string, refundRef: string, asked: Money): RefundOutcome | null {
  const id = requestId('refund', refundRef);
  const refund = readList(text)?.items.find((one) => one.request_id === id);
  return refund ? outcomeOf(refund, asked) : null;
}

function outcomeOf(refund: Refund, asked: Money): RefundOutcome {
  const known = Object.hasOwn(STATUS, refund.status ?? '') ? STATUS[refund.status ?? ''] : undefined;
  const reason = capped(refund.status ?? 'no status');
  const outcome = { status: known ?? 'unknown', refundProviderRef: refund.id, reason } as const;
  return refundOfAmount(outcome, readAmount(refund.amount, refund.currency), asked);
}
