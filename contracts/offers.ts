// Offers: products at another price for a player, until a moment.
import Type, { type Static } from 'typebox';
import { ClientId, Text, params } from './envelope.ts';
import { route } from './route.ts';

/**
 * timed: for everybody in its window; after: opened by a purchase; personal: given to this player by the game or by an
 * operator.
 */
const OFFER_KINDS = ['personal', 'after', 'timed'] as const;

/** All codes of offers begin with this, and no code of a coupon does. */
export const OFFER_PREFIX = 'offer:';

/** An open offer. Amounts are as a player reads them, but `price_minor`: minor units of `currency`. */
export const Offer = Type.Object({
  /** A pay call sends this as `offer_code`, with `price_minor`. */
  code: Type.String(),
  kind: Type.Enum([...OFFER_KINDS]),
  /** Empty for a personal one that the game has not named. */
  name: Type.String(),
  product_id: Type.String(),
  price: Type.String(),
  price_minor: Type.Integer(),
  price_shown: Type.String(),
  currency: Type.String(),
  /** The price of the product without the offer. */
  was_shown: Type.String(),
  /** The discount, in whole percent rounded down. */
  off_percent: Type.Integer(),
  /** Epoch milliseconds; 0 for one without an end. */
  ends_at: Type.Integer(),
});
export type Offer = Static<typeof Offer>;

export const offerRoutes = {
  list: route({
    path: '/api/offers/list',
    kind: 'read',
    summary:
      'The open offers of a game: for everybody, and with a session those of the player; one a product, the best',
    access: 'anyone',
    input: params({
      client_id: ClientId,
      domain_area: Type.Optional(Text(16)),
      country: Type.Optional(Text(8)),
      /** The character: decides only about an offer that an unpaid order holds. */
      server_id: Type.Optional(Text(64)),
      areaId: Type.Optional(Text(64)),
      role_id: Type.Optional(Text(64)),
    }),
    /** `now`: epoch milliseconds of the server, that a countdown runs by. */
    output: Type.Object({ now: Type.Integer(), list: Type.Array(Offer) }),
  }),
};
