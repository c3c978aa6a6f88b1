// The budget of connections: what all processes of the shop may open against what the database lets in.
import type { Config } from '#server/platform/config.ts';
import { type Db, query } from '#server/platform/database/db.ts';
import { listRunningProcesses } from '#server/platform/database/process-record.ts';
import { ill, type Look, well } from './look.ts';

/** Our choice: commands of an operator, one at a time. */
const FOR_COMMANDS = 2;

export async function lookAtConnections(db: Db, { poolSize }: Pick<Config, 'poolSize'>): Promise<Look> {
  const [row] = await query<{ most: number; used: number }>(
    db,
    'doctor_connections',
    // The second is of PostgreSQL 16 on: places for accounts of pg_use_reserved_connections.
    `select current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
         - current_setting('reserved_connections')::integer as most,
       (select count(*)::integer from pg_stat_activity
         where backend_type = 'client backend' and pid <> pg_backend_pid()
           and application_name not in ('refill', 'refill-listen')) as used`,
  );
  const { most, used } = row ?? { most: 0, used: 0 };
  const running = await listRunningProcesses(db);
  const name = 'connections';
  const shop = running.reduce((sum, process) => sum + process.connections, 0);
  const processes = running.length === 1 ? '1 process' : `${running.length} processes`;
  if (await isPooled(db)) {
    const reason =
      `of ${processes} of the shop may be ${shop}, all to a pooler in front of PostgreSQL, which takes ${most}: ` +
      `the pooler's max_client_conn has to be above the one, its default_pool_size below the other`;
    return well('database', name, reason);
  }
  // Without a process that runs: the budget of one.
  const wanted = (running.length === 0 ? poolSize + 1 : shop) + FOR_COMMANDS;
  const whose = running.length === 0 ? 'one process of the shop and commands' : `${processes} of the shop and commands`;
  const reason = `of ${whose} may be ${wanted}, beside ${used} of others; PostgreSQL takes ${most}`;
  if (wanted + used <= most) return well('database', name, reason);
  const remedy = 'raise max_connections, lower REFILL_POOL, or put PgBouncer in between';
  return ill('database', 'warning', { name, reason, remedy });
}

/** A pooler gives its clients a number of its own in the place of PostgreSQL's process. */
async function isPooled(db: Db): Promise<boolean> {
  const client = await db.connect();
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const expected = (client as unknown as { processID: number | null }).processID;
    return expected !== null && rows[0]?.pid !== expected;
  } finally {
    client.release();
  }
}
