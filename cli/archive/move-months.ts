// Moves finished months of orders out of the tables into files: held, written, read back and compared, and only then
// dropped. What fails on the way leaves the month where it was.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '#kernel/environment.ts';
import type { PlayerRange } from '#kernel/ids.ts';
import { DAY_MS } from '#kernel/time.ts';
import { type Configuration, countingZone, windowsAt } from '#server/modules/configuration/service.ts';
import { checkChanges, checkFully, findBrokenOf } from '#server/modules/invariants/service.ts';
import { PERSONAL_DATA } from '#server/modules/privacy/personal-data.ts';
import { listKeptBreaches, listPlayerRanges, wasLookedAt } from '#server/modules/invariants/store.ts';
import { pathInside } from '#server/platform/path-inside.ts';
import { createPace } from '#server/platform/pace.ts';
import { type Db, transaction } from '#server/platform/database/db.ts';
import type { Reads } from '#server/platform/database/reads/reads.ts';
import { isSpread } from '#server/platform/database/schema/spread.ts';
import { decodeTime } from 'ulid';
import {
  ArchiveFault,
  type Manifest,
  type TableFile,
  hasSameSums,
  readManifest,
  readTable,
  verifyFiles,
  writeManifest,
  writeTable,
} from './archive-files.ts';
import {
  TABLES,
  endReferences,
  listAllHolds,
  endRows,
  listBuyers,
  paced,
  readAllLines,
  readAllSums,
  requireRows,
} from './in-pieces.ts';
import { type ArchivedTable } from '#server/modules/orders/operator/archive-rows-store.ts';
import {
  type Hold,
  type Month,
  dropMonth,
  findArchived,
  guardMonth,
  hasOrders,
  holdMonth,
  keepBuyers,
  keepMonth,
  keepSums,
  listMonths,
  readKeptSums,
  thawMonth,
} from '#server/modules/orders/operator/archive-store.ts';

export { ArchiveFault };

export type ArchiveDeps = {
  readonly db: Db;
  /** For the look at all books, which takes a processor for a while. */
  readonly reads: Reads;
  readonly configuration: Configuration;
  readonly environment: Environment;
  /** Holds a folder for each month. */
  readonly folder: string;
  readonly by: string;
  readonly now: () => number;
};

export type ArchivedMonth = { readonly month: string; readonly folder: string; readonly orders: number };
export type Archived = {
  readonly done: readonly ArchivedMonth[];
  /** The first month that had to stay, and why; null: all that were asked for are in files. */
  readonly held: { readonly month: string; readonly holds: readonly Hold[] } | null;
};

/** Locks of busy tables are not waited for long, but often: a minute. */
const TRIES = 240;
const PAUSE_MS = 250;
/**
 * A number is as old as its order, and an order may be paid this much later and count for an event that began since.
 */
const PAID_LATER_MS = 31 * DAY_MS;

/**
 * Months go in their order, the oldest first: one that has to stay holds back those after it.
 * @param before the first moment that is not archived any more
 * @throws ArchiveFault when an invariant is broken, or files are not what was written
 */
export async function archiveBefore(deps: ArchiveDeps, before: Date): Promise<Archived> {
  if (await isSpread(deps.db))
    throw new ArchiveFault(
      'A database that is spread over machines keeps all its months: a month is held by triggers while its files are ' +
        'verified, and Citus has none on spread tables.',
    );
  const done: ArchivedMonth[] = [];
  for (const month of await listMonths(deps.db)) {
    if (endOf(month) > before.getTime()) break;
    const ranges = await listRanges(deps.db, month);
    const holds = await holdsOf(deps, month, ranges);
    await whenFree(() => thawMonth(deps.db, month));
    if (holds.length > 0) return { done, held: { month: month.name, holds } };
    if (done.length === 0) await refuseBroken(deps);
    await refuseBrokenOf(deps, month, ranges);
    done.push(await archiveMonth(deps, month, ranges));
  }
  return { done, held: null };
}

/** Our choice: the statements about so many orders take a millisecond of a processor. */
const ORDERS_AT_ONCE = 50;

async function listRanges(db: Db, month: Month): Promise<PlayerRange[]> {
  const pace = createPace();
  const ranges: PlayerRange[] = [];
  for await (const range of listPlayerRanges(db, month, ORDERS_AT_ONCE)) {
    ranges.push(range);
    await pace();
  }
  return ranges;
}

/** The first moment after a month. */
const endOf = (month: Month): number => decodeTime(month.to.padEnd(26, '0'));

async function holdsOf(
  { configuration, db, now }: ArchiveDeps,
  month: Month,
  ranges: readonly PlayerRange[],
): Promise<Hold[]> {
  const holds = await listAllHolds(db, month, new Date(now()), ranges);
  if (!(await hasOrders(db, month))) return holds;
  const events = [...configuration.games.values()].flatMap((game) =>
    game.events.flatMap((event) =>
      [...configuration.brands.values()]
        .flatMap((brand) => windowsAt(event, countingZone(brand, game), now()))
        .filter(({ startsAt }) => event.file.kind !== 'daily' && startsAt < endOf(month) + PAID_LATER_MS)
        .map(() => `${game.id} ${event.id}`),
    ),
  );
  const [example] = events;
  if (example === undefined) return holds;
  return [...holds, { reason: 'of its events can still be received', count: new Set(events).size, example }];
}

/** Our choice: a night's look, that of a shop of ten million orders takes an hour or two, and one that was missed. */
const LOOK_HOURS = 36;

/** The whole shop, as the night's look found it and what has changed since: it is not read again for an archive. */
async function refuseBroken({ db, reads }: ArchiveDeps): Promise<void> {
  if (!(await wasLookedAt(db, LOOK_HOURS))) await checkFully(db, reads, createPace());
  await checkChanges(db, createPace());
  refuse(await listKeptBreaches(db));
}

/**
 * Whoever bought in the month as they are now: this is the last look at its orders, and a hand that changed one since
 * the night's look left no note.
 */
async function refuseBrokenOf({ db }: ArchiveDeps, month: Month, ranges: readonly PlayerRange[]): Promise<void> {
  const broken = await findBrokenOf(db, listBuyers(db, month, ranges), createPace());
  refuse(broken.map(({ invariant }) => invariant));
}

function refuse(broken: readonly string[]): void {
  if (broken.length === 0) return;
  throw new ArchiveFault(
    `The books break ${broken.join(', ')}: mend them first, for what is archived is not looked at again. ` +
      '`refill invariants` says what is wrong, and looks again when it is right.',
  );
}

/**
 * One transaction holds the month from the first row that is read to the drop: whatever ends it lets go of both. Until
 * its last part it writes nothing and has no snapshot: for as long as it had one, nothing that orders leave behind
 * could be cleared away.
 */
async function archiveMonth(deps: ArchiveDeps, month: Month, ranges: readonly PlayerRange[]): Promise<ArchivedMonth> {
  const { by, db } = deps;
  const folder = pathInside(deps.folder, `refill-archive-${deps.environment}-${month.name}`);
  await whenFree(() => guardMonth(db, month));
  return transaction(db, async (client) => {
    // By their keys and planned once: pieces of a month are all alike.
    await client.query(`set local max_parallel_workers_per_gather = 0; set local enable_seqscan = off;
      set local enable_hashjoin = off; set local enable_mergejoin = off; set local plan_cache_mode = force_generic_plan;
      set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0`);
    await holdMonth(client, month);
    // A call that came in between may have moved an order.
    const holds = await listAllHolds(db, month, new Date(deps.now()), ranges);
    if (holds.length > 0) throw new ArchiveFault(`An order of ${month.name} moved at this moment: try again.`);
    const { manifest, sha256 } = await writeFiles(deps, month, folder, ranges);
    await verifyFiles(folder, await readManifest(folder, sha256));
    await requireRows(db, month, manifest, ranges);
    // From here on it writes.
    for await (const range of paced(ranges)) await keepSums(client, month, range);
    for await (const range of paced(ranges)) await keepBuyers(client, month, range);
    await endRows(client, month, manifest, ranges);
    await endReferences(client, month, manifest, readTable(folder, manifest.tables.provider_reference));
    const { rows: orders } = manifest.tables.orders;
    await keepMonth(client, month, { folder, manifestSha256: sha256, by, orders });
    if (!hasSameSums(await readKeptSums(client, month), manifest.sums))
      throw new ArchiveFault(`The sums of ${month.name} that stay are not those of its books: nothing was dropped.`);
    // The last step, and the only one that may have to be tried: what it needs is done once.
    await whenFree(() => dropOrKeep(client, month));
    return { month: month.name, folder, orders };
  });
}

/** A try that cannot have its locks leaves the transaction as it was. */
async function dropOrKeep(client: Parameters<typeof dropMonth>[0], month: Month): Promise<void> {
  await client.query('savepoint before_drop');
  try {
    await dropMonth(client, month);
  } catch (error) {
    await client.query('rollback to savepoint before_drop');
    throw error;
  }
}

async function writeFiles(
  { db, environment, now }: ArchiveDeps,
  month: Month,
  folder: string,
  ranges: readonly PlayerRange[],
): Promise<{ manifest: Omit<Manifest, 'format'>; sha256: string }> {
  const tables: Partial<Record<ArchivedTable, TableFile>> = {};
  for (const table of TABLES) {
    const pace = createPace();
    const without = personalColumnsOf(table);
    const lines = readAllLines(db, table, month, { without, ranges, orders: tables.orders?.rows ?? 0, pace });
    tables[table] = await writeTable(folder, table, lines, pace);
  }
  const manifest = {
    environment,
    month,
    written_at: new Date(now()).toISOString(),
    tables: tables as Record<ArchivedTable, TableFile>,
    sums: await readAllSums(db, month, ranges),
  };
  return { manifest, sha256: await writeManifest(folder, manifest) };
}

/**
 * Erasing a person would empty these columns of a row: they have no place in files, which nobody can erase them from.
 */
function personalColumnsOf(table: ArchivedTable): string[] {
  const columns = Object.entries(PERSONAL_DATA[table]?.columns ?? {});
  return columns.filter(([, { onErasure }]) => onErasure !== 'keep').map(([name]) => name);
}

/** Again and again while somebody holds a table (lock_not_available, deadlock_detected). */
async function whenFree<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!['55P03', '40P01'].includes((error as { code?: string }).code ?? '') || tries === TRIES) throw error;
      await sleep(PAUSE_MS);
    }
  }
}

export type ArchivedOrder = {
  readonly month: string;
  readonly folder: string;
  readonly rows: Readonly<Partial<Record<ArchivedTable, readonly unknown[]>>>;
};

/**
 * An order as its files have it; null: it is of no archived month, or of none that has it.
 * @throws ArchiveFault when the files are not here, or not what was written
 */
export async function readArchivedOrder(db: Db, billingNo: string, from?: string): Promise<ArchivedOrder | null> {
  const found = await findArchived(db, billingNo);
  if (!found) return null;
  const folder = from ?? found.folder;
  const manifest = await readManifest(folder, found.manifest_sha256);
  const rows: Partial<Record<ArchivedTable, unknown[]>> = {};
  for (const [table, listed] of Object.entries(manifest.tables) as [ArchivedTable, TableFile][])
    for await (const line of readTable(folder, listed)) {
      // Most lines are told apart without reading them as JSON.
      if (!line.includes(billingNo)) continue;
      const row = JSON.parse(line) as { billing_no: string | null };
      if (row.billing_no === billingNo) (rows[table] ??= []).push(row);
    }
  return rows.orders ? { month: found.month, folder, rows } : null;
}
