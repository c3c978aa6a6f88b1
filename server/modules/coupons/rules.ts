// When a coupon may be used, and in which tab it stands. Pure; whether it is free is decided by the database alone.
import type { UseCategory } from '#contracts/coupons.ts';
import type { Brand, Game, Product } from '#server/modules/configuration/service.ts';

export type CouponStanding = {
  readonly state: 'claimable' | 'free' | 'taken' | 'void';
  readonly isUsed: boolean;
  readonly isBegun: boolean;
  readonly isEnded: boolean;
};

/**
 * Returns true when coupons can be used here at all. The channel's own word (`open_coupon`) comes on top of it.
 * @source specification section 5: "only when the user is in the VIP version, the chosen channel has open_coupon
 *   and the goods support coupons"
 */
export function takesCoupons(brand: Brand, game: Game, product: Product): boolean {
  return brand.file.isVip && game.file.isCouponOpen && product.file.isCoupon === true;
}

/**
 * The tab of a coupon; null for one that was withdrawn. What an unpaid order holds, or is not valid yet,
 * is there but cannot be used.
 * @source specification section 4, "Coupons": claim, avail, lock ("usable_no"), history (used or expired)
 */
export function categoryOf({ state, isUsed, isBegun, isEnded }: CouponStanding): UseCategory | null {
  if (state === 'void') return null;
  if (state === 'taken') return isUsed ? 'history' : 'lock';
  if (isEnded) return 'history';
  if (!isBegun) return 'lock';
  return state === 'claimable' ? 'claim' : 'avail';
}
