// Defines the states of an order, their meaning to the browser and to time, and the transitions between them. The
// functions that move orders are in sql/.
import { BILLING_STATUS } from '#contracts/errors.ts';
import type { OrderStage, RefundKind, ReviewKind } from '#contracts/orders.ts';

export const ORDER_STATES = [
  'created',
  'pending',
  'paid',
  'delivering',
  'delivered',
  'review',
  'refund_due',
  'refunded',
  'failed',
  'expired',
  'cancelled',
] as const;

export type OrderState = (typeof ORDER_STATES)[number];

/**
 * Billing status and drawn stage of each state. Paid but undelivered is Pending: success
 * means the goods are in the game.
 * @source RELIABILITY section 3, "To the browser"
 */
const PUBLIC_STATUS: Record<OrderState, { status: number; stage: OrderStage }> = {
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

/**
 * Kind of each reason that the functions in sql/ write, by its first word: behind a colon stand words of the game.
 * @source docs/operating.md, "Why an order is in review"
 */
const REVIEW_KINDS: Readonly<Record<string, ReviewKind>> = {
  payment_mismatch: 'payment',
  payment_unreadable: 'payment',
  late_payment_without_stock: 'received',
  game_declined: 'delivery',
  delivery_gave_up: 'delivery',
  partial_refund: 'refund',
  chargeback: 'dispute',
};

/** The gift that a prepaid card adds to the goods it was issued for. */
export const CARD_EXTRA = 'card_extra';

/**
 * How many of what the product's amount counts come on top of it. Versions before stored a card's extra without
 * `isCurrency`, which other gifts always have; it was more of the same then as well.
 */
export function bonusAmountOf(gifts: readonly { id: string; count: number; isCurrency?: boolean }[]): number {
  return gifts.reduce((sum, { id, count, isCurrency = id === CARD_EXTRA }) => sum + (isCurrency ? count : 0), 0);
}

/** The parts of an order that its public status follows from. */
type Standing = { state: string; review_reason: string | null; paid_at: Date | null };

/** @returns undefined out of review, and for a reason that is not known: the page stays neutral then */
export function reviewKindOf({ state, review_reason: reason, paid_at: paidAt }: Standing): ReviewKind | undefined {
  if (state !== 'review' || reason === null) return undefined;
  const word = reason.split(':', 1)[0] ?? '';
  const kind = Object.hasOwn(REVIEW_KINDS, word) ? REVIEW_KINDS[word] : undefined;
  // The reason stays when a payment in full comes after the unclear one.
  return kind === 'payment' && paidAt !== null ? 'received' : kind;
}

const REFUND_KINDS: Readonly<Record<string, RefundKind>> = {
  game_declined: 'game_declined',
  late_payment_without_stock: 'too_late',
};

/** Why the money goes back. @returns undefined of other orders, and where a person or the bank decided it */
function refundKindOf({ state, review_reason: reason }: Standing): RefundKind | undefined {
  if ((state !== 'refund_due' && state !== 'refunded') || reason === null) return undefined;
  const word = reason.split(':', 1)[0] ?? '';
  return Object.hasOwn(REFUND_KINDS, word) ? REFUND_KINDS[word] : undefined;
}

/** The public status of an order, as a player sees it. */
type PublicStatus = { status: number; stage: OrderStage; review_kind?: ReviewKind; refund_kind?: RefundKind };

export function publicStatusOf(order: Standing & { state: OrderState }): PublicStatus {
  const review = reviewKindOf(order);
  const refund = refundKindOf(order);
  return {
    ...PUBLIC_STATUS[order.state],
    ...(review && { review_kind: review }),
    ...(refund && { refund_kind: refund }),
  };
}

export function isUnpaid(state: OrderState): boolean {
  return PUBLIC_STATUS[state].stage === 'unpaid';
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
 * Payment status polling: seconds until the next poll after `asked` polls; null when it ends. 30 s (set
 * when the attempt is made), 60 s, 5 x 5 min, hourly to 24 h, then daily to 7 d.
 * @source docs/decisions/0021
 */
export function nextPollInSeconds(asked: number): number | null {
  if (asked <= 1) return 60;
  if (asked <= 6) return 300;
  if (asked <= 30) return 3600;
  return asked <= 36 ? 86_400 : null;
}

/**
 * Seconds until the provider is asked again after it did not answer: a tenth of the
 * payment's age, from 30 s to an hour.
 * Our choice: a player who has just approved waits half a minute, and an outage of days is an hourly question.
 */
export function pollAgainInSeconds(ageSeconds: number): number {
  return Math.min(3600, Math.max(30, ageSeconds / 10));
}

/**
 * Seconds until a refund is asked about again after `tries` calls with the same reference; null after
 * a week, then it waits for manual review.
 * Our choice: providers answer most refunds at once and the rest by webhook within days.
 */
export function nextRefundInSeconds(tries: number): number | null {
  const first = [30, 120, 600, 1800][tries - 1];
  if (first !== undefined) return first;
  return tries <= 4 + 7 * 24 ? 3600 : null;
}

/** A change of an order's state: what causes it, and what it does beside. Drawn in ARCHITECTURE.md from this table. */
export type Transition = {
  readonly from: readonly OrderState[];
  readonly to: OrderState;
  readonly by: string;
  readonly does: string;
};

/**
 * All transitions there are. The table order_transition holds the same pairs and the database refuses every other; a
 * test compares the two, walks each pair through the functions, and compares the drawing.
 */
export const TRANSITIONS: readonly Transition[] = [
  { from: ['created'], to: 'pending', by: 'provider answered create', does: 'pay link kept' },
  { from: ['created', 'pending'], to: 'paid', by: 'verified equal payment', does: 'delivery queued, booked as owed' },
  {
    from: ['created', 'pending', 'failed', 'expired', 'cancelled', 'review'],
    to: 'delivering',
    by: 'the same, received by a process with room to deliver',
    does: 'paid and leased in one step',
  },
  {
    from: ['created', 'pending'],
    to: 'failed',
    by: 'final no of the provider, or no of the game before payment',
    does: 'reservations released',
  },
  { from: ['created', 'pending'], to: 'expired', by: 'not paid in time', does: 'reservations released' },
  { from: ['created', 'pending'], to: 'cancelled', by: 'closed before payment', does: 'reservations released' },
  { from: ['review'], to: 'cancelled', by: 'person: no money of it is here', does: 'reservations released' },
  {
    from: ['created', 'pending', 'failed', 'expired', 'cancelled'],
    to: 'review',
    by: 'payment that differs, cannot be read, or was gone (in part) when first reported',
    does: 'booked as owed back, not booked, or booked in and out',
  },
  {
    from: ['failed', 'expired', 'cancelled', 'review'],
    to: 'paid',
    by: 'late payment, or one that can be read at last',
    does: 'reserved again, delivery queued',
  },
  {
    from: ['failed', 'expired', 'cancelled'],
    to: 'refund_due',
    by: 'late payment whose goods cannot be had any more',
    does: 'refund queued',
  },
  { from: ['paid'], to: 'delivering', by: 'delivery leased', does: 'about to call the game' },
  {
    from: ['paid', 'delivering', 'review'],
    to: 'delivered',
    by: 'receipt of the game',
    does: 'booked as revenue, reservations used',
  },
  {
    from: ['paid', 'delivering'],
    to: 'review',
    by: 'game declined or gave no answer for 48 hours, partial refund, chargeback',
    does: 'a person decides, or it is refunded by itself',
  },
  { from: ['review'], to: 'delivering', by: 'person: deliver', does: 'same key again' },
  {
    from: ['paid', 'delivering', 'review'],
    to: 'refund_due',
    by: "person: refund, or the game's policy after it declined",
    does: 'refund queued, delivery stopped',
  },
  {
    from: ['review', 'refund_due', 'delivered', 'paid', 'delivering'],
    to: 'refunded',
    by: 'money went back',
    does: 'booked, undelivered reservations released',
  },
];

/** Closed without money; late money may still come. Equal to the function is_lapsed. */
export const LAPSED_STATES: readonly OrderState[] = ['failed', 'expired', 'cancelled'];

/** Paid, and the goods may still go out. Equal to the function is_deliverable. */
export const DELIVERABLE_STATES: readonly OrderState[] = ['paid', 'delivering', 'review'];
