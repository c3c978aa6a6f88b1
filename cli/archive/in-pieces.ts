// Takes all of a month in pieces of some ten orders, with rests in between: those who buy meanwhile wait for none.
import type { PlayerRange } from '#kernel/ids.ts';
import {
  ARCHIVED,
  type ArchivedTable,
  countRows,
  LOSING,
  type Reference,
  isByPlayer,
  loseReferences,
  loseRows,
  readFileNode,
  readLines,
  walkLines,
} from '#server/modules/orders/operator/archive-rows-store.ts';
import {
  type Hold,
  type Month,
  type Sums,
  listBuyersOf,
  listHolds,
  readSums,
} from '#server/modules/orders/operator/archive-store.ts';
import type { Db, Queryable } from '#server/platform/database/db.ts';
import { type Pace, createPace } from '#server/platform/pace.ts';
import { ArchiveFault, type Manifest } from './archive-files.ts';

/** In the order in which they are written. */
export const TABLES = Object.keys(ARCHIVED) as ArchivedTable[];

/** Of all players and of nobody, reasons in the order of their words. */
export async function listAllHolds(
  db: Queryable,
  month: Month,
  now: Date,
  ranges: readonly PlayerRange[],
): Promise<Hold[]> {
  const found = new Map<string, Hold>();
  for await (const range of paced([null, ...ranges]))
    for (const { reason, count, example } of await listHolds(db, month, now, range)) {
      const before = found.get(reason);
      const least = before && before.example < example ? before.example : example;
      found.set(reason, { reason, count: count + (before?.count ?? 0), example: least });
    }
  return [...found.values()].toSorted((one, other) => (one.reason < other.reason ? -1 : 1));
}

/** Of the books of a month. */
export async function readAllSums(client: Queryable, month: Month, ranges: readonly PlayerRange[]): Promise<Sums> {
  const sums: Record<string, number> = {};
  for await (const range of paced(ranges))
    for (const [key, sum] of Object.entries(await readSums(client, month, range))) sums[key] = (sums[key] ?? 0) + sum;
  return sums;
}

/** Our choice: a player has some tens of orders, and all of them are read at once. */
const BUYERS_AT_ONCE = 10;

/** Whoever bought in a month, some at a time. */
export async function* listBuyers(
  db: Queryable,
  month: Month,
  ranges: readonly PlayerRange[],
): AsyncGenerator<readonly string[]> {
  for (const range of ranges) {
    const buyers = await listBuyersOf(db, month, range);
    for (let at = 0; at < buyers.length; at += BUYERS_AT_ONCE) yield buyers.slice(at, at + BUYERS_AT_ONCE);
  }
}

/**
 * The rows of a month as lines of JSON, some of them or none at a time. Each piece is read for itself: the month is
 * held, and nothing else keeps its rows as they are.
 * @param orders how many the month has: without any it has no references to look for among all there are
 */
export async function* readAllLines(
  db: Db,
  table: ArchivedTable,
  month: Month,
  options: {
    readonly without: readonly string[];
    readonly ranges: readonly PlayerRange[];
    readonly orders: number;
    readonly pace: Pace;
  },
): AsyncGenerator<string[]> {
  const { orders, pace, ranges, without } = options;
  if (isByPlayer(table)) for (const range of ranges) yield await readLines(db, table, month, without, range, pace);
  else if (table !== 'provider_reference') yield* walkLines(db, table, month, without);
  else if (orders > 0) {
    const node = await readFileNode(db, table);
    yield* walkLines(db, table, month, without);
    if ((await readFileNode(db, table)) !== node)
      throw new ArchiveFault(
        `${table} was written anew (VACUUM FULL, CLUSTER) while its pages were read: nothing was dropped, try again.`,
      );
  }
}

/** Refuses to go on when something has changed since the files were written; references are counted as they end. */
export async function requireRows(
  client: Queryable,
  month: Month,
  manifest: Pick<Manifest, 'tables'>,
  ranges: readonly PlayerRange[],
): Promise<void> {
  for (const table of TABLES.filter((one) => one !== 'provider_reference')) {
    let rows = 0;
    for await (const range of paced(isByPlayer(table) ? ranges : [null]))
      rows += await countRows(client, table, month, range);
    requireCount(month, table, manifest, rows);
  }
}

/** Ends the rows of a month beside the partitions. Refuses to go on when they are not as many as were written. */
export async function endRows(
  client: Queryable,
  month: Month,
  manifest: Pick<Manifest, 'tables'>,
  ranges: readonly PlayerRange[],
): Promise<void> {
  const lost = { refund: 0, revocation: 0, settlement_fee: 0 };
  for await (const range of paced(ranges)) {
    const some = await loseRows(client, month, range);
    for (const table of LOSING) lost[table] += some[table];
  }
  for (const table of LOSING) requireCount(month, table, manifest, lost[table]);
}

/** Our choice: a millisecond of a processor a statement. */
const REFERENCES_AT_ONCE = 100;

/**
 * Ends the references of a month. Refuses to go on when one of those that were written is gone.
 * @param lines as its file has them
 */
export async function endReferences(
  client: Queryable,
  month: Month,
  manifest: Pick<Manifest, 'tables'>,
  lines: AsyncIterable<string>,
): Promise<void> {
  const pace = createPace();
  let rows = 0;
  let piece: Reference[] = [];
  const end = async () => {
    rows += await loseReferences(client, month, piece);
    piece = [];
    await pace();
  };
  for await (const line of lines) {
    piece.push(JSON.parse(line) as Reference);
    if (piece.length === REFERENCES_AT_ONCE) await end();
  }
  if (piece.length > 0) await end();
  requireCount(month, 'provider_reference', manifest, rows);
}

function requireCount(month: Month, table: ArchivedTable, { tables }: Pick<Manifest, 'tables'>, rows: number): void {
  if (rows !== tables[table].rows)
    throw new ArchiveFault(`${table} has changed while ${month.name} was written: nothing was dropped, try again.`);
}

/** One after the other, with rests in between. */
export async function* paced<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  const pace = createPace();
  for (const item of items) {
    yield item;
    await pace();
  }
}
