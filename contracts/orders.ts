// Declares an order as its player sees it: the poll of the result popup, and the history on My.
import Type, { type Static } from 'typebox';
import { Text, params } from './envelope.ts';
import { Picture } from './pictures.ts';
import { route } from './route.ts';

/**
 * The stage of an order, in words the page can draw. Finer than billing status: "paid, delivering" is still Pending
 * there.
 */
export const OrderStage = Type.Enum([
  'unpaid',
  'paid',
  'delivering',
  'delivered',
  'review',
  'refunding',
  'refunded',
  'failed',
  'expired',
  'cancelled',
]);
export type OrderStage = Static<typeof OrderStage>;

/**
 * The kind of an order in stage `review`, without an operator's detail. `payment`: unclear what was paid, perhaps
 * nothing. `received`: paid, to be decided by a person. `delivery`: paid, and the game has not confirmed. `refund`: a
 * part went back. `dispute`: the bank or the provider took the money back.
 */
export const ReviewKind = Type.Enum(['payment', 'received', 'delivery', 'refund', 'dispute']);
export type ReviewKind = Static<typeof ReviewKind>;

/** Why money goes back: the game could not hand the goods over, or the payment came too late for them. */
export const RefundKind = Type.Enum(['game_declined', 'too_late']);
export type RefundKind = Static<typeof RefundKind>;

/**
 * `status`: 1 delivered, -1 pending, -2 failed. Times are epoch milliseconds, 0 when not yet.
 * @source specification section 3, "Billing info"
 */
export const BillingInfo = Type.Object({
  billing_no: Type.String(),
  status: Type.Integer(),
  user_name: Type.String(),
  game_name: Type.String(),
  game_server_name: Type.String(),
  role_name: Type.String(),
  product_name: Type.String(),
  product_id: Type.String(),
  /** Only of a make-up payment: nothing is delivered to a character, the account is unblocked. */
  replenish_id: Type.Optional(Type.String()),
  client_id: Type.String(),
  art: Type.String(),
  /** Today's picture of the product; left out where it has none, or is gone. */
  picture: Type.Optional(Picture),
  /** How many were bought, and how many of the same came on top; 0 for goods that are not counted. */
  amount: Type.Integer(),
  bonus_amount: Type.Integer(),
  /** Everything that came on top: "+128 Crystals, +1 Skin shard"; empty when nothing did. */
  bonus: Type.String(),
  /** Of a bundle, all that is in it: "1,000 Crystals, 20 Keys". It stands in the place of `bonus`. */
  content: Type.Optional(Type.String()),
  /**
   * The units that the bonus of the first purchase added, in the same form; empty without it. It is not part of
   * `bonus`.
   */
  first_bonus: Type.String(),
  /** Empty without one. */
  promo_code: Type.String(),
  /** The discount of coupon and promo code, as a player reads it; empty for none. */
  off_shown: Type.String(),
  price_shown: Type.String(),
  /** The coupon or offer that the order was placed with; its name is empty where it has none. */
  reduction: Type.Optional(Type.Object({ kind: Type.Enum(['coupon', 'offer']), name: Type.String() })),
  channel_name: Type.String(),
  stage: OrderStage,
  /** Only in stage `review`; left out where the kind is not known, and by older servers. */
  review_kind: Type.Optional(ReviewKind),
  /** Only in the stages `refunding` and `refunded`; left out for every other reason, and by older servers. */
  refund_kind: Type.Optional(RefundKind),
  /** Pay link while unpaid, else empty. */
  url: Type.String(),
  /** The last try on the provider's page was refused; the page can be paid again. */
  is_declined: Type.Boolean(),
  /** When the player last left the provider's page by its way to cancel, while unpaid; says nothing about money. */
  left_at: Type.Optional(Type.Integer()),
  /** In refusals because of an unpaid order: if nothing is paid, it is closed by then. Epoch milliseconds. */
  closes_at: Type.Optional(Type.Integer()),
  created_at: Type.Integer(),
  paid_at: Type.Integer(),
  delivering_at: Type.Integer(),
  delivered_at: Type.Integer(),
  refunded_at: Type.Integer(),
});
export type BillingInfo = Static<typeof BillingInfo>;

export const orderRoutes = {
  getOrderInfo: route({
    path: '/api/pay/getOrderInfo',
    kind: 'read',
    summary: 'One order of the player; simple=1 answers from what is known, without it the provider may be asked',
    access: 'player',
    input: params({ billing_no: Text(32), simple: Type.Optional(Text(5)) }),
    output: BillingInfo,
  }),
  cancel: route({
    path: '/api/orders/cancel',
    kind: 'change',
    summary: 'Closes an unpaid order at its provider and here; answers with the order as it stands then',
    access: 'player',
    isAtBackupHost: true,
    input: params({ billing_no: Text(32) }),
    output: BillingInfo,
  }),
  history: route({
    path: '/api/orders/history',
    kind: 'read',
    summary: "The player's orders of this brand, newest first",
    access: 'player',
    input: params({ before: Type.Optional(Text(32)), limit: Type.Optional(Text(3)) }),
    output: Type.Object({
      list: Type.Array(BillingInfo),
      next: Type.String(),
      /**
       * Old orders that were read from a replica are as they were so long ago; not there when it is next to nothing.
       */
      behind_seconds: Type.Optional(Type.Integer()),
    }),
  }),
};

/** A player's earlier purchases in one game: the last one, and the products to look out for again. */
export const Returning = Type.Object({
  product_id: Type.String(),
  /** As the channel list names it, and what the player reads. */
  channel_key: Type.String(),
  channel_name: Type.String(),
  /** Products delivered lately, the last first. */
  bought: Type.Array(Type.String()),
});
export type Returning = Static<typeof Returning>;
