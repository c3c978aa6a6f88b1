// The database a command works on: the operator's own, or the embedded one of the data folder, started for the
// command when nobody runs it.
import { join } from 'node:path';
import { readDatabaseUrl, readReplicaSettings } from '#server/platform/config.ts';
import { openDb, type Db } from '#server/platform/database/db.ts';
import { ensureAccount, isRoot, openFolder } from '#server/platform/database/embedded-postgres-account.ts';
import { findRunningUrl } from '#server/platform/database/embedded-postgres-running.ts';
import { assignEnvironment, requireEnvironment } from '#server/platform/database/environment.ts';
import { migrate } from '#server/platform/database/migrate.ts';
import { openReads } from '#server/platform/database/reads/open-reads.ts';
import type { Read, Reads } from '#server/platform/database/reads/reads.ts';
import { makeFolders } from '#server/platform/make-folders.ts';
import { locateData } from '#server/platform/settings/shop-folder.ts';
import { explainDatabase } from './database-fault.ts';
import { readCommandEnvironment } from './environment.ts';
import { loadDemonstration } from './load-demonstration.ts';
import type { Terminal } from './terminal.ts';

/** Reconciling and checking read whole tables, and raise the database's own limit to this. */
const LONGEST_MS = 600_000;

/**
 * Opens the pool of a command. It runs a statement once or twice, so a name would gain nothing, and some poolers keep
 * none.
 */
export function openCommandDb(url: string, { max = 1, answerMs = LONGEST_MS } = {}): Db {
  return openDb(url, { max, answerMs, preparesStatements: false, onError: () => undefined });
}

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Runs `work` with a pool, and ends whatever was started for it.
 * @param work `prepare` brings the tables to this code's shape and gives the database to the environment: to be called
 *   once it is certain that something will be written
 * @param options.environment DATABASE_URL or DATABASE_URL_FILE, else REFILL_DATA (default `.data`), as `npm start`
 *   reads them; and REFILL_ENVIRONMENT
 * @throws EnvironmentFault when the database belongs to the other environment; nothing was changed then
 */
export async function withDatabase<Result>(
  options: { environment: Variables },
  work: (db: Db, url: string, prepare: () => Promise<void>) => Promise<Result>,
): Promise<Result> {
  const side = readCommandEnvironment(options.environment);
  const { url, stop } = await findDatabase(options.environment);
  const isNamed = readDatabaseUrl(options.environment) !== null;
  const where = { url, isNamed, folder: locateData(options.environment) };
  try {
    const db = openCommandDb(url, { max: 2 });
    try {
      await requireEnvironment(db, side);
      return await work(db, url, async () => {
        await migrate(url);
        await assignEnvironment(db, side);
      });
    } catch (error) {
      throw (await explainDatabase(error, where, db)) ?? error;
    } finally {
      await db.end();
    }
  } finally {
    await stop();
  }
}

/** Our choice: a person who asks for a report waits as long for the replica to catch up. */
const REPLICA_WAIT_MS = 3000;

/**
 * Reads at the replica of DATABASE_READ_URL, and where there is none, or it is too far behind, at the primary.
 * @param work only reads; see Reads
 */
export function withReads<Result>(
  terminal: Pick<Terminal, 'environment' | 'err'>,
  work: (db: Db) => Promise<Result>,
): Promise<Read<Result>> {
  return withDatabase({ environment: terminal.environment }, async (db) => {
    const reads = openCommandReads(terminal, db);
    try {
      return await reads.read(work, REPLICA_WAIT_MS);
    } finally {
      await reads.close();
    }
  });
}

/** The caller closes them. */
export function openCommandReads({ environment, err }: Pick<Terminal, 'environment' | 'err'>, db: Db): Reads {
  const settings = { ...readReplicaSettings(environment), poolSize: 2, preparesStatements: false };
  const warn = (_facts: object, sentence: string) => err(`${sentence[0]?.toUpperCase()}${sentence.slice(1)}.`);
  return openReads(settings, db, { info: () => undefined, warn }, { answerMs: LONGEST_MS });
}

/** The line under what a command shows, and nothing where the primary was read. */
export const describeBehind = (behindSeconds: number | null): string =>
  behindSeconds === null ? '' : `Read from the replica: as of ${behindSeconds.toFixed(1)} s ago at most.`;

async function findDatabase(variables: Variables): Promise<{ url: string; stop: () => Promise<void> }> {
  const given = readDatabaseUrl(variables);
  if (given) return { url: given, stop: async () => undefined };
  const folder = locateData(variables);
  const dataDir = join(folder, 'postgres');
  // A shop that runs from this folder goes on using its database; the command only borrows it.
  const running = await findRunningUrl(dataDir);
  if (running) return { url: running, stop: async () => undefined };
  // Loaded only now: the package takes every signal for itself, and `refill serve` in the same
  // process has to drain at one.
  const { startEmbeddedPostgres } = await loadDemonstration(
    'DATABASE_URL is not set, and the PostgreSQL of the demonstration is',
    () => import('#server/platform/database/embedded-postgres.ts'),
  );
  await makeFolders(folder, 0o700);
  // Under root PostgreSQL runs as an account of its own, which has to pass through the folder.
  if (isRoot()) await openFolder(folder, await ensureAccount());
  const { socketUrl, stop } = await startEmbeddedPostgres({ dataDir });
  return { url: socketUrl, stop };
}
