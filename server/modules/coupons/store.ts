// All SQL of coupons outside the money functions, which take and free them (orders/sql/).
import type { BrandKey, PlayerId } from '#kernel/ids.ts';
import type { Texts } from '#contracts/files.ts';
import type { Money } from '#kernel/money.ts';
import { type Queryable, query, toJsonb } from '#server/platform/database/db.ts';

export type CouponRow = {
  code: string; name: Texts; discount_rate: string; min_spend: Readonly<Record<string, number>>; games: string[]; products: string[];
  valid_from: Date; valid_end: Date; state: 'claimable' | 'free' | 'taken' | 'void'; billing_no: string | null;
  is_used: boolean; used_at: Date | null; is_begun: boolean; is_ended: boolean; is_of_lost_level: boolean;
}; /* a row a line */ // prettier-ignore

/** `price_minor`: what the goods of the question cost with it; null where it does not work for them. */
export type PricedCouponRow = CouponRow & { price_minor: number | null };

/** Goods at their price without a coupon, and who is to receive them; null: any character. */
export type PricedGoods = {
  readonly gameId: string;
  readonly productId: string;
  readonly price: Money;
  readonly receiver: { client_id: string; server_id: string; area_id: string; role_id: string } | null;
};

const COLUMNS = `c.code, c.name, c.discount_rate, c.min_spend, c.games, c.products, c.valid_from, c.valid_end, c.state, c.billing_no,
  c.is_used, c.used_at, c.valid_from <= now() as is_begun, c.valid_end <= now() as is_ended,
  case when c.need_points is null then false else c.need_points > player_points(c.player_id) end as is_of_lost_level`;
const FROM = `from (select (h.c).*, h.c as whole, h.is_used, h.used_at from held_coupons($1) h) c`;

/** Prices through the same functions as reserve_goods, which places the order. */
const PRICE = 'coupon_price(c.whole, $2, $3, $5, $6::jsonb, $7::bigint, $8)';
const paramsOf = ({ productId, receiver, price }: PricedGoods) => [
  productId,
  receiver && toJsonb(receiver),
  price.amountMinor,
  price.currency,
];

/**
 * A player's coupons for one game of a brand, or all, the best first; what is long over is left out by `limit`.
 * @param goods what `price_minor` is for; null: nothing is priced
 */
export function listCoupons(
  db: Queryable,
  input: { playerId: PlayerId; brandKey: BrandKey; gameId: string | null; goods: PricedGoods | null; limit: number },
): Promise<PricedCouponRow[]> {
  const { goods } = input;
  return query<PricedCouponRow>(
    db,
    'coupon_list',
    `select ${COLUMNS}, case when $5::text is null then null else ${PRICE} end as price_minor ${FROM}
     where c.brand_key = $2 and ($3::text is null or c.games = '{}' or $3 = any(c.games))
       and c.state <> 'void' and c.prices is null
     order by c.valid_end <= now(), c.discount_rate, c.valid_end, c.code limit $4`,
    [
      input.playerId,
      input.brandKey,
      input.gameId,
      input.limit,
      ...(goods ? paramsOf(goods) : [null, null, null, null]),
    ],
  );
}

/** Everything a player ever had, the newest first, for an operator's eyes. */
export function listPlayerCoupons(db: Queryable, playerId: PlayerId): Promise<(CouponRow & { source: string })[]> {
  return query<CouponRow & { source: string }>(
    db,
    'coupon_list_all',
    `select ${COLUMNS}, c.source ${FROM} where c.prices is null order by c.created_at desc, c.code limit 500`,
    [playerId],
  );
}

/** Minor units that the goods cost with this coupon of the player's; null: it does not work for them. */
export async function priceWithCoupon(
  db: Queryable,
  input: { playerId: PlayerId; brandKey: BrandKey; code: string; goods: PricedGoods },
): Promise<number | null> {
  const { goods } = input;
  const [row] = await query<{ price_minor: number | null }>(
    db,
    'coupon_price',
    `select ${PRICE} as price_minor ${FROM}
     where c.brand_key = $2 and c.code = $4 and c.prices is null`,
    [input.playerId, input.brandKey, goods.gameId, input.code, ...paramsOf(goods)],
  );
  return row?.price_minor ?? null;
}

/** True when it was there to be claimed, or is the player's already: a second tap is no failure. */
export async function claimCoupon(
  db: Queryable,
  input: { playerId: PlayerId; brandKey: BrandKey; code: string },
): Promise<boolean> {
  const rows = await query(
    db,
    'coupon_claim',
    `update coupon set state = case when state = 'claimable' then 'free' else state end
     where player_id = $1 and brand_key = $2 and code = $3 and state in ('claimable', 'free')
       and valid_end > now() returning code`,
    [input.playerId, input.brandKey, input.code],
  );
  return rows.length > 0;
}

export type NewCoupon = {
  player_id: PlayerId; code: string; brand_key: BrandKey; name: Texts; discount_rate: string; min_spend: Readonly<Record<string, number>>;
  games: readonly string[]; products: readonly string[]; valid_from: string; valid_end: string; state: 'claimable' | 'free'; source: string; issue_key: string | null;
}; /* a row a line */ // prettier-ignore

/**
 * Gives coupons; those whose `issue_key` the player has had already are left out. Times are ISO 8601.
 * @returns the codes that were given
 */
export async function insertCoupons(db: Queryable, coupons: readonly NewCoupon[]): Promise<string[]> {
  const rows = await query<{ code: string }>(
    db,
    'coupon_insert',
    `insert into coupon (player_id, code, brand_key, name, discount_rate, min_spend, games, products, valid_from,
       valid_end, state, source, issue_key)
     select player_id, code, brand_key, name, discount_rate, min_spend, games, products, valid_from, valid_end, state,
       source, issue_key
     from jsonb_to_recordset($1::jsonb) as c(player_id uuid, code text, brand_key text, name jsonb,
       discount_rate numeric, min_spend jsonb, games text[], products text[], valid_from timestamptz,
       valid_end timestamptz, state text, source text, issue_key text)
     -- In one order, whoever calls: two calls that give the same coupons would wait for each other.
     order by player_id, issue_key, code
     on conflict do nothing returning code`,
    [toJsonb(coupons)],
  );
  return rows.map(({ code }) => code);
}

/** Withdraws a coupon that no order holds; false when there is none such. */
export async function voidCoupon(db: Queryable, playerId: PlayerId, code: string): Promise<boolean> {
  const rows = await query(
    db,
    'coupon_void',
    `update coupon set state = 'void'
     where player_id = $1 and code = $2 and state in ('claimable', 'free') returning code`,
    [playerId, code],
  );
  return rows.length > 0;
}
