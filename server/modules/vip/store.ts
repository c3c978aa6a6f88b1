// All SQL of points and of the coupons of levels, by the functions of the database (sql/).
import type { BrandKey, PlayerId } from '#kernel/ids.ts';
import type { LevelCoupon } from '#server/modules/configuration/service.ts';
import { type Queryable, query, toJsonb } from '#server/platform/database/db.ts';

export type LevelCouponRow = {
  id: string;
  code: string;
  state: 'claimable' | 'claimed' | 'locked';
  valid_from: Date;
  valid_end: Date;
};

/** level_coupons and claim_level_coupon read these fields of a coupon. */
const toFacts = (coupon: LevelCoupon) => ({
  id: coupon.id,
  type: coupon.type,
  need_points: coupon.needPoints,
  days: coupon.days,
  name: coupon.name,
  discount_rate: coupon.rate,
  min_spend: coupon.minSpend,
  games: coupon.games,
  products: coupon.products,
});

export async function readPoints(db: Queryable, playerId: PlayerId): Promise<number> {
  const [row] = await query<{ points: number }>(db, 'points_read', 'select player_points($1) as points', [playerId]);
  return row?.points ?? 0;
}

/** Every coupon of the brand's levels as it stands for one player now. */
export function listLevelCoupons(
  db: Queryable,
  input: { playerId: PlayerId; timeZone: string; coupons: readonly LevelCoupon[] },
): Promise<LevelCouponRow[]> {
  return query<LevelCouponRow>(db, 'level_coupon_list', 'select * from level_coupons($1, $2, $3)', [
    input.playerId,
    input.timeZone,
    toJsonb(input.coupons.map(toFacts)),
  ]);
}

/** True when the player has it now, from this call or an earlier one of its period. */
export async function claimLevelCoupon(
  db: Queryable,
  input: { playerId: PlayerId; brandKey: BrandKey; timeZone: string; coupon: LevelCoupon },
): Promise<boolean> {
  const [row] = await query<{ done: boolean }>(
    db,
    'level_coupon_claim',
    'select claim_level_coupon($1, $2, $3, $4) as done',
    [input.playerId, input.brandKey, input.timeZone, toJsonb(toFacts(input.coupon))],
  );
  return row?.done === true;
}

/** @returns the points that are there then; null when so many cannot be taken */
export async function operatePoints(db: Queryable, playerId: PlayerId, points: number): Promise<number | null> {
  const [row] = await query<{ points: number | null }>(
    db,
    'points_operate',
    'select operate_points($1, $2) as points',
    [playerId, points],
  );
  return row?.points ?? null;
}

export type PointsEntry = {
  kind: 'delivered' | 'refunded' | 'chargeback' | 'operator';
  billing_no: string;
  points: number;
  created_at: Date;
};

/** The newest first. */
export function listPoints(db: Queryable, playerId: PlayerId, limit: number): Promise<PointsEntry[]> {
  return query<PointsEntry>(
    db,
    'points_list',
    `select kind, billing_no, points, created_at from points_entry where player_id = $1
     order by created_at desc, billing_no desc, entry_no desc limit $2`,
    [playerId, limit],
  );
}
