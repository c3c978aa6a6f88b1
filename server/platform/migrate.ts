// Brings a database to the shape this code expects: forward-only SQL files `migrations/0001-*.sql`, each applied once, each in one transaction.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

/** `equals`: hashes of former texts of the file that leave the same database behind. */
type Migration = { name: string; sql: string; sha256: string; equals: readonly string[] };

/** `message` is one sentence for a person; print it without a stack. */
export class MigrationFault extends Error {
  override readonly name = 'MigrationFault';
}

const FOLDER = fileURLToPath(new URL('../../migrations/', import.meta.url));

// Any number will do, as long as no other advisory lock of this database uses it.
const MIGRATION_LOCK = 7_339_456;

/**
 * @param target a connection string, or a connected client that stays open
 * @param folder where the files are; default `migrations/`
 * @returns the names of the files that were applied now, oldest first
 * @throws MigrationFault when an applied file was changed, the database is newer than the code, or a file fails (which rolls back whole)
 */
export async function migrate(target: string | pg.ClientBase, folder: string = FOLDER): Promise<{ applied: string[] }> {
  const migrations = await readMigrations(folder);
  if (typeof target !== 'string') return { applied: await applyMissing(target, migrations) };
  const client = new pg.Client({ connectionString: target, application_name: 'refill migrate' });
  client.on('error', () => {});
  await client.connect();
  try {
    return { applied: await applyMissing(client, migrations) };
  } finally {
    await client.end();
  }
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted();
  const migrations: Migration[] = [];
  for (const [index, name] of names.entries()) {
    if (!/^\d{4}-/.test(name) || names[index - 1]?.slice(0, 4) === name.slice(0, 4)) {
      throw new MigrationFault(
        `The migration ${name} needs a number of its own in front: four digits, higher than those of the files before it.`,
      );
    }
    // A checkout on Windows may turn line ends over; that is not a change.
    const sql = (await readFile(join(folder, name), 'utf8')).replaceAll('\r\n', '\n');
    migrations.push({ name, sql, sha256: createHash('sha256').update(sql).digest('hex'), equals: readFormer(sql) });
  }
  return migrations;
}

/** A file that failed somewhere may be mended, when it says which texts it stands for; whoever has had one of them needs nothing but the files after it. */
function readFormer(sql: string): string[] {
  return [...sql.matchAll(/^-- Same outcome as ([0-9a-f]{64})$/gm)].map(([, sha256 = '']) => sha256);
}

async function applyMissing(client: pg.ClientBase, migrations: Migration[]): Promise<string[]> {
  const applied: string[] = [];
  await inLockedTransaction(client, async () => {
    const known = await client.query("SELECT to_regclass('schema_migration') IS NOT NULL AS there");
    if (known.rows[0]?.there) return;
    await client.query(`
      CREATE TABLE schema_migration (
        name text PRIMARY KEY,
        sha256 text NOT NULL,
        applied_at timestamptz NOT NULL DEFAULT now()
      )`);
  });
  for (;;) {
    const name = await inLockedTransaction(client, () => applyNext(client, migrations));
    if (name === undefined) return applied;
    applied.push(name);
  }
}

/** Looks again inside the lock, because another replica may have applied the file while this one waited. */
async function applyNext(client: pg.ClientBase, migrations: Migration[]): Promise<string | undefined> {
  const { rows } = await client.query<{ name: string; sha256: string }>(
    'SELECT name, sha256 FROM schema_migration ORDER BY name',
  );
  refuseUnfit(rows, migrations);
  const next = migrations[rows.length];
  if (!next) return undefined;
  try {
    await client.query(next.sql);
  } catch (error) {
    throw new MigrationFault(
      `The migration ${next.name} failed and was rolled back: ${describeSqlError(error, next.sql)}.`,
      { cause: error },
    );
  }
  await client.query('INSERT INTO schema_migration (name, sha256) VALUES ($1, $2)', [next.name, next.sha256]);
  return next.name;
}

function refuseUnfit(recorded: { name: string; sha256: string }[], migrations: Migration[]): void {
  for (const [index, row] of recorded.entries()) {
    const file = migrations.find((migration) => migration.name === row.name);
    if (!file) {
      throw new MigrationFault(
        `The database is newer than this code: it has had the migration ${row.name}, which this checkout does not know.`,
      );
    }
    if (file.sha256 !== row.sha256 && !file.equals.includes(row.sha256)) {
      throw new MigrationFault(
        `The migration ${row.name} was changed after it was applied: restore the file and write the change as a new migration.`,
      );
    }
    const late = migrations[index];
    if (late && late !== file) {
      throw new MigrationFault(
        `The migration ${late.name} came in before ${row.name}, which this database has had already: give it the next free number.`,
      );
    }
  }
}

function describeSqlError(error: unknown, sql: string): string {
  const { message, position } = error as { message: string; position?: string };
  if (position === undefined) return message;
  return `${message} (line ${sql.slice(0, Number(position)).split('\n').length})`;
}

// The lock belongs to the transaction, not the session, so that it also holds behind a pooler that shares sessions.
async function inLockedTransaction<Result>(client: pg.ClientBase, work: () => Promise<Result>): Promise<Result> {
  await client.query('BEGIN');
  try {
    await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    const result = await work();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}
