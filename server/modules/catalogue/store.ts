// SQL of what is left: a player's own counters and the stock, in one round trip.
import type { GameId, PlayerId } from '#kernel/ids.ts';
import { type Queryable, query } from '#server/platform/database/db.ts';

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
    `select p.product_id, coalesce(c.used, 0) as used, limit_period_end(p.days, $3, now()) as next_at, (s.total - s.used) as stock_left
     from jsonb_to_recordset($4::jsonb) as p(product_id text, days integer, subject text)
     left join limit_counter c on c.player_id = $1 and c.game_id = $2 and c.product_id = p.product_id and c.subject = p.subject
       and c.period = limit_period(p.days, $3, now())
     left join product_stock s on s.game_id = $2 and s.product_id = p.product_id`,
    [input.playerId, input.gameId, input.timeZone, JSON.stringify(input.products)],
  );
}
