// The repeatable half of a migration: functions and views whose text changed are made anew, inside the transaction of
// `migrate.ts`.
import type pg from 'pg';
import {
  BREACH_VIEW,
  MigrationFault,
  type RepeatableFile,
  type SqlFile,
  compareVersions,
  hashSql,
} from './sql-files.ts';

/** A row of schema_repeatable: the text that the database has, and the version of Refill that brought it. */
type Known = { name: string; sha256: string; version: string };

/** Columns by which a broken row is named, the first that a view has. */
const EXAMPLE_COLUMNS = ['billing_no', 'what', 'product_id', 'txn_id', 'player_id', 'currency'];

/**
 * Invariants read columns that a versioned migration may change, and PostgreSQL refuses to change a column under a
 * view. Views hold no data, so all of them go before versioned files run, and `renew` brings them back.
 */
export async function dropViews(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select r.name from schema_repeatable r join pg_class c on c.relname = r.name and c.relkind = 'v'
     and c.relnamespace = current_schema()::regnamespace`,
  );
  await drop(
    client,
    rows.map(({ name }) => name),
  );
}

/** In one statement, so that views of views go with what they stand on. */
async function drop(client: pg.ClientBase, views: readonly string[]): Promise<void> {
  if (views.length === 0) return;
  const sql = `drop view if exists ${views.join(', ')}`;
  await client.query(sql).catch((cause: Error) => {
    throw new MigrationFault(`A view could not be made anew, all was rolled back: ${cause.message}.`, { cause });
  });
}

/**
 * @param version of this checkout
 * @returns names of what was made or made anew, in the order of its making
 * @throws MigrationFault when the database has a newer text, or a function that no file makes
 */
export async function renew(
  client: pg.ClientBase,
  files: readonly RepeatableFile[],
  version: string,
): Promise<string[]> {
  const known = await client.query<Known>('select name, sha256, version from schema_repeatable order by name');
  const rows = new Map(known.rows.map((row) => [row.name, row]));
  refuseNewer(files, rows, version);
  const present = await countPresent(client);
  await dropRemoved(client, files, known.rows, present);
  const changed = files.filter(
    (file) => rows.get(file.name)?.sha256 !== file.sha256 || (present.get(file.name) ?? 0) < file.definitions,
  );
  await dropChangedViews(client, changed);
  // Twice: functions in SQL are read when they are made and may name one that comes later; the second time all are
  // there, and every body is checked.
  for (const check of changed.length > 0 ? ['off', 'on'] : []) {
    await client.query(`set local check_function_bodies = ${check}`);
    for (const file of changed) if (check === 'on' || file.kind === 'function') await runFile(client, file);
  }
  for (const file of changed) await record(client, file, version);
  await refuseLeftOver(client, changed);
  const isBreachNew = await makeInvariantBreach(client, rows.get(BREACH_VIEW), version);
  return [...changed.map(({ name }) => name), ...(isBreachNew ? [BREACH_VIEW] : [])];
}

function refuseNewer(files: readonly RepeatableFile[], rows: ReadonlyMap<string, Known>, version: string): void {
  const own = new Map(files.map((file) => [file.name, file.sha256]));
  for (const row of rows.values()) {
    const isOther = row.name !== BREACH_VIEW && own.get(row.name) !== row.sha256;
    if (isOther && compareVersions(row.version, version) > 0) {
      throw new MigrationFault(
        `The database is newer than this code: its ${row.name} is of Refill ${row.version}, and this is ${version}.`,
      );
    }
  }
}

/** How many functions, or views, of a name there are. */
async function countPresent(client: pg.ClientBase): Promise<Map<string, number>> {
  const { rows } = await client.query<{ name: string; count: number }>(
    `select name, count(*)::integer as count from (
       select proname::text as name from pg_proc where pronamespace = current_schema()::regnamespace
       union all
       select relname from pg_class where relkind = 'v' and relnamespace = current_schema()::regnamespace) found
     group by name`,
  );
  return new Map(rows.map(({ name, count }) => [name, count]));
}

/**
 * A view goes with its file: it holds nothing, and invariants are found by looking. A function may still be called by
 * servers of the version before, so only a migration that says so drops it.
 */
async function dropRemoved(
  client: pg.ClientBase,
  files: readonly RepeatableFile[],
  known: readonly Known[],
  present: ReadonlyMap<string, number>,
): Promise<void> {
  const made = new Set([...files.map(({ name }) => name), BREACH_VIEW]);
  const views = await client.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'v' and relnamespace = current_schema()::regnamespace`,
  );
  const isView = new Set(views.rows.map(({ name }) => name));
  for (const { name } of known.filter((row) => !made.has(row.name))) {
    if (isView.has(name)) await drop(client, [BREACH_VIEW, name]);
    else if (present.has(name)) {
      throw new MigrationFault(
        `No file makes the function ${name} any more: restore server/modules/<noun>/sql/${name}.sql, or drop it ` +
          `in a new migration ("drop function if exists ${name}").`,
      );
    }
    await client.query('delete from schema_repeatable where name = $1', [name]);
  }
}

/** A view whose columns change cannot be replaced; the one that is made of all others comes again at the end. */
async function dropChangedViews(client: pg.ClientBase, changed: readonly RepeatableFile[]): Promise<void> {
  const names = changed.filter(({ kind }) => kind === 'view').map(({ name }) => name);
  if (names.length > 0) await drop(client, [BREACH_VIEW, ...names]);
}

/** Another signature is another function to PostgreSQL: the one before would stay and go on with its old text. */
async function refuseLeftOver(client: pg.ClientBase, changed: readonly RepeatableFile[]): Promise<void> {
  const { rows } = await client.query<{ name: string; signature: string }>(
    `select proname as name, oid::regprocedure::text as signature from pg_proc
     where pronamespace = current_schema()::regnamespace and proname = any($1) and xmin <> pg_current_xact_id()::xid
     order by 2 limit 1`,
    [changed.map(({ name }) => name)],
  );
  const [left] = rows;
  if (!left) return;
  throw new MigrationFault(
    `The file ${changed.find(({ name }) => name === left.name)?.path} does not make ${left.signature} any more: ` +
      `keep it as a twin for servers of the version before, or drop it in a new migration ` +
      `("drop function if exists ${left.signature}").`,
  );
}

/**
 * The view `invariant_breach` (invariant, breaches, example): a row for each view `invariant_i<n>_*` of the
 * catalogue, so that none can be forgotten.
 * @returns false when the database has it already
 */
async function makeInvariantBreach(client: pg.ClientBase, known: Known | undefined, version: string): Promise<boolean> {
  const { rows } = await client.query<{ name: string; number: string; example: string | null }>(
    `select c.relname as name, substring(c.relname from '^invariant_i([0-9]+)_') as number,
       (select a.attname from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and a.attname = any($1)
        order by array_position($1, a.attname::text) limit 1) as example
     from pg_class c where c.relkind = 'v' and c.relname ~ '^invariant_i[0-9]+_'
       and c.relnamespace = current_schema()::regnamespace
     order by substring(c.relname from '^invariant_i([0-9]+)_')::integer, c.relname`,
    [EXAMPLE_COLUMNS],
  );
  const selects = rows.map(({ name, number, example }) => {
    const named = example ? `min(${example}::text)` : 'null::text';
    return `select 'I${number}' as invariant, count(*) as breaches, ${named} as example from ${name}`;
  });
  const file = hashSql(BREACH_VIEW, BREACH_VIEW, `create view ${BREACH_VIEW} as ${selects.join(' union all ')}`);
  const present = await client.query('select to_regclass($1) as found', [BREACH_VIEW]);
  const isThere = (present.rows[0] as { found: string | null }).found !== null;
  if (isThere && known?.sha256 === file.sha256) return false;
  await drop(client, [BREACH_VIEW]);
  if (selects.length === 0) return false;
  await client.query(file.sql);
  await record(client, file, version);
  return true;
}

async function record(client: pg.ClientBase, file: SqlFile, version: string): Promise<void> {
  await client.query(
    `insert into schema_repeatable (name, sha256, version) values ($1, $2, $3)
     on conflict (name) do update set sha256 = excluded.sha256, version = excluded.version, applied_at = now()`,
    [file.name, file.sha256, version],
  );
}

/** @throws MigrationFault with the line, where PostgreSQL tells one */
export async function runFile(client: pg.ClientBase, file: SqlFile): Promise<void> {
  try {
    await client.query(file.sql);
  } catch (error) {
    throw new MigrationFault(`${file.path} failed and all was rolled back: ${describeSqlError(error, file.sql)}.`, {
      cause: error,
    });
  }
}

function describeSqlError(error: unknown, sql: string): string {
  const { message, position, hint } = error as { message: string; position?: string; hint?: string };
  const line = position === undefined ? '' : ` (line ${sql.slice(0, Number(position)).split('\n').length})`;
  return `${message}${line}${hint === undefined ? '' : `. ${hint.replace(/\.$/, '')}`}`;
}
