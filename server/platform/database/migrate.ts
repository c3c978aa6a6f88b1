// Brings a database to the shape this code expects. Two kinds of files: versioned ones, `migrations/0001-*.sql`, hold tables, indexes and
// reference data and are applied once each; repeatable ones, `server/modules/<noun>/sql/<name>.sql`, hold one function or view each and are
// applied again whenever their text changes.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

/** `name`: of a versioned file its file name, of a repeatable one that of what it makes. */
type SqlFile = { name: string; path: string; sql: string; sha256: string };

/** `message` is one sentence for a person; print it without a stack. */
export class MigrationFault extends Error {
  override readonly name = 'MigrationFault';
}

export type SqlFolders = { readonly versioned: string; readonly modules: string };

const FOLDERS: SqlFolders = {
  versioned: fileURLToPath(new URL('../../../migrations/', import.meta.url)),
  modules: fileURLToPath(new URL('../../modules/', import.meta.url)),
};

/** The first file of the line that databases are upgraded along; what came before it was never released. */
const BASELINE = '0001-baseline.sql';

/** Dumps of whole databases, which tests compare and restore; no migration. */
const NO_MIGRATION = 'schema.sql';

// Any number will do, as long as no other advisory lock of this database uses it.
const MIGRATION_LOCK = 7_339_456;

/**
 * Everything that is missing happens in one transaction: the code never meets a table of tomorrow with a function of yesterday.
 * @param target a connection string, or a connected client that stays open
 * @returns the versioned files that were applied now, oldest first, and the functions and views that were made or made anew
 * @throws MigrationFault when an applied file was changed, the database is newer than the code or older than the baseline, or a file fails
 */
export async function migrate(
  target: string | pg.ClientBase,
  folders: SqlFolders = FOLDERS,
): Promise<{ applied: string[]; renewed: string[] }> {
  const versioned = await readVersioned(folders.versioned);
  const repeatable = await readRepeatable(folders.modules);
  if (typeof target !== 'string') return applyMissing(target, versioned, repeatable);
  const client = new pg.Client({ connectionString: target, application_name: 'refill migrate' });
  client.on('error', () => {});
  await client.connect();
  try {
    return await applyMissing(client, versioned, repeatable);
  } finally {
    await client.end();
  }
}

/** Versioned files of this code that a database has not had; all of them where it has had none. */
export async function findUnapplied(db: Pick<pg.ClientBase, 'query'>): Promise<string[]> {
  const names = (await readVersioned(FOLDERS.versioned)).map((file) => file.name);
  const { rows: there } = await db.query<{ there: boolean }>(
    "select to_regclass('schema_migration') is not null as there",
  );
  if (!there[0]?.there) return names;
  const { rows } = await db.query<{ name: string }>('select name from schema_migration');
  return names.filter((name) => !rows.some((row) => row.name === name));
}

async function readVersioned(folder: string): Promise<SqlFile[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql') && name !== NO_MIGRATION).toSorted();
  for (const [index, name] of names.entries()) {
    if (!/^\d{4}-/.test(name) || names[index - 1]?.slice(0, 4) === name.slice(0, 4)) {
      throw new MigrationFault(
        `The migration ${name} needs a number of its own in front: four digits, higher than those of the files before it.`,
      );
    }
  }
  return Promise.all(names.map((name) => readSql(name, join(folder, name))));
}

/** In the order of their names, views last: they may use functions. Functions find each other when they are called. */
async function readRepeatable(folder: string): Promise<SqlFile[]> {
  const paths = (await readdir(folder, { recursive: true })).filter((path) =>
    /(^|[\\/])sql[\\/][^\\/]+\.sql$/.test(path),
  );
  const files = await Promise.all(paths.map((path) => readSql(basename(path, '.sql'), join(folder, path))));
  const sorted = files.toSorted((a, b) => Number(isView(a)) - Number(isView(b)) || (a.name < b.name ? -1 : 1));
  for (const [index, file] of sorted.entries()) {
    if (sorted[index - 1]?.name === file.name)
      throw new MigrationFault(`Two files make ${file.name}: ${sorted[index - 1]?.path} and ${file.path}.`);
    if (!new RegExp(`^create or replace (function|view) ${file.name}\\b`, 'm').test(file.sql))
      throw new MigrationFault(`The file ${file.path} must hold "create or replace function|view ${file.name}".`);
  }
  return sorted;
}

const isView = (file: SqlFile): boolean => /^create or replace view /m.test(file.sql);

async function readSql(name: string, path: string): Promise<SqlFile> {
  // A checkout on Windows may turn line ends over; that is not a change.
  const sql = (await readFile(path, 'utf8')).replaceAll('\r\n', '\n');
  return { name, path, sql, sha256: createHash('sha256').update(sql).digest('hex') };
}

async function applyMissing(
  client: pg.ClientBase,
  versioned: readonly SqlFile[],
  repeatable: readonly SqlFile[],
): Promise<{ applied: string[]; renewed: string[] }> {
  return inLockedTransaction(client, async () => {
    await client.query(`
      create table if not exists schema_migration (
        name text primary key,
        sha256 text not null,
        applied_at timestamptz not null default now()
      );
      create table if not exists schema_repeatable (
        name text primary key,
        sha256 text not null,
        applied_at timestamptz not null default now()
      )`);
    const applied: string[] = [];
    for (const file of await listMissing(client, versioned)) {
      await run(client, file, `The migration ${file.name}`);
      await client.query('insert into schema_migration (name, sha256) values ($1, $2)', [file.name, file.sha256]);
      applied.push(file.name);
    }
    const renewed = await renew(client, repeatable);
    if (applied.length > 0 || renewed.length > 0) await makeInvariantBreach(client);
    return { applied, renewed };
  });
}

async function renew(client: pg.ClientBase, repeatable: readonly SqlFile[]): Promise<string[]> {
  const { rows } = await client.query<{ name: string; sha256: string }>('select name, sha256 from schema_repeatable');
  const known = new Map(rows.map((row) => [row.name, row.sha256]));
  const changed = repeatable.filter((file) => known.get(file.name) !== file.sha256);
  if (changed.length === 0) return [];
  // Functions may name functions that come after them.
  await client.query('set local check_function_bodies = off');
  for (const file of changed) {
    // A view whose columns change cannot be replaced; the one that is made of all others comes again at the end.
    if (isView(file)) await client.query(`drop view if exists invariant_breach, ${file.name}`);
    await run(client, file, `The file ${file.path}`);
    await client.query(
      `insert into schema_repeatable (name, sha256) values ($1, $2)
       on conflict (name) do update set sha256 = excluded.sha256, applied_at = now()`,
      [file.name, file.sha256],
    );
  }
  return changed.map((file) => file.name);
}

/**
 * The view `invariant_breach` (invariant, breaches, example): a row for each view `invariant_i<n>_*`, whichever there are, so that none can be
 * forgotten. `example` names a row by the first of the columns that invariants tell of.
 */
async function makeInvariantBreach(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string; number: string; example: string | null }>(
    `select c.relname as name, substring(c.relname from '^invariant_i([0-9]+)_') as number,
       (select a.attname from pg_attribute a where a.attrelid = c.oid and a.attnum > 0
         and a.attname in ('billing_no', 'what', 'product_id', 'txn_id', 'player_id', 'currency')
         order by array_position(array['billing_no', 'what', 'product_id', 'txn_id', 'player_id', 'currency'], a.attname::text) limit 1) as example
     from pg_class c where c.relkind = 'v' and c.relname ~ '^invariant_i[0-9]+_' and pg_table_is_visible(c.oid)
     order by substring(c.relname from '^invariant_i([0-9]+)_')::integer, c.relname`,
  );
  await client.query('drop view if exists invariant_breach');
  if (rows.length === 0) return;
  const selects = rows.map(
    ({ name, number, example }) =>
      `select 'I${number}' as invariant, count(*) as breaches, ${example ? `min(${example}::text)` : 'null::text'} as example from ${name}`,
  );
  await client.query(`create view invariant_breach as ${selects.join(' union all ')}`);
}

async function listMissing(client: pg.ClientBase, versioned: readonly SqlFile[]): Promise<SqlFile[]> {
  const { rows } = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from schema_migration order by name',
  );
  refuseUnfit(rows, versioned);
  return versioned.slice(rows.length);
}

function refuseUnfit(recorded: { name: string; sha256: string }[], versioned: readonly SqlFile[]): void {
  const [oldest] = recorded;
  if (oldest && versioned[0]?.name === BASELINE && oldest.name !== BASELINE && oldest.name < '0002') {
    throw new MigrationFault('This database is from before the first release of Refill: start with an empty one.');
  }
  for (const [index, row] of recorded.entries()) {
    const file = versioned.find((migration) => migration.name === row.name);
    if (!file) {
      throw new MigrationFault(
        `The database is newer than this code: it has had the migration ${row.name}, which this checkout does not know.`,
      );
    }
    if (file.sha256 !== row.sha256) {
      throw new MigrationFault(
        `The migration ${row.name} was changed after it was applied: restore the file and write the change as a new migration.`,
      );
    }
    const late = versioned[index];
    if (late && late !== file) {
      throw new MigrationFault(
        `The migration ${late.name} came in before ${row.name}, which this database has had already: give it the next free number.`,
      );
    }
  }
}

async function run(client: pg.ClientBase, file: SqlFile, subject: string): Promise<void> {
  try {
    await client.query(file.sql);
  } catch (error) {
    throw new MigrationFault(`${subject} failed and was rolled back: ${describeSqlError(error, file.sql)}.`, {
      cause: error,
    });
  }
}

function describeSqlError(error: unknown, sql: string): string {
  const { message, position } = error as { message: string; position?: string };
  if (position === undefined) return message;
  return `${message} (line ${sql.slice(0, Number(position)).split('\n').length})`;
}

// The lock belongs to the transaction, not the session, so that it also holds behind a pooler that shares sessions.
async function inLockedTransaction<Result>(client: pg.ClientBase, work: () => Promise<Result>): Promise<Result> {
  await client.query('begin');
  try {
    await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}
