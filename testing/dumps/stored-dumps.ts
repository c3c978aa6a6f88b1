// Stored databases of versions before, `testing/dumps/<newest migration>.sql.gz`: schema and rows as they were, with
// the moment in which they were made, so that their times can be brought up to now.
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import pg from 'pg';
import type { Queryable } from '#server/platform/database/db.ts';
import { dumpRows, dumpSchema } from '#server/platform/database/schema/schema-dump.ts';
import { readRepeatable, readVersion } from '#server/platform/database/schema/sql-files.ts';
import { listCalledFunctions } from './called-functions.ts';

const FOLDER = new URL('./', import.meta.url);
const ROOT = new URL('../..', import.meta.url).pathname;

export type StoredDump = {
  /** "0001-baseline": the newest migration of the database. */
  readonly name: string;
  readonly version: string;
  readonly madeAt: Date;
  /** Signatures that the servers of that version called. */
  readonly called: readonly string[];
  readonly sql: string;
};

/** @returns the file that was written, from the root of the checkout */
export async function storeDump(db: Queryable): Promise<string> {
  const { rows } = await db.query<{ name: string; now: Date }>(
    'select max(name) as name, now() as now from schema_migration',
  );
  const name = rows[0]?.name.replace(/\.sql$/, '');
  const called = await listCalledFunctions(db, ROOT, await readRepeatable(ROOT));
  const header = { version: await readVersion(ROOT), madeAt: rows[0]?.now.toISOString(), called };
  const text = `-- ${JSON.stringify(header)}\n${await dumpSchema(db)}\n${await dumpRows(db)}`;
  await writeFile(new URL(`${name}.sql.gz`, FOLDER), gzipSync(text, { level: 9 }));
  return `testing/dumps/${name}.sql.gz`;
}

/** Oldest first. */
export async function listDumps(): Promise<StoredDump[]> {
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql.gz')).toSorted();
  return Promise.all(names.map(readDump));
}

async function readDump(file: string): Promise<StoredDump> {
  const sql = gunzipSync(await readFile(new URL(file, FOLDER))).toString('utf8');
  const header = JSON.parse(sql.slice(3, sql.indexOf('\n'))) as { version: string; madeAt: string; called: string[] };
  return { ...header, madeAt: new Date(header.madeAt), name: file.replace('.sql.gz', ''), sql };
}

/**
 * Makes a database what it was when it was stored, as if that were now: every point in time moves on by the age of
 * the dump.
 * @param url of a database whose contents are thrown away; its account must be a superuser
 */
export async function restoreDump(url: string, dump: StoredDump): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('drop schema public cascade; create schema public');
    await client.query(dump.sql);
    const { rows } = await client.query<{ table: string; columns: string[] }>(
      `select c.relname as "table", array_agg(a.attname::text) as columns
       from pg_class c join pg_attribute a on a.attrelid = c.oid
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and a.atttypid = 'timestamptz'::regtype
         and not a.attisdropped group by 1 order by 1`,
    );
    await client.query('begin; set local session_replication_role = replica');
    for (const { table, columns } of rows) {
      const moved = columns.map((column) => `"${column}" = "${column}" + (now() - $1::timestamptz)`);
      await client.query(`update "${table}" set ${moved.join(', ')}`, [dump.madeAt]);
    }
    await client.query('commit');
  } finally {
    await client.end();
  }
}
