// Reads the cost of each statement in the database, also of those inside functions: PostgreSQL's own
// pg_stat_statements.
import { type Db, openDb, query } from '#server/platform/database/db.ts';
import { printTable, show } from './print.ts';

/** Takes effect at the next start of PostgreSQL. */
export async function configureStatements(url: string): Promise<void> {
  const db = openDb(url, { max: 1, onError: () => undefined });
  try {
    await db.query(`alter system set shared_preload_libraries = 'pg_stat_statements'`);
    await db.query(`alter system set "pg_stat_statements.track" = 'all'`);
    await db.query('create extension pg_stat_statements');
  } finally {
    await db.end();
  }
}

export async function resetStatements(db: Db): Promise<void> {
  await db.query('select pg_stat_statements_reset()');
}

/** Our choice: more lines than that are noise. */
const LINES = 40;

export async function printStatements(db: Db, orders: number): Promise<void> {
  const rows = await query<{ text: string; calls: number; ms: number; top: boolean; wal: number; dirty: number }>(
    db,
    'bench_statements',
    `select left(regexp_replace(query, '\\s+', ' ', 'g'), 110) as text, calls::float8 as calls,
       total_exec_time as ms, toplevel as top,
       wal_bytes::float8 as wal, shared_blks_dirtied::float8 as dirty
     from pg_stat_statements where dbid = (select oid from pg_database where datname = current_database())
     order by total_exec_time desc limit ${LINES}`,
  );
  printTable(
    ['statement (those inside functions indented)', 'calls an order', 'ms a call', 'ms an order', 'WAL bytes an order'],
    rows.map((row) => [
      `${row.top ? '' : '  '}${row.text}`,
      (row.calls / orders).toFixed(2),
      show(row.ms / row.calls),
      (row.ms / orders).toFixed(3),
      (row.wal / orders).toFixed(0),
    ]),
  );
}
