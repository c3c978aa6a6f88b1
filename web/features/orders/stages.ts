// The public status of an order: what the result shows, which chip the history, which points
// of the delivery line are lit.
import { BILLING_STATUS } from '#contracts/errors.ts';
import type { BillingInfo, OrderStage } from '#contracts/orders.ts';

/**
 * The public status that the result popup shows. `delivering` and `review` are the specification's Pending too; only
 * `delivering` says that the money came in.
 */
export type PublicStatus = 'pending' | 'declined' | 'delivering' | 'review' | 'success' | 'fail' | 'refund';

/**
 * How the player came to see an order: its page stands in a window, there is none, it was begun
 * earlier, or they are back from it.
 */
export type Begun = 'window' | 'none' | 'earlier' | 'back';

const PUBLIC_STATUS: Record<OrderStage, PublicStatus> = {
  unpaid: 'pending',
  paid: 'delivering',
  delivering: 'delivering',
  delivered: 'success',
  review: 'review',
  refunding: 'refund',
  refunded: 'refund',
  failed: 'fail',
  expired: 'fail',
  cancelled: 'fail',
};

/**
 * An unpaid order whose last try was refused looks like a failure, but it can still be paid, so it is polled on.
 * @source specification section 4, "Billing status: Pending, Success, Fail"
 */
export function publicStatusOf({ stage, is_declined }: Pick<BillingInfo, 'stage' | 'is_declined'>): PublicStatus {
  return stage === 'unpaid' && is_declined ? 'declined' : PUBLIC_STATUS[stage];
}

/**
 * An unpaid order waits for one of these. `starting`: its page may still come; `noPage`: the server has none, for its
 * provider gave no answer; `left`: the player came back by the provider's way to cancel.
 */
export type Waiting = 'starting' | 'noPage' | 'left' | 'payment';

/**
 * @param isAnswered the server has said how it stands, and not the page that placed it
 * @param wentAt the `left_at` that was known when the player last went to the provider's page
 */
export function waitingOf(
  { url, left_at: leftAt = 0 }: Pick<BillingInfo, 'url' | 'left_at'>,
  isAnswered: boolean,
  wentAt: number,
): Waiting {
  if (url === '') return isAnswered ? 'noPage' : 'starting';
  return leftAt > wentAt ? 'left' : 'payment';
}

export type Tone = 'ok' | 'wait' | 'bad' | 'plain';

const TONES: Record<OrderStage, Tone> = {
  unpaid: 'wait',
  paid: 'wait',
  delivering: 'wait',
  delivered: 'ok',
  review: 'wait',
  refunding: 'wait',
  refunded: 'plain',
  failed: 'bad',
  expired: 'plain',
  cancelled: 'plain',
};

/** The tone of an order's chip in the history; its word is in review.ts. */
export function toneOf({ stage, review_kind: kind }: Pick<BillingInfo, 'stage' | 'review_kind'>): Tone {
  return stage === 'review' && kind === 'dispute' ? 'bad' : TONES[stage];
}

/** Returns true when nothing more happens to the order by itself, so that polling stops. */
export function isFinal(stage: OrderStage): boolean {
  return ['delivered', 'refunded', 'failed', 'expired', 'cancelled'].includes(stage);
}

/**
 * Returns true when the simple answer asks for the full check. @source specification section 4: "A simple check
 * returning success or fail triggers a full check"
 */
export function needsFullCheck(order: Pick<BillingInfo, 'status'>): boolean {
  return order.status === BILLING_STATUS.success || order.status === BILLING_STATUS.fail;
}

const DELIVERED_OR_ON_ITS_WAY: ReadonlySet<OrderStage> = new Set(['paid', 'delivering', 'delivered']);

export type DeliveryPoint = { name: 'paid' | 'delivering' | 'delivered'; state: 'done' | 'now' | 'todo'; at: number };

/**
 * The delivery line: paid, delivering, delivered, each with its time (epoch ms, 0 when not yet), or null where nothing
 * is on its way: before the payment, for orders that failed or went back, and in review for another reason than the
 * delivery.
 */
export function deliveryLine(order: BillingInfo): DeliveryPoint[] | null {
  const isOnItsWay =
    order.stage === 'review' ? order.review_kind === 'delivery' : DELIVERED_OR_ON_ITS_WAY.has(order.stage);
  if (!isOnItsWay || order.paid_at === 0) return null;
  const isDelivered = order.stage === 'delivered';
  return [
    { name: 'paid', state: 'done', at: order.paid_at },
    { name: 'delivering', state: isDelivered ? 'done' : 'now', at: order.delivering_at },
    { name: 'delivered', state: isDelivered ? 'done' : 'todo', at: order.delivered_at },
  ];
}
