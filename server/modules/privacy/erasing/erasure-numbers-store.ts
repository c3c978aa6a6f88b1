// SQL of how erasing gets on, for metrics and `refill doctor`.
import { type Queryable, query } from '#server/platform/database/db.ts';

export type ErasureNumbers = {
  /** Wishes whose time has come and that are not carried out. */
  readonly overdue: number;
  /** Seconds that the oldest of them is overdue. */
  readonly oldestSeconds: number;
  /** The reasons of `erasure_refusals` that stand in their way, each once. */
  readonly reasons: readonly string[];
};

/** By the index of what waits alone. */
export async function readErasureNumbers(db: Queryable): Promise<ErasureNumbers> {
  const [row] = await query<{ overdue: number; seconds: number; reasons: string[] }>(
    db,
    'erasure_numbers',
    `select count(*)::integer as overdue, coalesce(extract(epoch from now() - min(due_at)), 0)::float8 as seconds,
       array(select distinct r ->> 'reason' from erasure w, jsonb_array_elements(w.refusals) r
         where w.state = 'waiting' and w.due_at < now() order by 1) as reasons
     from erasure where state = 'waiting' and due_at < now()`,
  );
  return { overdue: row?.overdue ?? 0, oldestSeconds: row?.seconds ?? 0, reasons: row?.reasons ?? [] };
}
