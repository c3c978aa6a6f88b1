// Coupons of a player, and what a product costs with one.
import Type, { type Static } from 'typebox';
import { ClientId, NoContent, Text, params } from './envelope.ts';
import { route } from './route.ts';

/** The tabs of the coupon list. @source specification section 3, "Coupon"; section 4, "Coupons" */
export const USE_CATEGORIES = ['claim', 'avail', 'lock', 'history'] as const;
export type UseCategory = (typeof USE_CATEGORIES)[number];

/** Goods that a coupon can be used on. `gp_id`: of their game, as in the list of games. */
export const CouponGoods = Type.Object({
  gp_id: Type.String(),
  product_id: Type.String(),
  name: Type.String(),
  price_shown: Type.String(),
});
export type CouponGoods = Static<typeof CouponGoods>;

/**
 * `name` is a JSON map of language to name, as the specification says; `name_shown` is the one for this request.
 * `discount_rate` is the part of the price that is paid ("0.8" is a fifth off), so the lowest is the best.
 * Times are epoch milliseconds, 0 when not yet; `time_zone` is the IANA zone of the brand's calendar.
 * @source specification section 3, "Coupon"
 */
export const Coupon = Type.Object({
  code: Type.String(),
  name: Type.String(),
  name_shown: Type.String(),
  use_category: Type.Enum([...USE_CATEGORIES]),
  is_used: Type.Boolean(),
  used_time: Type.Integer(),
  valid_start_time: Type.Integer(),
  valid_end_time: Type.Integer(),
  time_zone: Type.String(),
  discount_rate: Type.String(),
  /** The unpaid order that holds it, or the one that used it; else empty. */
  billing_no: Type.String(),
  /** Goods it is for; empty: all that take coupons. */
  products: Type.Array(Type.String()),
  /** Without `client_id` in the request, what it can be used on, the cheapest of each game first; else empty. */
  goods: Type.Array(CouponGoods),
  /** Names of the games it is for; empty: all of the brand. */
  games_shown: Type.Array(Type.String()),
  /** Least price by currency, as a player reads it; empty: none. */
  min_spend_shown: Type.Record(Type.String(), Type.String()),
  /**
   * With `product_id` in the request: whether an order of it could have this coupon now, which is also so while the
   * unpaid order of that product holds it. Without: always false.
   */
  is_applicable: Type.Boolean(),
});
export type Coupon = Static<typeof Coupon>;

/** The character decides only about a coupon that an unpaid order holds: that order is one character's. */
const placeKeys = {
  domain_area: Type.Optional(Text(16)),
  country: Type.Optional(Text(8)),
  server_id: Type.Optional(Text(64)),
  areaId: Type.Optional(Text(64)),
  role_id: Type.Optional(Text(64)),
};

export const couponRoutes = {
  couponList: route({
    path: '/api/coupons/couponList',
    kind: 'read',
    summary: "The player's coupons for a game, or of the whole shop without one, in the named tabs, best first",
    access: 'player',
    input: params({
      ...placeKeys,
      client_id: Type.Optional(ClientId),
      use_category: Text(40),
      product_id: Type.Optional(Text(64)),
    }),
    output: Type.Object({ list: Type.Array(Coupon) }),
  }),
  receiveCoupons: route({
    path: '/api/coupons/receiveCoupons',
    kind: 'change',
    summary: 'Claim one coupon of the tab "claim"; claiming it again answers success and gives no second one',
    access: 'player',
    isAtBackupHost: true,
    input: params({ client_id: Type.Optional(ClientId), code: Text(64) }),
    output: NoContent,
  }),
  price: route({
    path: '/api/pay/calculatePrice',
    kind: 'read',
    summary: 'What a product costs with a coupon, a promo code, or both, and the points it earns',
    access: 'player',
    input: params({
      ...placeKeys,
      client_id: ClientId,
      product_id: Text(64),
      coupon_code: Type.Optional(Text(64)),
      promo_code: Type.Optional(Text(64)),
    }),
    output: Type.Object({
      points: Type.Integer(),
      discountPrice: Type.String(),
      discount_price_shown: Type.String(),
      /** The promo code as the shop writes it, and what it takes off; empty without one, or without a discount. */
      promo_code: Type.String(),
      promo_off_shown: Type.String(),
      /** Is true when one order may use the code and a coupon. */
      goes_with_coupon: Type.Boolean(),
      /** The coupon's discount, as a player reads it and without a minus; empty without one. */
      off_shown: Type.String(),
      /** Minor units of `currency`: what a pay call with them sends as `price_minor`. */
      price_minor: Type.Integer(),
      currency: Type.String(),
    }),
  }),
};
