// Port: where the coupons of VIP levels come from. They are claimed like others, and exist only from then on.
import type { PlayerId } from '#kernel/ids.ts';
import type { Brand, LevelCoupon } from '#server/modules/configuration/service.ts';

export type ClaimableCoupon = {
  readonly coupon: LevelCoupon;
  /** The same that the coupon has when it was claimed. */
  readonly code: string;
  readonly valid_from: Date;
  readonly valid_end: Date;
};

export type LevelCoupons = {
  listClaimable(brand: Brand, playerId: PlayerId): Promise<ClaimableCoupon[]>;
  /** False for a code that is not of a level, or cannot be had now. */
  claim(brand: Brand, playerId: PlayerId, code: string): Promise<boolean>;
};
