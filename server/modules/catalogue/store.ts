// SQL of what is left: the counters of a player's account and the stock, in one round trip.
import type { GameId, PlayerId } from '#kernel/ids.ts';
import { type Queryable, query } from '#server/platform/database/db.ts';

/**
 * Products whose first-purchase bonus is not to be had: another order took it. One that the unpaid order of this
 * character holds is still theirs, because that order can be paid another way.
 */
export async function readUsedBonuses(
  db: Queryable,
  input: {
    playerId: PlayerId;
    gameId: GameId;
    products: readonly { product_id: string; season: string }[];
    receiver: { client_id: string; server_id: string; area_id: string; role_id: string };
  },
): Promise<string[]> {
  const rows = await query<{ product_id: string }>(
    db,
    'first_bonus_read',
    `with held as materialized (select * from held_bonuses($1, $2, $4::jsonb)),
       back as materialized (select has_carried_uses($1) as has)
     select p.product_id from jsonb_to_recordset($3::jsonb) as p(product_id text, season text) cross join back
     left join player_counters($1, $2) c on c.product_id = p.product_id and c.subject = 'first'
       and c.period = p.season and c.used > 0
     where (c.used is not null or (back.has and carried_uses($1, $2, p.product_id, 'first', p.season) > 0))
       and not exists (select from held h where h.product_id = p.product_id and h.season = p.season)`,
    [input.playerId, input.gameId, JSON.stringify(input.products), JSON.stringify(input.receiver)],
  );
  return rows.map(({ product_id }) => product_id);
}

/**
 * First-purchase bonuses that orders of a player's account hold, used up or gave back, the newest first, for an operator:
 * of a game account those of all its brands.
 */
export function listFirstBonuses(
  db: Queryable,
  playerId: PlayerId,
  limit: number,
): Promise<{ game: string; product: string; season: string; order: string; state: 'held' | 'used' | 'released' }[]> {
  return query(
    db,
    'first_bonus_list',
    `select game_id as game, product_id as product, period as season, billing_no as "order", state from reservation
     where account_id = account_of($1) and kind = 'bonus' order by billing_no desc limit $2`,
    [playerId, limit],
  );
}

/** `next_at`: when the current window of a "N within D days" limit ends, database time; null without days. */
export function readLimits(
  db: Queryable,
  input: {
    playerId: PlayerId;
    gameId: GameId;
    timeZone: string;
    products: readonly { product_id: string; days: number | null; subject: string }[];
  },
): Promise<{ product_id: string; used: number; next_at: Date | null; stock_left: number | null }[]> {
  return query(
    db,
    'limits_read',
    `with back as materialized (select has_carried_uses($1) as has)
     select p.product_id, coalesce(c.used, 0) + case when back.has
       then carried_uses($1, $2, p.product_id, p.subject, limit_period(p.days, $3, now()))::integer
         else 0 end as used, limit_period_end(p.days, $3, now()) as next_at, (s.total - s.used) as stock_left
     from jsonb_to_recordset($4::jsonb) as p(product_id text, days integer, subject text) cross join back
     left join player_counters($1, $2) c on c.product_id = p.product_id and c.subject = p.subject
       and c.period = limit_period(p.days, $3, now())
     left join product_stock s on s.game_id = $2 and s.product_id = p.product_id`,
    [input.playerId, input.gameId, input.timeZone, JSON.stringify(input.products)],
  );
}
