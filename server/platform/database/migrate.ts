// Brings a database to the shape this code expects. Two kinds of files: versioned ones, `migrations/0001-*.sql`, hold
// tables, indexes and reference data and are applied once each; repeatable ones,
// `server/modules/<noun>/sql/<name>.sql`, hold one function or view each and are applied again whenever their text
// changes (decision 17).
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import {
  LEFT_OVER_TABLE,
  dropKept,
  hasKept,
  keepDropped,
  listDefinitions,
  waitForRunning,
} from './schema/left-over.ts';
import { dropViews, renew, runFile } from './schema/renew.ts';
import { dropShardSchemas, makeShardSchemas } from './schema/shard-schemas.ts';
import { isSpread, setForNodes } from './schema/spread.ts';
import {
  MigrationFault,
  type RepeatableFile,
  type SqlFile,
  readRepeatable,
  readVersion,
  readVersioned,
} from './schema/sql-files.ts';

export { MigrationFault };

/** @public versioned files that were applied now, oldest first; functions and views that were made or made anew */
export type Migrated = { applied: string[]; renewed: string[] };

type Checkout = { readonly version: string; readonly versioned: SqlFile[]; readonly repeatable: RepeatableFile[] };

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** The first file of the database before the baseline, of which nothing was ever released. */
const BEFORE_BASELINE = '0001-core.sql';

// Any number will do, as long as no other advisory lock of this database uses it.
const MIGRATION_LOCK = 7_339_456;

// Our choice: whoever waits for a lock holds up all that come after, so players notice two seconds at most, and a
// table that is held for a minute by a backup ends the migration instead of the shop.
const LOCK_TIMEOUT_MS = 2000;
const TRIES = 15;
/**
 * Our choice: orders hold a table for some milliseconds; who waits behind a try that fails waits no longer than this.
 */
const QUICK_LOCK_MS = 100;
const QUICK_TRIES = 60;
const PAUSE_MS = 2000;

/** lock_not_available, deadlock_detected. @source https://www.postgresql.org/docs/18/errcodes-appendix.html */
const BUSY = ['55P03', '40P01'];

/**
 * Everything that is missing happens in one transaction: the code never meets a table of tomorrow with a function of
 * yesterday.
 * @param target a connection string, or a connected client that stays open
 * @param root of the checkout whose files count
 * @throws MigrationFault when an applied file was changed, the database is newer than the
 *   code or older than the baseline, a file fails, or tables stay in use
 */
export async function migrate(target: string | pg.ClientBase, root: string = ROOT): Promise<Migrated> {
  const checkout: Checkout = {
    version: await readVersion(root),
    versioned: await readVersioned(root),
    repeatable: await readRepeatable(root),
  };
  if (typeof target !== 'string') return migrateWhenFree(target, checkout);
  const client = new pg.Client({ connectionString: target, application_name: 'refill migrate' });
  client.on('error', () => {});
  await client.connect();
  try {
    return await migrateWhenFree(client, checkout);
  } finally {
    await client.end();
  }
}

/** Versioned files of this code that a database has not had; all of them where it has had none. */
export async function findUnapplied(db: Pick<pg.ClientBase, 'query'>): Promise<string[]> {
  const names = (await readVersioned(ROOT)).map((file) => file.name);
  const { rows: found } = await db.query<{ is_there: boolean }>(
    "select to_regclass('schema_migration') is not null as is_there",
  );
  if (!found[0]?.is_there) return names;
  const { rows } = await db.query<{ name: string }>('select name from schema_migration');
  return names.filter((name) => !rows.some((row) => row.name === name));
}

async function migrateWhenFree(client: pg.ClientBase, checkout: Checkout): Promise<Migrated> {
  for (let tries = 1; ; tries += 1) {
    try {
      // By connections of their own to the nodes, so before anything is held.
      if ((await isSpread(client)) && (await listMissing(client, checkout.versioned)).length > 0)
        await dropShardSchemas(client);
      const migrated = await inLockedTransaction(client, () => applyMissing(client, checkout));
      await makePartitions(client, checkout);
      if (await isSpread(client)) await makeSchemasOfShards(client);
      await dropWhenUnused(client);
      return migrated;
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (tries === TRIES) {
        throw new MigrationFault(
          'The migration waited in vain for a table that something else holds (a backup, a long query): try later.',
          { cause: error },
        );
      }
      await sleep(PAUSE_MS);
    }
  }
}

/** After the migration, for which orders wait. What cannot be made now is made by the next worker within the hour. */
async function makePartitions(client: pg.ClientBase, { repeatable }: Checkout): Promise<void> {
  if (!repeatable.some(({ name }) => name === 'make_partitions')) return;
  await inLockedTransaction(client, () => client.query('select make_partitions()')).catch((error: unknown) => {
    if (!isBusy(error)) throw error;
  });
}

/** Everything is applied by now, and right without them. */
async function makeSchemasOfShards(client: pg.ClientBase): Promise<void> {
  await makeShardSchemas(client).catch((cause: Error) => {
    throw new MigrationFault(
      `Everything is applied, but nodes lack the functions of batches: ${cause.message}. Orders go by the coordinator, ` +
        'which takes longer, until `refill database distribute` has made them.',
      { cause },
    );
  });
}

/** Functions that cannot be dropped now are dropped by the next migration. */
async function dropWhenUnused(client: pg.ClientBase): Promise<void> {
  if (!(await hasKept(client))) return;
  await waitForRunning(client);
  await inLockedTransaction(client, () => dropKept(client)).catch((error: unknown) => {
    if (!isBusy(error)) throw error;
  });
}

function isBusy(error: unknown): boolean {
  const cause = error instanceof MigrationFault ? error.cause : error;
  return BUSY.includes((cause as { code?: string } | undefined)?.code ?? '');
}

async function applyMissing(client: pg.ClientBase, checkout: Checkout): Promise<Migrated> {
  await client.query(`
    create table if not exists schema_migration (
      name text primary key,
      sha256 text not null,
      applied_at timestamptz not null default now()
    );
    create table if not exists schema_repeatable (
      name text primary key,
      sha256 text not null,
      version text not null,
      applied_at timestamptz not null default now()
    );
    ${LEFT_OVER_TABLE}`);
  await dropKept(client);
  const missing = await listMissing(client, checkout.versioned);
  await lockTables(client, missing, checkout.repeatable);
  const before = missing.length > 0 ? await listDefinitions(client) : [];
  if (missing.length > 0) await dropViews(client);
  for (const file of missing) {
    await runFile(client, file);
    await client.query('insert into schema_migration (name, sha256) values ($1, $2)', [file.name, file.sha256]);
  }
  const renewed = await renew(client, checkout.repeatable, checkout.version);
  if (renewed.length > 0 && (await isSpread(client))) await setForNodes(client);
  await keepDropped(client, before);
  return { applied: missing.map(({ name }) => name), renewed };
}

/**
 * Takes every table that the files name at once, or none: taken one after the other while orders flow, a migration and
 * an order would each hold what the other waits for. Whoever is waited for is let through between two tries.
 */
async function lockTables(
  client: pg.ClientBase,
  missing: readonly SqlFile[],
  repeatable: readonly SqlFile[],
): Promise<void> {
  if (missing.length === 0) return;
  const words = new Set(missing.flatMap(({ sql }) => sql.match(/\w+/g) ?? []));
  for (const { sql } of repeatable)
    for (const [, table = ''] of sql.matchAll(/create (?:constraint )?trigger [^;]{1,500}? on (\w+)/g))
      words.add(table);
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace
       and relname not like 'schema\\_%' and not relispartition`,
  );
  const tables = rows.flatMap(({ name }) => (words.has(name) ? [name] : []));
  if (tables.length === 0) return;
  for (let tries = 1; ; tries += 1) {
    await client.query(`savepoint locks; set local lock_timeout = ${QUICK_LOCK_MS}`);
    try {
      await client.query(`lock table ${tables.join(', ')} in access exclusive mode`);
      // The objects made below must be of this transaction itself: those that a file no longer makes are told apart by
      // it.
      await client.query(`release savepoint locks; set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
      return;
    } catch (error) {
      await client.query('rollback to savepoint locks; release savepoint locks');
      if (tries === QUICK_TRIES || !isBusy(error)) throw error;
      await sleep(QUICK_LOCK_MS * Math.random());
    }
  }
}

async function listMissing(client: pg.ClientBase, versioned: readonly SqlFile[]): Promise<readonly SqlFile[]> {
  const { rows } = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from schema_migration order by name',
  );
  refuseUnfit(rows, versioned);
  return versioned.slice(rows.length);
}

function refuseUnfit(recorded: { name: string; sha256: string }[], versioned: readonly SqlFile[]): void {
  if (recorded[0]?.name === BEFORE_BASELINE) {
    throw new MigrationFault('This database is from before the first release of Refill: start with an empty one.');
  }
  for (const [index, row] of recorded.entries()) {
    const file = versioned.find((migration) => migration.name === row.name);
    if (!file) {
      throw new MigrationFault(
        `The database is newer than this code: it has had the migration ${row.name}, which is not here.`,
      );
    }
    if (file.sha256 !== row.sha256) {
      throw new MigrationFault(
        `The migration ${row.name} was changed after it was applied: restore it and write the change as a new one.`,
      );
    }
    const late = versioned[index];
    if (late && late !== file) {
      throw new MigrationFault(
        `The migration ${late.name} came in before ${row.name}, which was applied already: give it the next ` +
          'free number.',
      );
    }
  }
}

// The lock belongs to the transaction, not the session, so that it also holds behind a pooler that shares sessions.
async function inLockedTransaction<Result>(client: pg.ClientBase, work: () => Promise<Result>): Promise<Result> {
  await client.query('begin');
  try {
    // Other replicas that start may take their time; only tables are not waited for.
    await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}
