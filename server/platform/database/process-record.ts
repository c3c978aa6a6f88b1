// Which processes of the shop run, and how many connections each may open: each says so in a row of its own and renews
// it, for behind a pooler the connections of PostgreSQL name nobody.
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Log } from '#server/platform/log.ts';
import { type Queryable, query } from './db.ts';

const RENEW_MS = 30_000;
/** Our choice: three renewals that did not come. */
const GONE_SECONDS = 100;

export type RunningProcess = { readonly role: string; readonly connections: number };

/** @param connections that it may open at most: its pool, and the one that listens */
export async function keepProcessRecord(
  db: Queryable,
  { role, connections }: RunningProcess,
  log: Log,
): Promise<{ stop(): Promise<void> }> {
  const id = randomUUID();
  const renew = () =>
    query(
      db,
      'process_renew',
      `with gone as (delete from running_process where seen_at < now() - interval '1 day')
       insert into running_process (process_id, role, host, connections) values ($1, $2, $3, $4)
       on conflict (process_id) do update set seen_at = now()`,
      [id, role, hostname(), connections],
    ).catch((error: unknown) => log.warn({ err: error }, 'that this process runs could not be noted'));
  let renewal: Promise<unknown> = renew();
  await renewal;
  const timer = setInterval(() => {
    renewal = renew();
  }, RENEW_MS);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      // One under way would write the row again.
      await renewal;
      await query(db, 'process_end', 'delete from running_process where process_id = $1', [id]).catch(() => undefined);
    },
  };
}

export const listRunningProcesses = (db: Queryable): Promise<RunningProcess[]> =>
  query<RunningProcess>(
    db,
    'process_list',
    `select role, connections from running_process where seen_at > now() - make_interval(secs => $1)
     order by role, started_at`,
    [GONE_SECONDS],
  );
