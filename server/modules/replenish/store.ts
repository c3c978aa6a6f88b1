// All SQL of make-up payments outside the functions of orders that sell them.
import type { BillingNo, BrandKey, GameId, PlayerId, ReplenishId } from '#kernel/ids.ts';
import type { Currency } from '#kernel/money.ts';
import { type Queryable, query } from '#server/platform/database/db.ts';

/** Order columns are those of the order that has it; null while none does. */
export type ReplenishRow = {
  replenish_id: ReplenishId; player_id: PlayerId; brand_key: BrandKey; game_id: GameId; client_id: string; username: string; suid: string;
  amount_minor: number; currency: Currency; state: 'open' | 'taken' | 'closed'; billing_no: BillingNo | null; seconds_left: number;
  expires_at: Date; created_at: Date; reason: string; opened_by: string; reference: string | null;
  order_state: string | null; review_reason: string | null; paid_at: Date | null; delivered_at: Date | null; is_returned: boolean;
}; /* a row a line */ // prettier-ignore

const COLUMNS = `p.replenish_id, p.player_id, p.brand_key, p.game_id, p.client_id, w.username, w.suid, p.amount_minor, p.currency, p.state, p.billing_no,
  ceil(extract(epoch from p.expires_at - now()))::integer as seconds_left, p.expires_at, p.created_at, p.reason, p.opened_by, p.reference,
  o.state as order_state, o.review_reason, o.paid_at, o.delivered_at, coalesce(o.review_reason = 'chargeback', false) as is_returned`;
const FROM = `from replenish p cross join lateral player_names(p.player_id, p.brand_key) w
  left join lateral order_standing(p.player_id, p.billing_no) o on true`;

/** One of a brand, whoever it is for. */
export async function findReplenish(db: Queryable, brandKey: BrandKey, id: ReplenishId): Promise<ReplenishRow | null> {
  const [row] = await query<ReplenishRow>(
    db,
    'replenish_find',
    `select ${COLUMNS} ${FROM} where p.replenish_id = $1 and p.brand_key = $2`,
    [id, brandKey],
  );
  return row ?? null;
}

/** An account's in one game, the newest first. Our choice: twenty are more than anybody should have. */
export function listReplenishOf(
  db: Queryable,
  playerId: PlayerId,
  brandKey: BrandKey,
  gameId: GameId,
): Promise<ReplenishRow[]> {
  return query<ReplenishRow>(
    db,
    'replenish_of_player',
    `select ${COLUMNS} ${FROM} where p.player_id = $1 and p.brand_key = $2 and p.game_id = $3
     order by p.created_at desc limit 20`,
    [playerId, brandKey, gameId],
  );
}

export type NewReplenish = Pick<
  ReplenishRow,
  'replenish_id' | 'player_id' | 'brand_key' | 'game_id' | 'client_id' | 'amount_minor' | 'currency' | 'reason'
> & { opened_by: string; reference: string | null; valid_seconds: number };

/**
 * Opens one; with a reference only once.
 * @returns the one that is there now; null: the reference has another account, amount or currency
 */
export async function openReplenish(db: Queryable, one: NewReplenish): Promise<ReplenishRow | null> {
  await query(
    db,
    'replenish_open',
    `insert into replenish (replenish_id, player_id, brand_key, game_id, client_id, amount_minor, currency, reason,
     opened_by, reference, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, now() + make_interval(secs => $11)) on conflict do nothing`,
    [one.replenish_id, one.player_id, one.brand_key, one.game_id, one.client_id, one.amount_minor, one.currency, one.reason, one.opened_by,
      one.reference, one.valid_seconds] /* grouped as in the statement */, // prettier-ignore
  );
  const [row] = await query<ReplenishRow>(
    db,
    'replenish_opened',
    `select ${COLUMNS} ${FROM} where p.brand_key = $1 and p.game_id = $2
       and case when $3::text is null then p.replenish_id = $4 else p.reference = $3 end`,
    [one.brand_key, one.game_id, one.reference, one.replenish_id],
  );
  const isSame =
    row?.player_id === one.player_id && row.amount_minor === one.amount_minor && row.currency === one.currency;
  return isSame ? row : null;
}

/** Ends one that nobody is paying. @returns the state it is in now; null: there is none */
export async function closeReplenish(
  db: Queryable,
  id: ReplenishId,
): Promise<{ state: ReplenishRow['state']; is_done: boolean } | null> {
  const done = await query(
    db,
    'replenish_close',
    `update replenish set state = 'closed' where replenish_id = $1 and state = 'open' returning replenish_id`,
    [id],
  );
  const [row] = await query<{ state: ReplenishRow['state'] }>(
    db,
    'replenish_state',
    'select state from replenish where replenish_id = $1',
    [id],
  );
  return row ? { state: row.state, is_done: done.length > 0 } : null;
}

/** Newest first. */
export function listReplenish(db: Queryable, brandKey: BrandKey | null, limit: number): Promise<ReplenishRow[]> {
  return query<ReplenishRow>(
    db,
    'replenish_list',
    `select ${COLUMNS} ${FROM} where $1::text is null or p.brand_key = $1 order by p.created_at desc limit $2`,
    [brandKey, limit],
  );
}

/** Paid, not unblocked for longer than `seconds`, and nobody was told: marked as told. Safe anywhere and at once. */
export function takeLateUnblocks(
  db: Queryable,
  seconds: number,
): Promise<{ replenish_id: ReplenishId; billing_no: BillingNo; waiting_seconds: number }[]> {
  return query(
    db,
    'replenish_late',
    `update replenish p set told_late_at = now() from replenish t
       cross join lateral order_standing(t.player_id, t.billing_no) o
     where t.state = 'taken' and t.told_late_at is null and p.replenish_id = t.replenish_id and p.told_late_at is null
       and o.state in ('paid', 'delivering', 'review') and o.delivered_at is null
         and o.paid_at < now() - make_interval(secs => $1)
     returning p.replenish_id, p.billing_no, extract(epoch from now() - o.paid_at)::integer as waiting_seconds`,
    [seconds],
  );
}
