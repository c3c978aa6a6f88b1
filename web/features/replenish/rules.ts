// When a make-up payment is counted down, and when its page is over.
import type { ReplenishInfo } from '#contracts/replenish.ts';
import { DAY_SECONDS, MINUTE_MS } from '#kernel/time.ts';

/** @source specification section 4: "only when valid_time is positive and below 86400 s" */
const COUNTED_SECONDS = DAY_SECONDS;

export function isCountedDown(validSeconds: number): boolean {
  return validSeconds > 0 && validSeconds < COUNTED_SECONDS;
}

/** The page expires when the countdown ends; what has begun to be paid may be finished. */
export function isPageOver({ state }: Pick<ReplenishInfo, 'state'>, hasRunOut: boolean): boolean {
  return state === 'expired' || (state === 'open' && hasRunOut);
}

/** @source specification section 4: "After a replenish payment the account is unblocked within 15 minutes" */
const PROMISE_MS = 15 * MINUTE_MS;

export function promisedAt(paidAt: number): number {
  return paidAt + PROMISE_MS;
}
