// SQL of persons who want to be erased, and of erasing them. The functions stand in sql/.
import type { BrandKey, PlayerId } from '#kernel/ids.ts';
import { type Queryable, callFunction, query, toJsonb } from '#server/platform/database/db.ts';

export type EraseWay = { readonly by: 'player' | 'order' | 'session' | 'account'; readonly column: string };

/** Plans one table; see sql/erase_rows.sql. */
export type PlanEntry =
  | { readonly table: string; readonly ways: readonly EraseWay[]; readonly deletes: true }
  | { readonly table: string; readonly ways: readonly EraseWay[]; readonly sets: Readonly<Record<string, string>> };

export type Refusal = { readonly reason: RefusalReason; readonly billing_no: string };
export type RefusalReason =
  | 'open_order'
  | 'money_under_way'
  | 'goods_under_way'
  | 'review'
  | 'refund_due'
  | 'dispute'
  | 'makeup_open'
  | 'balance';

export type EraseAnswer =
  | { readonly outcome: 'erased'; readonly rows: Readonly<Record<string, number>> }
  | { readonly outcome: 'refused'; readonly refusals: readonly Refusal[] }
  | { readonly outcome: 'erased_before'; readonly erased_at: string }
  | { readonly outcome: 'no_player' };

/** In the caller's transaction: all of it, or nothing. @param by for the audit; never a player's name */
export function erasePerson(
  db: Queryable,
  playerId: PlayerId,
  input: { plan: readonly PlanEntry[]; givesUpBalance: boolean; by: string },
): Promise<EraseAnswer> {
  return callFunction(db, 'erase_person', {
    player_id: playerId,
    plan: input.plan,
    gives_up_balance: input.givesUpBalance,
    actor: input.by,
  });
}

export function listRefusals(db: Queryable, playerId: PlayerId, givesUpBalance: boolean): Promise<Refusal[]> {
  return query<Refusal>(db, 'erasure_refusals', 'select * from erasure_refusals($1, $2)', [playerId, givesUpBalance]);
}

export type Erasure = {
  player_id: PlayerId;
  erasure_no: string;
  gives_up_balance: boolean;
  state: 'waiting' | 'done' | 'withdrawn';
  refusals: Refusal[];
  asked_at: Date;
  due_at: Date;
  ended_at: Date | null;
};

const COLUMNS = 'player_id, erasure_no, gives_up_balance, state, refusals, asked_at, due_at, ended_at';

/** A wish of a player; the one that waits already, where there is one. */
export async function askErasure(
  db: Queryable,
  wish: { playerId: PlayerId; erasureNo: string; givesUpBalance: boolean; waitDays: number },
): Promise<Erasure> {
  await query(
    db,
    'erasure_ask',
    `insert into erasure (player_id, erasure_no, gives_up_balance, due_at, next_at)
     values ($1, $2, $3, now() + make_interval(days => $4), now() + make_interval(days => $4))
     on conflict (player_id) where state = 'waiting' do nothing`,
    [wish.playerId, wish.erasureNo, wish.givesUpBalance, wish.waitDays],
  );
  const found = await findLastErasure(db, wish.playerId);
  if (!found) throw new Error('an erasure that was asked for is not there');
  return found;
}

/** The newest wish of a player; one whose player has logged in since is taken back by that. */
export async function findLastErasure(db: Queryable, playerId: PlayerId): Promise<Erasure | null> {
  await query(
    db,
    'erasure_come_back',
    `update erasure e set state = 'withdrawn', ended_at = now()
     where e.player_id = $1 and e.state = 'waiting' and has_come_back(e) returning 1 as done`,
    [playerId],
  );
  const [row] = await query<Erasure>(
    db,
    'erasure_last',
    `select ${COLUMNS} from erasure where player_id = $1 order by asked_at desc limit 1`,
    [playerId],
  );
  return row ?? null;
}

/** By the number that its player was told; null for a number that is none. */
export async function findErasure(db: Queryable, brandKey: BrandKey, erasureNo: string): Promise<Erasure | null> {
  const [row] = await query<Erasure>(
    db,
    'erasure_find',
    `select ${COLUMNS} from erasure e, player_names(e.player_id, $2) where erasure_no = $1`,
    [erasureNo, brandKey],
  );
  return row ?? null;
}

/** False: none waits. */
export async function withdrawErasure(db: Queryable, playerId: PlayerId): Promise<boolean> {
  const rows = await query(
    db,
    'erasure_withdraw',
    `update erasure set state = 'withdrawn', ended_at = now()
      where player_id = $1 and state = 'waiting' returning 1 as done`,
    [playerId],
  );
  return rows.length > 0;
}

/** Wishes whose time has come, each with one worker for `leaseSeconds`. */
export function leaseErasures(db: Queryable, limit: number, leaseSeconds: number): Promise<Erasure[]> {
  return query<Erasure>(db, 'erasure_lease', `select ${COLUMNS} from lease_erasures($1, make_interval(secs => $2))`, [
    limit,
    leaseSeconds,
  ]);
}

/**
 * Holds a wish to the end of the transaction. False: it was taken back since it was leased, by a press or by a login.
 */
export async function holdErasure(db: Queryable, { player_id, erasure_no }: Erasure): Promise<boolean> {
  const rows = await query(
    db,
    'erasure_hold',
    `select 1 as held from erasure e
     where player_id = $1 and erasure_no = $2 and state = 'waiting' and not has_come_back(e)
     for update`,
    [player_id, erasure_no],
  );
  return rows.length > 0;
}

/** Notes what stood in the way; it is tried again. */
export async function postponeErasure(
  db: Queryable,
  { player_id, erasure_no }: Erasure,
  refusals: readonly Refusal[],
  retrySeconds: number,
): Promise<void> {
  await query(
    db,
    'erasure_postpone',
    `update erasure set refusals = $3::jsonb, next_at = now() + make_interval(secs => $4)
     where player_id = $1 and erasure_no = $2 and state = 'waiting'`,
    [player_id, erasure_no, toJsonb(refusals), retrySeconds],
  );
}

/** Lists the balances that would be given up: minor units by currency. */
export function listBalances(
  db: Queryable,
  playerId: PlayerId,
): Promise<{ currency: string; balance_minor: number }[]> {
  return query(
    db,
    'erasure_balances',
    `select currency, sum(balance_minor)::bigint as balance_minor from wallet_account
     where player_id = $1 and kind in ('paid', 'free') group by currency
     having sum(balance_minor) > 0 order by currency`,
    [playerId],
  );
}
