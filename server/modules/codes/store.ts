// All SQL of promo codes and creators outside the money functions, which take and free uses (orders/sql/).
import type { BrandKey, PlayerId } from '#kernel/ids.ts';
import type { Currency, Money } from '#kernel/money.ts';
import { type Queryable, query, toJsonb } from '#server/platform/database/db.ts';
import type { PromoRefusal, PromoTerms } from './types.ts';

/** Goods at their price, what is to pay for them before the code, and who is to receive them; null: any character. */
export type PromoGoods = {
  readonly gameId: string;
  readonly productId: string;
  readonly price: Money;
  readonly dueMinor: number;
  readonly couponCode: string | null;
  readonly receiver: { client_id: string; server_id: string; area_id: string; role_id: string } | null;
};

/** Minor units that the goods cost with the code, or why it does not work: what the order itself asks. */
export async function priceWithPromo(
  db: Queryable,
  input: { playerId: PlayerId; brandKey: BrandKey; promo: PromoTerms; goods: PromoGoods },
): Promise<{ amount_minor: number } | { reason: PromoRefusal }> {
  const { goods } = input;
  const [row] = await query<{ price: { amount_minor: number } | { reason: PromoRefusal } }>(
    db,
    'promo_price',
    'select promo_price($1, $2, $3::jsonb, $4, $5, $6::jsonb, $7, $8, $9, $10) as price',
    [
      input.playerId,
      input.brandKey,
      toJsonb(input.promo),
      goods.gameId,
      goods.productId,
      goods.receiver && toJsonb(goods.receiver),
      goods.couponCode,
      goods.price.amountMinor,
      goods.dueMinor,
      goods.price.currency,
    ],
  );
  if (!row) throw new Error('promo_price answered nothing');
  return row.price;
}

export type PromoUse = { brand_key: string; code: string; used: number };

/** How often codes are used now: orders that hold one, or used it up. */
export function listPromoUses(db: Queryable, brandKey: BrandKey): Promise<PromoUse[]> {
  return query<PromoUse>(
    db,
    'promo_uses_list',
    'select brand_key, code, used from promo_code where brand_key = $1 order by code',
    [brandKey],
  );
}

export type PromoOrder = {
  billing_no: string;
  code: string;
  creator: string | null;
  state: string;
  amount_minor: number;
  discount_minor: number;
  currency: Currency;
  created_at: Date;
};

/** A player's orders with a promo code, the newest first, for an operator's eyes. */
export function listPromoOrders(db: Queryable, playerId: PlayerId, limit: number): Promise<PromoOrder[]> {
  return query<PromoOrder>(
    db,
    'promo_orders',
    `select billing_no, promo_code as code, creator, state, amount_minor, discount_minor, currency, created_at
     from orders
     where player_id = $1 and promo_code is not null order by billing_no desc limit $2`,
    [playerId, limit],
  );
}

export type CreatorSum = {
  brand_key: string;
  creator: string;
  period: string;
  currency: string;
  orders: number;
  earned_minor: number;
  taken_back_minor: number;
  share_minor: number;
};

/**
 * Sums the earnings of creators by month of a zone's calendar and currency. A refund stands in the month in which it
 * came.
 * @param input.from first moment, `until` first moment after; null: open
 */
export function listCreatorSums(
  db: Queryable,
  input: { brandKey: BrandKey; timeZone: string; creator: string | null; from: Date | null; until: Date | null },
): Promise<CreatorSum[]> {
  return query<CreatorSum>(
    db,
    'creator_sums',
    `select brand_key, creator, to_char(created_at at time zone $2, 'YYYY-MM') as period, currency,
       (count(*) filter (where kind = 'delivered'))::integer as orders,
       coalesce(sum(amount_minor) filter (where kind = 'delivered'), 0)::bigint as earned_minor,
       coalesce(sum(amount_minor) filter (where kind <> 'delivered'), 0)::bigint as taken_back_minor,
       sum(amount_minor)::bigint as share_minor
     from creator_entry
     where brand_key = $1 and ($3::text is null or creator = $3) and ($4::timestamptz is null or created_at >= $4)
       and ($5::timestamptz is null or created_at < $5)
     group by 1, 2, 3, 4 order by creator, period, currency`,
    [input.brandKey, input.timeZone, input.creator, input.from, input.until],
  );
}
