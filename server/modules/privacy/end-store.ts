// SQL of what ends: whose turn it is, and one batch of it.
import { type Queryable, query } from '#server/platform/database/db.ts';

/** The right to do this round, for one worker of all. By the database's clock. */
export async function leaseEnd(db: Queryable, what: string, everySeconds: number): Promise<boolean> {
  const rows = await query(
    db,
    'retention_take_turn',
    `insert into retention_end as e (what, taken_at) values ($1, now())
     on conflict (what) do update set taken_at = now() where e.taken_at < now() - make_interval(secs => $2)
     returning 1 as taken`,
    [what, everySeconds],
  );
  return rows.length > 0;
}

/**
 * @param what of the table ENDS: it is part of a function's name, not a value
 * @returns how many rows it came to; none: all that is over has ended
 */
export async function endBatch(
  db: Queryable,
  what: string,
  days: Readonly<Record<string, number>>,
  limit: number,
): Promise<number> {
  const [row] = await query<{ ended: number }>(
    db,
    `retention_end_${what}`,
    `select end_${what}($1::jsonb, $2) as ended`,
    [JSON.stringify(days), limit],
  );
  return row?.ended ?? 0;
}

/** Keeps the turn while a long round goes on, and counts. */
export async function noteEnded(db: Queryable, what: string, ended: number, isDone: boolean): Promise<void> {
  await query(
    db,
    'retention_note',
    `update retention_end set ended = ended + $2, taken_at = now(), done_at = case when $3 then now() else done_at end
     where what = $1`,
    [what, ended, isDone],
  );
}

/** Hours since each kind of end was through last; null: it never was. */
export async function readEndLag(
  db: Queryable,
  whats: readonly string[],
): Promise<{ what: string; hours: number | null }[]> {
  return query(
    db,
    'retention_lag',
    `select w.what, floor(extract(epoch from now() - e.done_at) / 3600)::integer as hours
     from unnest($1::text[]) as w(what) left join retention_end e using (what) order by 2 desc nulls first, 1`,
    [whats],
  );
}

/** Since when nothing is kept beyond its time; null: some kind of end was never through. */
export async function readEndsDone(db: Queryable): Promise<Date | null> {
  const [row] = await query<{ done_at: Date | null }>(
    db,
    'retention_done',
    'select case when count(*) = count(done_at) then min(done_at) end as done_at from retention_end',
  );
  return row?.done_at ?? null;
}
