// Judges the answer to a refund: it is done when the refunded amount is the asked one.
import type { Money } from '#kernel/money.ts';
import type { RefundOutcome, RefundedPayment } from '#server/modules/payments/provider.ts';
import { capped } from './json.ts';

export function isSameMoney(one: Money | null, other: Money): boolean {
  return one !== null && one.amountMinor === other.amountMinor && one.currency === other.currency;
}

/** The whole amount that was paid, before parts of it went back. */
export const paidOf = (payment: RefundedPayment): Money => payment.paidAmount ?? payment.amount;

/** Returns true when parts of it went back before, so that this refund is of the rest. */
export const isOfRest = (payment: RefundedPayment): boolean => !isSameMoney(paidOf(payment), payment.amount);

/**
 * The outcome of a refund whose answer names `told`; null where it names no amount, for then it speaks of what our call
 * asked for. Another amount than the one asked for is for manual review.
 */
export function refundOfAmount(outcome: RefundOutcome, returned: Money | null, asked: Money): RefundOutcome {
  if (returned === null || isSameMoney(returned, asked) || (outcome.status !== 'done' && outcome.status !== 'pending'))
    return outcome;
  const [there, ours] = [returned, asked].map(
    ({ amountMinor, currency }) => `${amountMinor} ${currency} (minor units)`,
  );
  return { ...outcome, status: 'failed', reason: capped(`the refund there is of ${there}, not of ${ours}`) };
}
