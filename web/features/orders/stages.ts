// What an order looks like: which face the result shows, which chip the history, which points
// of the delivery line are lit.
import { BILLING_STATUS } from '#contracts/errors.ts';
import type { BillingInfo, OrderStage } from '#contracts/orders.ts';

/**
 * Faces of the result popup. `delivering` and `review` are the Pending of the specification after the money came in.
 */
export type Face = 'pending' | 'declined' | 'delivering' | 'review' | 'success' | 'fail' | 'refund';

/**
 * How the player came to see an order: its page stands in a window, there is none, it was begun
 * earlier, or they are back from it.
 */
export type Begun = 'window' | 'none' | 'earlier' | 'back';

const FACES: Record<OrderStage, Face> = {
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
export function faceOf({ stage, is_declined }: Pick<BillingInfo, 'stage' | 'is_declined'>): Face {
  return stage === 'unpaid' && is_declined ? 'declined' : FACES[stage];
}

/** The tone of a stage's chip in the history; the word is the message `order.stage_<stage>`. */
export const TONES: Record<OrderStage, 'ok' | 'wait' | 'bad' | 'plain'> = {
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

/** Whether nothing more happens to the order by itself, so that polling stops. */
export function isFinal(stage: OrderStage): boolean {
  return ['delivered', 'refunded', 'failed', 'expired', 'cancelled'].includes(stage);
}

/**
 * Whether the simple answer asks for the full check. @source specification section 4: "A simple check returning success
 * or fail triggers a full check"
 */
export function needsFullCheck(order: Pick<BillingInfo, 'status'>): boolean {
  return order.status === BILLING_STATUS.success || order.status === BILLING_STATUS.fail;
}

export type DeliveryPoint = { name: 'paid' | 'delivering' | 'delivered'; state: 'done' | 'now' | 'todo'; at: number };

/**
 * The delivery line: paid, delivering, delivered, each with its time (epoch ms, 0 when not yet), or null where there is
 * nothing to deliver: before the payment, and for orders that failed or went back.
 */
export function deliveryLine(order: BillingInfo): DeliveryPoint[] | null {
  const face = faceOf(order);
  if (face !== 'delivering' && face !== 'success' && face !== 'review') return null;
  const isDelivered = order.stage === 'delivered';
  return [
    { name: 'paid', state: 'done', at: order.paid_at },
    { name: 'delivering', state: isDelivered ? 'done' : 'now', at: order.delivering_at },
    { name: 'delivered', state: isDelivered ? 'done' : 'todo', at: order.delivered_at },
  ];
}
