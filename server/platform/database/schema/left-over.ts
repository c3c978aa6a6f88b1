// Functions that a migration drops stay for a moment more: a call that began before the migration is inside another
// function's former text, and would not find what that text calls next.
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { runFile } from './renew.ts';
import { hashSql } from './sql-files.ts';

type Definition = { signature: string; definition: string };

// Our choice: a call lasts milliseconds. What lasts longer is a backup or a report, which calls none of these.
const WAIT_MS = 5000;
const PAUSE_MS = 50;

/** Remembers the objects to be dropped, so that a migration that dies meanwhile leaves nothing for ever. */
export const LEFT_OVER_TABLE = 'create table if not exists schema_left_over (signature text primary key)';

/** All functions of the schema, as they are before versioned files run. */
export async function listDefinitions(client: pg.ClientBase): Promise<Definition[]> {
  const { rows } = await client.query<Definition>(
    `select oid::regprocedure::text as signature, pg_get_functiondef(oid) as definition from pg_proc
     where pronamespace = current_schema()::regnamespace and prokind = 'f'`,
  );
  return rows;
}

/**
 * Brings back what is gone, and remembers to drop it. What stood on a type or table that is gone as well stays gone.
 */
export async function keepDropped(client: pg.ClientBase, before: readonly Definition[]): Promise<void> {
  const { rows } = await client.query<{ signature: string }>(
    'select signature from unnest($1::text[]) as signature where to_regprocedure(signature) is null',
    [before.map(({ signature }) => signature)],
  );
  const gone = new Set(rows.map(({ signature }) => signature));
  if (gone.size === 0) return;
  await client.query('set local check_function_bodies = off');
  for (const { signature, definition } of before.filter((one) => gone.has(one.signature))) {
    await client.query('savepoint kept');
    try {
      await runFile(client, hashSql(signature, signature, definition));
      await client.query('insert into schema_left_over (signature) values ($1)', [signature]);
    } catch {
      await client.query('rollback to savepoint kept');
    }
  }
}

/** Drops what was remembered. */
export async function dropKept(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ signature: string }>('delete from schema_left_over returning signature');
  for (const { signature } of rows) await client.query(`drop function if exists ${signature}`);
}

export async function hasKept(client: pg.ClientBase): Promise<boolean> {
  return ((await client.query('select from schema_left_over limit 1')).rowCount ?? 0) > 0;
}

/** Until the transactions of this moment are over, but not for ever. */
export async function waitForRunning(client: pg.ClientBase): Promise<void> {
  // Locks of virtual transactions are told to every role, unlike what other roles' sessions do.
  const running = `from pg_locks l join pg_stat_activity a using (pid)
    where l.locktype = 'virtualxid' and l.granted and a.datname = current_database() and a.pid <> pg_backend_pid()`;
  const { rows } = await client.query<{ ids: string[] }>(
    `select coalesce(array_agg(l.virtualtransaction), '{}') as ids ${running}`,
  );
  const deadline = Date.now() + WAIT_MS;
  for (;;) {
    const left = await client.query(`select ${running} and l.virtualtransaction = any($1) limit 1`, [rows[0]?.ids]);
    if (!left.rowCount || Date.now() > deadline) return;
    await sleep(PAUSE_MS);
  }
}
