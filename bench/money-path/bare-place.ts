// The yardstick: the database function place_order alone, by as many connections as there are
// players, in the shop's own database.
import { randomUUID } from 'node:crypto';
import { ulid } from 'ulid';
import type { BillingNo, PlayerId } from '#kernel/ids.ts';
import { type PlaceInput, placeOrder } from '#server/modules/orders/store.ts';
import { type Db, query } from '#server/platform/database/db.ts';

/** Our choice: more than any machine of this kind places in the seconds given, so that no player comes up twice. */
const PLAYERS_A_SECOND = 6000;

/**
 * @param db with at least `connections` connections
 * @param like the input of a real order, of which only player and number are changed
 * @returns orders a second
 */
export async function measureBarePlace(
  db: Db,
  options: { connections: number; seconds: number; like: PlaceInput },
): Promise<number> {
  const players = await makeCharacters(db, options.seconds * PLAYERS_A_SECOND, options.like);
  const started = performance.now();
  let placed = 0;
  const work = async (): Promise<void> => {
    while (performance.now() - started < options.seconds * 1000) {
      const playerId = players.pop();
      if (!playerId) throw new Error('the database was faster than there are players prepared');
      const outcome = await placeOrder(db, {
        ...options.like,
        player_id: playerId,
        billing_no: ulid() as BillingNo,
        idempotency_key: randomUUID(),
      });
      if (outcome.outcome !== 'placed') throw new Error(`place_order answered ${outcome.outcome}`);
      placed += 1;
    }
  };
  await Promise.all(Array.from({ length: options.connections }, work));
  return placed / ((performance.now() - started) / 1000);
}

async function makeCharacters(db: Db, count: number, like: PlaceInput): Promise<PlayerId[]> {
  const rows = await query<{ player_id: PlayerId }>(
    db,
    'bench_characters',
    `with made as (
       insert into player (player_id, brand_key, suid, username)
         select gen_random_uuid(), 'bench', 'bench', 'bench' from generate_series(1, $1) returning player_id
     )
     insert into player_role (player_id, client_id, server_id, area_id, role_id, name, level, server_name)
       select player_id, $2, $3, $4, $5, 'Bench', 1, 'Bench' from made returning player_id`,
    [count, like.sold.client_id, like.sold.server_id, like.sold.area_id, like.sold.role_id],
  );
  return rows.map((row) => row.player_id);
}

/** The place input of the newest order, as the server sent it: read back from the rows that it became. */
export async function readLikeness(db: Db): Promise<PlaceInput> {
  const [row] = await query<{ input: PlaceInput }>(
    db,
    'bench_likeness',
    `select jsonb_build_object('player_id', o.player_id, 'billing_no', o.billing_no,
       'idempotency_key', null, 'fingerprint', 'bench',
       'sold', jsonb_build_object('brand_key', o.brand_key, 'game_id', o.game_id, 'client_id', o.client_id,
         'product_id', o.product_id,
         'server_id', o.server_id, 'area_id', o.area_id, 'role_id', o.role_id, 'suid', o.suid, 'username', o.username,
         'product', o.product, 'region', o.region, 'country', o.country, 'language', o.language,
         -- What an order does not keep (kept_payer_rules) was asked for nothing.
         'payer_rules', '{"real_name": false, "asks_age": false, "age_caps": null}'::jsonb || o.payer_rules),
       'amount_minor', o.amount_minor, 'currency', o.currency, 'provider', a.provider, 'channel_key', a.channel_key,
       'channel_name', a.channel_name, 'channel_id', a.channel_id, 'expires_in', '3600 seconds',
       'payable_for', '3600 seconds',
       'time_zone', 'Etc/UTC', 'limit', null, 'has_stock', false, 'coupon', null, 'tender', null, 'must_be_new', false,
       'must_notify', false, 'max_per_minute', 1000, 'max_open', 1000) as input
     from orders o join payment_attempt a using (player_id, billing_no) where o.state = 'delivered'
     order by o.billing_no desc limit 1`,
  );
  if (!row) throw new Error('no order was placed yet');
  return row.input;
}
