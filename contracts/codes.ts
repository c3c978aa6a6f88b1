// Promo codes: what the shop answers about one.

/**
 * Why a code does not work for an order: there is none such; not now; as often as it may be used, by all or by this
 * player; for a first purchase; for other games, goods, regions or currencies; the price is too small; not beside the
 * coupon.
 */
export const PROMO_REASONS = [
  'unknown',
  'not_begun',
  'over',
  'used_up',
  'used_by_player',
  'not_first',
  'not_here',
  'too_small',
  'with_coupon',
] as const;
