// All SQL of offers outside the functions in sql/, and of placing an order, which takes them as it takes coupons.
import type { Texts } from '#contracts/files.ts';
import type { BrandKey, GameId, PlayerId } from '#kernel/ids.ts';
import type { Currency } from '#kernel/money.ts';
import { type Queryable, callFunction, query, toJsonb } from '#server/platform/database/db.ts';

/** An offer of a file in one of its runs, as open_offers reads it. Prices are minor units by currency. */
export type OfferRun = {
  readonly run: string;
  readonly times: number;
  readonly game_id: GameId;
  readonly product_id: string;
  readonly name: Texts;
  readonly prices: Readonly<Record<string, number>>;
  readonly valid_from: string;
  readonly valid_end: string;
  readonly after: { readonly products: readonly string[]; readonly minutes: number } | null;
};

export type OpenOfferRow = { code: string; name: Texts; product_id: string; valid_end: Date; price_minor: number };

/**
 * The offers that one player could order by now, priced as place_order would.
 * @param asked.amounts minor units of `currency` that the products of the game cost without an offer
 */
export function listOpenOffers(
  db: Queryable,
  asked: {
    playerId: PlayerId;
    brandKey: BrandKey;
    gameId: GameId;
    runs: readonly OfferRun[];
    amounts: Readonly<Record<string, number>>;
    currency: Currency;
    receiver: { client_id: string; server_id: string; area_id: string; role_id: string } | null;
  },
): Promise<OpenOfferRow[]> {
  return query<OpenOfferRow>(
    db,
    'offers_open',
    `select * from (
       select o.code, o.name, o.products[1] as product_id, o.valid_end,
         coupon_price(o, $2, $3, o.products[1], $6::jsonb, ($5::jsonb ->> o.products[1])::bigint, $7) as price_minor
       from (
         select * from open_offers($1, $2, $4)
         union all
         select (h.c).* from held_coupons($1) h cross join lateral (select (h.c).*) c
         where c.prices is not null and c.source not like 'file %'
           and c.valid_end > now() and c.state in ('free', 'taken')
       ) o
     ) priced where price_minor is not null`,
    [
      asked.playerId,
      asked.brandKey,
      asked.gameId,
      toJsonb(asked.runs),
      toJsonb(asked.amounts),
      asked.receiver && toJsonb(asked.receiver),
      asked.currency,
    ],
  );
}

/** Makes the row that an order takes; false when the offer is not open for this player under this code. */
export function takeOffer(
  db: Queryable,
  input: { playerId: PlayerId; brandKey: BrandKey; run: OfferRun; code: string },
): Promise<boolean> {
  return callFunction(db, 'take_offer', {
    player_id: input.playerId,
    brand_key: input.brandKey,
    offer: input.run,
    code: input.code,
  });
}

/** The page says then that the offer is the player's own. */
export const NO_NAME: Texts = { en: '' };

export type PersonalOffer = {
  readonly playerId: PlayerId;
  readonly brandKey: BrandKey;
  readonly code: string;
  readonly name: Texts;
  readonly gameId: GameId;
  readonly productId: string;
  /** Minor units by currency. */
  readonly prices: Readonly<Record<string, number>>;
  /** Epoch milliseconds. */
  readonly until: number;
  /** Says who gave it and why, for support. */
  readonly source: string;
};

/**
 * Gives an offer to one player. `same`: it was given before on the same terms, `other`: on others, which stay. `over`:
 * its end has passed, and it was not given before.
 */
export async function givePersonalOffer(
  db: Queryable,
  offer: PersonalOffer,
  isAhead = true,
): Promise<'given' | 'same' | 'other' | 'over'> {
  const params = [
    offer.playerId,
    offer.code,
    offer.brandKey,
    toJsonb(offer.name),
    toJsonb(offer.prices),
    offer.gameId,
    offer.productId,
    new Date(offer.until).toISOString(),
  ];
  if (isAhead) {
    const given = await query(
      db,
      'offer_give',
      `insert into coupon (player_id, code, brand_key, name, prices, games, products, valid_end, source)
       values ($1, $2, $3, $4, $5, array[$6], array[$7], $8, $9) on conflict do nothing returning code`,
      [...params, offer.source.slice(0, 200)],
    );
    if (given.length > 0) return 'given';
  }
  const [row] = await query<{ is_same: boolean }>(
    db,
    'offer_given',
    `select brand_key = $3 and name = $4::jsonb and prices = $5::jsonb and games = array[$6] and products = array[$7]
       and valid_end = $8 as is_same from coupon where player_id = $1 and code = $2`,
    params,
  );
  if (!row) return 'over';
  return row.is_same ? 'same' : 'other';
}

export type GivenOffer = {
  player_id: PlayerId; code: string; name: Texts; prices: Record<string, number>; game_id: string; product_id: string; valid_from: Date;
  valid_end: Date; state: 'free' | 'taken' | 'void'; billing_no: string | null; order_state: string | null; source: string; created_at: Date;
}; /* a row a line */ // prettier-ignore

/** Offers that were given or ordered by, the newest first. @param filter.run those of one run or offer of a file */
export function listGivenOffers(
  db: Queryable,
  filter: { playerId?: PlayerId; gameId?: string; offer?: string },
  limit: number,
): Promise<GivenOffer[]> {
  return query<GivenOffer>(
    db,
    'offers_given',
    `select c.player_id, c.code, c.name, c.prices, c.games[1] as game_id, c.products[1] as product_id, c.valid_from,
       c.valid_end, c.state, c.billing_no, o.state as order_state, c.source, c.created_at
     from coupon c left join orders o on o.player_id = c.player_id and o.billing_no = c.billing_no
     where c.prices is not null and ($1::uuid is null or c.player_id = $1) and ($2::text is null or c.games = array[$2])
       and ($3::text is null or starts_with(c.code, 'offer:' || $3 || ':') or starts_with(c.code, 'offer:' || $3 || '.')
         or c.code = 'offer:' || $3)
     order by c.created_at desc, c.code limit $4`,
    [filter.playerId ?? null, filter.gameId ?? null, filter.offer ?? null, limit],
  );
}

/** How many rows of each offer of a file were ordered by, by what became of the order. */
export function countTaken(db: Queryable): Promise<{ offer: string; taken: number; delivered: number }[]> {
  return query(
    db,
    'offers_count',
    // "file emberfall/flash.2026-11-23" is one run of emberfall/flash.
    `select split_part(substr(c.source, 6), '.', 1) as offer, count(c.billing_no)::integer as taken,
       count(o.billing_no) filter (where o.state = 'delivered')::integer as delivered
     from coupon c left join orders o on o.player_id = c.player_id and o.billing_no = c.billing_no
     where c.prices is not null and c.source like 'file %' group by 1`,
    [],
  );
}
