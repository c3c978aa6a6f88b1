// Declares outgoing webhooks. Everything they hold of a player is our own id.
// @source https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
import Type, { type Static } from 'typebox';

/** `webhook.test` is what `refill webhooks test` sends. */
export const WEBHOOK_TYPES = ['order.delivered', 'order.refunded', 'order.chargeback', 'order.review'] as const;
export type WebhookType = (typeof WEBHOOK_TYPES)[number];

const Moment = Type.Union([Type.String({ format: 'date-time' }), Type.Null()]);

/** An order as it was when the event happened. */
const OrderEventData = Type.Object({
  billing_no: Type.String(),
  player_id: Type.String({ description: 'Our own id of the player; the admin API tells more to whoever may know it.' }),
  brand: Type.String(),
  game: Type.String(),
  product_id: Type.String(),
  country: Type.String({ description: 'ISO 3166-1 alpha-2, or a country of your own.' }),
  amount_minor: Type.Integer({ description: 'The price in minor units of `currency`.' }),
  currency: Type.String(),
  refunded_minor: Type.Union([Type.Integer(), Type.Null()], {
    description: 'How much of the price went back so far; null: nothing that is known.',
  }),
  state: Type.String({ description: 'State of the order after the event.' }),
  review_reason: Type.Union([Type.String(), Type.Null()], {
    description: 'Of an order that needs a person: payment_mismatch, game_declined, delivery_gave_up, chargeback, ...',
  }),
  created_at: Moment,
  paid_at: Moment,
  delivered_at: Moment,
  refunded_at: Moment,
});

/** The body of a call. */
export const OrderEvent = Type.Object({
  type: Type.Enum([...WEBHOOK_TYPES]),
  timestamp: Type.String({ format: 'date-time', description: 'When it happened, not when it was sent.' }),
  data: OrderEventData,
});
export type OrderEvent = Static<typeof OrderEvent>;
