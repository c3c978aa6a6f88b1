// SQL of the invariants: views of the database that must be empty, found by their name, so that a
// new view needs no line here.
import type { PlayerRange } from '#kernel/ids.ts';
import { type Queryable, query } from '#server/platform/database/db.ts';

export type InvariantView = {
  readonly name: string;
  readonly sentence: string | null;
  /** False: it sums over all players, and is read by the full look alone. */
  readonly is_by_player: boolean;
};

/** Every view `invariant_i<n>_<words>`, with its comment. */
export function listInvariantViews(db: Queryable): Promise<InvariantView[]> {
  return query(
    db,
    'invariant_views',
    `select c.relname as name, obj_description(c.oid, 'pg_class') as sentence, exists (select from pg_attribute a
       where a.attrelid = c.oid and a.attname = 'player_id' and not a.attisdropped) as is_by_player
     from pg_class c
     where c.relkind = 'v' and c.relname ~ '^invariant_i[0-9]+_[a-z0-9_]+$' and pg_table_is_visible(c.oid)
     order by substring(c.relname from '^invariant_i([0-9]+)')::integer, c.relname`,
  );
}

type Breaches = { breaches: number; examples: Record<string, unknown>[] };
type BreachRow = { breaches: number; example: Record<string, unknown> };

const toBreaches = (rows: readonly BreachRow[]): Breaches => ({
  breaches: rows[0]?.breaches ?? 0,
  examples: rows.map((row) => row.example),
});

/**
 * How many rows break an invariant, and some of them. `view` comes from listInvariantViews: it is a name, not a value.
 */
export async function readBreaches(db: Queryable, view: string, limit: number, answerMs: number): Promise<Breaches> {
  const text = `select count(*) over () as breaches, to_jsonb(v) as example from "${view}" v limit ${limit}`;
  return toBreaches(await query<BreachRow>(db, `breaches_${view}`, text, [], answerMs));
}

/** Whose rows a look reads; null: those of nobody. */
export type Whose = readonly string[] | PlayerRange | null;

/**
 * The same of some players alone: PostgreSQL puts the condition into the view, which then reads by the players' keys.
 */
export function readBreachesOf(
  db: Queryable,
  view: string,
  whose: Whose,
  answerMs: number,
): Promise<{ player_id: string | null; breaches: number; example: Record<string, unknown> }[]> {
  const [name, condition, values] = conditionOf(whose);
  const text = `select v.player_id, count(*) as breaches, (array_agg(to_jsonb(v)))[1] as example from "${view}" v
    where ${condition} group by v.player_id`;
  return query(db, `breaches_of_${name}_${view}`, text, values, answerMs);
}

function conditionOf(whose: Whose): [name: string, condition: string, values: unknown[]] {
  if (whose === null) return ['nobody', 'v.player_id is null', []];
  if ('from' in whose) return ['range', 'v.player_id >= $1 and v.player_id < $2', [whose.from, whose.to]];
  return ['players', 'v.player_id = any ($1::uuid[])', [whose]];
}

/** Players of whom a view has rows, up to a number. */
export async function listBrokenPlayers(db: Queryable, view: string, limit: number): Promise<string[]> {
  const text = `select distinct player_id from "${view}" where player_id is not null limit ${limit}`;
  return (await query<{ player_id: string }>(db, `broken_${view}`, text)).map((row) => row.player_id);
}

/** The next players with changes, in the order of their ids; `after` is the last one of the call before. */
export async function listChangedPlayers(db: Queryable, after: string | null, limit: number): Promise<string[]> {
  const rows = await query<{ player_id: string }>(
    db,
    'changed_players',
    `select distinct player_id from player_change where ($1::uuid is null or player_id > $1) order by player_id
     limit $2`,
    [after, limit],
  );
  return rows.map((row) => row.player_id);
}

/**
 * Takes out the changes of these players that are committed. A statement after this one sees whatever they stand for;
 * the row of a step that is still running stays out of sight, and so for the next look.
 */
export async function takeChanges(db: Queryable, players: readonly string[]): Promise<void> {
  await query(db, 'changes_take', 'delete from player_change where player_id = any ($1::uuid[])', [players]);
}

/** Has these players looked at again. */
export async function noteChanges(db: Queryable, players: readonly string[]): Promise<void> {
  await query(db, 'changes_note', 'insert into player_change (player_id) select unnest($1::uuid[])', [players]);
}

/**
 * Players of whom something has been open for so long that time alone may have broken an invariant (I8, I9, I41, I70),
 * found by indexes of what is open. More than a day is far beyond what a healthy shop leaves open.
 */
export async function listOverduePlayers(db: Queryable): Promise<string[]> {
  const rows = await query<{ player_id: string }>(
    db,
    'overdue_players',
    `select o.player_id from unpaid_order u join orders o on o.player_id = u.player_id and o.billing_no = u.billing_no
       where o.created_at < now() - interval '1 day'
     union select player_id from reward
       where state in ('queued', 'calling', 'unknown') and next_at < now() - interval '1 day'
     union select player_id from webhook_message
       where state in ('queued', 'calling') and next_at < now() - interval '1 day'
     order by 1`,
  );
  return rows.map((row) => row.player_id);
}

/** A look that takes longer than an hour stands for the hourly ones meanwhile. */
export async function renewInvariantCheck(db: Queryable): Promise<void> {
  await query(db, 'invariant_renew', 'update invariant_check set taken_at = now(), checked_at = now()');
}

/** The right to do the check of this hour, for one worker of all. */
export async function leaseInvariantCheck(db: Queryable, everySeconds: number): Promise<boolean> {
  const rows = await query(
    db,
    'invariant_take_turn',
    `update invariant_check set taken_at = now() where taken_at < now() - make_interval(secs => $1)
      returning 1 as taken`,
    [everySeconds],
  );
  return rows.length > 0;
}

/** Returns true when no full check ran since the newest hour `hour` of a day, in UTC. */
export async function isFullCheckDue(db: Queryable, hour: number): Promise<boolean> {
  const [row] = await query<{ is_due: boolean }>(
    db,
    'invariant_full_due',
    `select full_at is null or full_at < date_trunc('day', now() - make_interval(hours => $1), 'UTC')
       + make_interval(hours => $1) as is_due from invariant_check`,
    [hour],
  );
  return row?.is_due ?? true;
}

/** Returns true when everything was looked at in the last `hours`. */
export async function wasLookedAt(db: Queryable, hours: number): Promise<boolean> {
  const [row] = await query<{ was_looked_at: boolean }>(
    db,
    'invariant_looked_at',
    `select coalesce(full_at > now() - make_interval(hours => $1), false) as was_looked_at from invariant_check`,
    [hours],
  );
  return row?.was_looked_at ?? false;
}

/** The invariants that the newest looks found broken, as they were kept. */
export async function listKeptBreaches(db: Queryable): Promise<string[]> {
  const rows = await query<{ invariant: string }>(
    db,
    'invariant_kept_breaches',
    `select distinct b ->> 'invariant' as invariant from invariant_check, jsonb_array_elements(breaches) b order by 1`,
  );
  return rows.map(({ invariant }) => invariant);
}

export type BreachSummary = { invariant: string; breaches: number; example: string | null };

export async function saveFullCheck(
  db: Queryable,
  breaches: readonly BreachSummary[],
  isOnReplica: boolean,
): Promise<void> {
  await query(
    db,
    'invariant_save_full',
    `update invariant_check set checked_at = now(), taken_at = now(), full_at = now(), full_on_replica = $2,
       breaches = $1::jsonb`,
    [JSON.stringify(breaches), isOnReplica],
  );
}

/** @param fullOnly invariants that this look did not read: what the full one found of them stays */
export async function saveChangesCheck(
  db: Queryable,
  breaches: readonly BreachSummary[],
  fullOnly: readonly string[],
): Promise<void> {
  await query(
    db,
    'invariant_save_changes',
    `update invariant_check set checked_at = now(), taken_at = now(), changes_at = now(),
       breaches = $1::jsonb || coalesce((select jsonb_agg(b) from jsonb_array_elements(breaches) b
         where b ->> 'invariant' = any ($2::text[])), '[]')`,
    [JSON.stringify(breaches), fullOnly],
  );
}

/**
 * Our choice: some milliseconds of a processor a statement, so that those who buy meanwhile wait for none, however
 * large the shop is.
 */
const ORDERS_AT_ONCE = 500;
const FIRST = '00000000-0000-0000-0000-000000000000';
/** No version of a UUID makes this one. */
const LAST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * Ranges that lie side by side and leave out nobody, also who never bought. One has some five hundred orders, or all of
 * one player who has more.
 * @param month counts these orders alone: the numbers from `from` on, below `to`
 * @param ordersAtOnce in place of five hundred
 */
export async function* listPlayerRanges(
  db: Queryable,
  month: { readonly from: string; readonly to: string } = { from: '', to: '~' },
  ordersAtOnce = ORDERS_AT_ONCE,
): AsyncGenerator<PlayerRange> {
  for (let from = FIRST; ;) {
    const [next] = await query<{ player_id: string }>(
      db,
      'player_ranges',
      `select player_id from orders where player_id > $1 and billing_no >= $2 and billing_no < $3
       order by player_id offset $4 limit 1`,
      [from, month.from, month.to, ordersAtOnce - 1],
    );
    yield { from, to: next?.player_id ?? LAST };
    if (!next) return;
    from = next.player_id;
  }
}
