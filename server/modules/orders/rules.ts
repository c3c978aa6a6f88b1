// What the states of an order mean, to the browser and to time. The transitions themselves are in migrations/*-money-functions.sql.
import { BILLING_STATUS } from '#contracts/errors.ts';
import type { OrderStage } from '#contracts/orders.ts';

export type OrderState =
  | 'created' | 'pending' | 'paid' | 'delivering' | 'delivered' | 'review' | 'refund_due' | 'refunded' | 'failed' | 'expired' | 'cancelled'; // prettier-ignore

/**
 * Billing status and drawn stage of each state. Paid but undelivered is Pending: success means the goods are in the game.
 * @source RELIABILITY section 3, "To the browser"
 */
const FACES: Record<OrderState, { status: number; stage: OrderStage }> = {
  created: { status: BILLING_STATUS.pending, stage: 'unpaid' },
  pending: { status: BILLING_STATUS.pending, stage: 'unpaid' },
  paid: { status: BILLING_STATUS.pending, stage: 'paid' },
  delivering: { status: BILLING_STATUS.pending, stage: 'delivering' },
  delivered: { status: BILLING_STATUS.success, stage: 'delivered' },
  review: { status: BILLING_STATUS.pending, stage: 'review' },
  refund_due: { status: BILLING_STATUS.pending, stage: 'refunding' },
  refunded: { status: BILLING_STATUS.fail, stage: 'refunded' },
  failed: { status: BILLING_STATUS.fail, stage: 'failed' },
  expired: { status: BILLING_STATUS.fail, stage: 'expired' },
  cancelled: { status: BILLING_STATUS.fail, stage: 'cancelled' },
};

export function faceOf(state: OrderState): { status: number; stage: OrderStage } {
  return FACES[state];
}

export function isUnpaid(state: OrderState): boolean {
  return FACES[state].stage === 'unpaid';
}

/**
 * Seconds before the n-th retry of a grant; hourly afterwards, given up after 48 hours.
 * @source DESIGN section 5, "Game server contract": 0, 2, 5, 15 s, then 1, 2, 5, 10, 30 min, hourly to 48 h
 */
const RETRY_SECONDS = [0, 2, 5, 15, 60, 120, 300, 600, 1800] as const;
const RETRY_TRIES = RETRY_SECONDS.length + 48;

/**
 * @param tries calls made so far, at least 1
 * @param jitter 0 to 1: spreads retries over a tenth of the wait, so that an outage does not end in a stampede
 * @returns seconds to wait, or null when the order belongs on the dead-letter list
 */
export function retryInSeconds(tries: number, jitter: number): number | null {
  if (tries > RETRY_TRIES) return null;
  const wait = RETRY_SECONDS[tries - 1] ?? 3600;
  return wait * (1 + jitter * 0.1);
}

/**
 * The query ladder: seconds until the next question to the provider after `asked` questions; null when it ends.
 * @source RELIABILITY section 5: 30 s, 60 s, 5 x 5 min, hourly to 24 h, then daily to 7 d (the first 30 s is set when the attempt is made)
 */
export function nextQueryInSeconds(asked: number): number | null {
  if (asked <= 1) return 60;
  if (asked <= 6) return 300;
  if (asked <= 30) return 3600;
  return asked <= 36 ? 86_400 : null;
}
