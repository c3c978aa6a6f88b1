// The VIP programme of a brand, and how far a player has come in it.
import Type, { type Static } from 'typebox';
import { ClientId, Text, params } from './envelope.ts';
import { route } from './route.ts';
import { LEVEL_COUPON_TYPES } from './vip-file.ts';

/** A coupon of a level, as everybody may read it. `name` and `name_shown`, `discount_rate`: as of every coupon. */
export const LevelCouponInfo = Type.Object({
  id: Type.String(),
  type: Type.Enum([...LEVEL_COUPON_TYPES]),
  name: Type.String(),
  name_shown: Type.String(),
  discount_rate: Type.String(),
  /** Days that a permanent one is good after it was claimed; 0 for the others, which end with their week or month. */
  days: Type.Integer(),
  /** Least price by currency, as a player reads it; empty: none. */
  min_spend_shown: Type.Record(Type.String(), Type.String()),
});
export type LevelCouponInfo = Static<typeof LevelCouponInfo>;

export const VipLevelInfo = Type.Object({
  level_id: Type.String(),
  level_name: Type.String(),
  /** Short mark, e.g. "V3". */
  level_show: Type.String(),
  need_points: Type.Integer(),
  coupons_list: Type.Array(LevelCouponInfo),
});
export type VipLevelInfo = Static<typeof VipLevelInfo>;

/** @source specification section 3, "VIP basic info" */
export const VipBasicInfo = Type.Object({
  /** Points for every `coin` of a price, one entry a currency; that of the market is the first. */
  point_to_coin: Type.Array(
    Type.Object({ currency: Type.String(), coin: Type.String(), coin_shown: Type.String(), points: Type.Integer() }),
  ),
  faq_title: Type.String(),
  /** HTML of kernel/safe-html.ts. */
  faq_content: Type.String(),
  /** From the lowest, which needs no points. */
  vip_level_infos: Type.Array(VipLevelInfo),
});
export type VipBasicInfo = Static<typeof VipBasicInfo>;

/**
 * Of a level's coupon for one player now. locked: the points are missing, or the claimed one was withdrawn with them;
 * claimed: had in this period, used or not.
 */
export const LevelCouponState = Type.Object({
  id: Type.String(),
  /** receiveCoupons takes this code; the period is part of it. */
  code: Type.String(),
  state: Type.Enum(['claimable', 'claimed', 'locked']),
  /** Epoch milliseconds: when it ends, or would end if it were claimed now. */
  valid_end_time: Type.Integer(),
});
export type LevelCouponState = Static<typeof LevelCouponState>;

/** @source specification section 3, "VIP info". `level_coupons` is ours. */
export const VipInfo = Type.Object({
  /** `level_id` of the level that the player has. */
  vip_level: Type.String(),
  vip_level_name: Type.String(),
  vip_level_show: Type.String(),
  total_points: Type.Integer(),
  level_coupons: Type.Array(LevelCouponState),
});
export type VipInfo = Static<typeof VipInfo>;

const placeKeys = { client_id: ClientId, domain_area: Type.Optional(Text(16)), country: Type.Optional(Text(8)) };

export const vipRoutes = {
  basicInfo: route({
    path: '/api/coupons/vipBasicInfo',
    kind: 'read',
    summary: 'Levels, what they give, and how points are earned; -1004 where the brand has no VIP programme',
    access: 'anyone',
    input: params({ domain_area: Type.Optional(Text(16)), country: Type.Optional(Text(8)) }),
    output: VipBasicInfo,
  }),
  info: route({
    path: '/api/coupons/vipInfo',
    kind: 'read',
    summary: "The player's points, level, and which coupons of levels can be claimed now",
    access: 'player',
    input: params({}),
    output: VipInfo,
  }),
  productPoints: route({
    path: '/api/pay/productPoints',
    kind: 'read',
    summary: 'Points that the full price of each product earns; 0 where the brand has no VIP programme',
    access: 'anyone',
    input: params({ ...placeKeys, product_id: Type.Optional(Text(64)) }),
    output: Type.Object({ list: Type.Array(Type.Object({ product_id: Type.String(), points: Type.Integer() })) }),
  }),
};
