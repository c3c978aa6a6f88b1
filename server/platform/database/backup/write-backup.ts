// A copy of a whole database as one file of SQL, gzipped: `refill restore` reads it, and so does psql. It shows one
// moment, whatever is written meanwhile, and holds nothing up but changes of tables. PostgreSQL's own pg_dump must be
// of the server's version or newer and does not come with the embedded server (decision 46).
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import type { Environment } from '#kernel/environment.ts';
import { type Db, transaction } from '#server/platform/database/db.ts';
import { makeFolders } from '#server/platform/make-folders.ts';
import { listSchemaParts, listSequences } from '#server/platform/database/schema/schema-dump.ts';
import { type BackupHeader, FORMAT, writeHeader, writeStatement } from './backup-format.ts';

export type WrittenBackup = {
  readonly file: string;
  /** The moment that it shows. */
  readonly takenAt: Date;
  readonly bytes: number;
  readonly sha256: string;
  readonly rows: number;
};

/** Our choice: a statement that any server takes in at once, of few enough to matter. */
const STATEMENT_BYTES = 256 * 1024;
const FETCH_ROWS = 500;

/** Text that reads the same whatever a server or an account is set to. */
const PLAIN_TEXT = `set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres'; set local timezone = 'UTC';
  set local extra_float_digits = 1; set local bytea_output = 'hex'`;

/**
 * Writes `refill-<environment>-<moment>.sql.gz` into the folder, and its checksum beside it. The file is complete once
 * it has this name.
 */
export async function writeBackup(db: Db, environment: Environment, folder: string): Promise<WrittenBackup> {
  await makeFolders(folder, 0o700);
  return transaction(db, async (client) => {
    await client.query(`set transaction isolation level repeatable read, read only; ${PLAIN_TEXT};
      set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0`);
    const tables = await listBackedUpTables(client);
    // As long as this runs no migration changes a table between its definition and its rows.
    await client.query(`lock table ${tables.map(quote).join(', ')} in access share mode`);
    const { rows: moments } = await client.query<{ at: Date; migrations: string[]; server: string }>(
      `select now() as at, (select array_agg(name order by name) from schema_migration) as migrations,
         current_setting('server_version') as server`,
    );
    const { at = new Date(), migrations = [], server = '' } = moments[0] ?? {};
    const header: BackupHeader = { format: FORMAT, environment, takenAt: at.toISOString(), migrations, server };
    const file = join(folder, `refill-${environment}-${nameOfMoment(at)}.sql.gz`);
    const written = await writeFileOf(file, writeAll(client, header, tables));
    await writeFile(`${file}.sha256`, `${written.sha256}  ${basename(file)}\n`, { mode: 0o600 });
    return { file, takenAt: at, ...written };
  });
}

/**
 * Deletes the oldest backups of this environment in the folder until `keep` are left.
 * @returns their files
 */
export async function dropOldBackups(folder: string, environment: Environment, keep: number): Promise<string[]> {
  const pattern = new RegExp(`^refill-${environment}-\\d{8}T\\d{6}Z\\.sql\\.gz$`);
  const names = (await readdir(folder)).filter((name) => pattern.test(name)).toSorted();
  const old = names.slice(0, Math.max(0, names.length - keep)).map((name) => join(folder, name));
  for (const file of old) {
    await rm(file);
    await rm(`${file}.sha256`, { force: true });
  }
  return old;
}

type Count = { rows: number };

async function writeFileOf(
  file: string,
  write: (count: Count) => AsyncGenerator<string>,
): Promise<{ bytes: number; sha256: string; rows: number }> {
  const draft = `${file}.part`;
  const count = { rows: 0 };
  const hash = createHash('sha256');
  const hashing = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  try {
    const out = createWriteStream(draft, { mode: 0o600, flags: 'w' });
    await pipeline(Readable.from(write(count)), createGzip({ level: 6 }), hashing, out);
    // On the disk before it has its name: after a power cut a file with this name is whole.
    const handle = await open(draft, 'r+');
    await handle.sync();
    await handle.close();
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  return { bytes: (await stat(file)).size, sha256: hash.digest('hex'), rows: count.rows };
}

/** Tables and functions, rows, then what looks at rows: no trigger judges, books or tells anything a second time. */
function writeAll(client: pg.ClientBase, header: BackupHeader, tables: readonly string[]) {
  return async function* write(count: Count): AsyncGenerator<string> {
    yield writeHeader(header);
    const parts = await listSchemaParts(client);
    yield writeStatement('set check_function_bodies = off');
    yield writeStatement(PLAIN_TEXT.replaceAll('set local', 'set'));
    for (const statement of [...parts.tables, ...parts.partitions, ...parts.functions, ...parts.views])
      yield writeStatement(statement);
    for (const table of tables) yield* writeRows(client, table, count);
    for (const statement of [...parts.indexes, ...(await listSequences(client)), ...parts.triggers])
      yield writeStatement(statement);
    yield `-- end, ${count.rows} rows\n`;
  };
}

/** Rows as PostgreSQL's own text of them, which is exact for every type. */
async function* writeRows(client: pg.ClientBase, table: string, count: Count): AsyncGenerator<string> {
  const { rows: columns } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
    [`public.${quote(table)}`],
  );
  const names = columns.map(({ name }) => quote(name)).join(', ');
  const insert = (rows: readonly string[]) => {
    const list = `{${rows.map((row) => `"${row.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`;
    return writeStatement(
      `insert into ${quote(table)} (${names}) overriding system value
select ${names} from unnest('${list.replaceAll("'", "''")}'::${quote(table)}[])`,
    );
  };
  await client.query(`declare backup_rows no scroll cursor for select t::text as row from only ${quote(table)} t`);
  let waiting: string[] = [];
  let size = 0;
  for (;;) {
    const { rows } = await client.query<{ row: string }>(`fetch ${FETCH_ROWS} from backup_rows`);
    for (const { row } of rows) {
      waiting.push(row);
      size += row.length;
      if (size < STATEMENT_BYTES) continue;
      yield insert(waiting);
      [waiting, size] = [[], 0];
    }
    count.rows += rows.length;
    if (rows.length < FETCH_ROWS) break;
  }
  if (waiting.length > 0) yield insert(waiting);
  await client.query('close backup_rows');
}

async function listBackedUpTables(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
  );
  return rows.map(({ name }) => name);
}

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** 2026-11-23T03:17:00.123Z -> 20261123T031700Z: names in the order of time, without characters that a file system refuses. */
const nameOfMoment = (at: Date): string => at.toISOString().replaceAll(/\.\d+|[-:]/g, '');
