// What a refund's answer is worth: it is done when what went back is what was asked.
import type { Money } from '#kernel/money.ts';
import type { RefundOutcome, RefundedPayment } from '#server/modules/payments/provider.ts';
import { capped } from './json.ts';

export function isSameMoney(one: Money | null, other: Money): boolean {
  return one !== null && one.amountMinor === other.amountMinor && one.currency === other.currency;
}

/** What was paid in all, before parts of it went back. */
export const paidOf = (payment: RefundedPayment): Money => payment.paidAmount ?? payment.amount;

/** Whether parts of it went back before, so that this refund is of the rest. */
export const isOfRest = (payment: RefundedPayment): boolean => !isSameMoney(paidOf(payment), payment.amount);

/**
 * The outcome of a refund whose answer names `told`; null where it names no amount, for then it speaks of what our call
 * asked for. Another amount than the one asked for is for manual review.
 */
export function refundOfAmount(outcome: RefundOutcome, told: Money | null, asked: Money): RefundOutcome {
  if (told === null || isSameMoney(told, asked) || (outcome.status !== 'done' && outcome.status !== 'pending'))
    return outcome;
  const [there, ours] = [told, asked].map(({ amountMinor, currency }) => `${amountMinor} ${currency} (minor units)`);
  return { ...outcome, status: 'failed', reason: capped(`the refund there is of ${there}, not of ${ours}`) };
}
