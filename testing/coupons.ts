// Coupons for tests: one for a player, a fifth off for a day unless told otherwise.
import type { BrandKey, PlayerId } from '#kernel/ids.ts';
import { type CouponGift, giveCoupons } from '#server/modules/coupons/service.ts';
import type { Queryable } from '#server/platform/database/db.ts';

const DAY = 86_400_000;

export async function giveTestCoupon(
  db: Queryable,
  playerId: PlayerId,
  over: Partial<CouponGift> = {},
): Promise<string> {
  const [code] = await giveCoupons(db, [
    {
      playerId,
      brandKey: 'watt' as BrandKey,
      name: { en: 'A fifth off', ja: '2割引' },
      discountRate: '0.8',
      validFrom: Date.now() - DAY,
      validEnd: Date.now() + DAY,
      source: 'test',
      ...over,
    },
  ]);
  if (!code) throw new Error('no coupon was given');
  return code;
}
