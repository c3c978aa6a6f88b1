// Takes all of a month in pieces of some hundred orders, with rests in between: those who buy meanwhile wait for none.
import type { PlayerRange } from '#kernel/ids.ts';
import {
  ARCHIVED,
  type ArchivedTable,
  type Hold,
  type Month,
  type Sums,
  countRows,
  isByPlayer,
  listBuyersOf,
  listHolds,
  loseReferences,
  readReferences,
  readSums,
} from '#server/modules/orders/operator/archive-store.ts';
import type { Queryable } from '#server/platform/database/db.ts';
import { createPace } from '#server/platform/pace.ts';
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
 * The references of a month as lines of JSON, some of them or none for each piece of all references.
 * @param orders how many the month has: without any it has no references
 */
export async function* readAllReferences(
  client: Queryable,
  month: Month,
  without: readonly string[],
  orders: number,
): AsyncGenerator<string[]> {
  if (orders === 0) return;
  const read = (after: Parameters<typeof readReferences>[3]) => readReferences(client, month, without, after);
  for (let at = await read(null); at; at = await read(at)) yield at.lines;
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

/** Refuses to go on when they are not as many as were written. A month without orders has none to look for. */
export async function endReferences(
  client: Queryable,
  month: Month,
  manifest: Pick<Manifest, 'tables'>,
): Promise<void> {
  if (manifest.tables.orders.rows === 0) return;
  const pace = createPace();
  let rows = 0;
  for (let at = await loseReferences(client, month, null); at; at = await loseReferences(client, month, at)) {
    rows += at.lost;
    await pace();
  }
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
