// SQL of the invariants: views of the database that must be empty, found by their name, so that a
// new view needs no line here.
import { type Queryable, query } from '#server/platform/database/db.ts';

export type InvariantView = { readonly name: string; readonly sentence: string | null };

/** Every view `invariant_i<n>_<words>`, with its comment. */
export function listInvariantViews(db: Queryable): Promise<InvariantView[]> {
  return query(
    db,
    'invariant_views',
    `select c.relname as name, obj_description(c.oid, 'pg_class') as sentence from pg_class c
     where c.relkind = 'v' and c.relname ~ '^invariant_i[0-9]+_[a-z0-9_]+$' and pg_table_is_visible(c.oid)
     order by substring(c.relname from '^invariant_i([0-9]+)')::integer, c.relname`,
  );
}

/**
 * How many rows break an invariant, and some of them. `view` comes from listInvariantViews: it is a name, not a value.
 */
export async function readBreaches(
  db: Queryable,
  view: string,
  limit: number,
  answerMs: number,
): Promise<{ breaches: number; examples: Record<string, unknown>[] }> {
  const rows = await query<{ breaches: number; example: Record<string, unknown> }>(
    db,
    `breaches_${view}`,
    `select count(*) over () as breaches, to_jsonb(v) as example from "${view}" v limit ${limit}`,
    [],
    answerMs,
  );
  return { breaches: rows[0]?.breaches ?? 0, examples: rows.map((row) => row.example) };
}

/** The right to do the check of this hour, for one worker of all. */
export async function takeInvariantTurn(db: Queryable, everySeconds: number): Promise<boolean> {
  const rows = await query(
    db,
    'invariant_take_turn',
    'update invariant_check set taken_at = now() where taken_at < now() - make_interval(secs => $1) returning 1 as taken',
    [everySeconds],
  );
  return rows.length > 0;
}

export type BreachSummary = { invariant: string; breaches: number; example: string | null };

export async function saveInvariantCheck(db: Queryable, breaches: readonly BreachSummary[]): Promise<void> {
  await query(
    db,
    'invariant_save',
    'update invariant_check set checked_at = now(), taken_at = now(), breaches = $1::jsonb',
    [JSON.stringify(breaches)],
  );
}
