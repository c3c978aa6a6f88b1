// SQL of the rows of a month: read for its files a piece at a time, counted, and ended where they are no partitions.
import type { PlayerRange } from '#kernel/ids.ts';
import { type Db, type Queryable, query, transaction } from '#server/platform/database/db.ts';
import type { Month } from './archive-store.ts';

/** Tables whose rows go into files, and in which order their rows are written; none: as they lie. */
export const ARCHIVED = {
  orders: 'player_id, billing_no',
  order_lookup: 'billing_no',
  payment_attempt: 'player_id, billing_no, attempt_no',
  delivery: 'player_id, billing_no',
  ledger_entry: 'player_id, billing_no, kind, attempt_no, account',
  refund: 'player_id, billing_no, attempt_no',
  revocation: 'player_id, billing_no',
  provider_reference: '',
  settlement_fee: 'player_id, billing_no, attempt_no, movement, currency, at',
  audit_entry: 'id',
} as const;
export type ArchivedTable = keyof typeof ARCHIVED;
/** Those by player that are no partitions and lose their rows one by one. Acts of people stay beside their copy. */
export const LOSING = ['refund', 'revocation', 'settlement_fee'] as const;
type LosingTable = (typeof LOSING)[number];

type ByPlayerTable = Exclude<ArchivedTable, WalkedTable | 'provider_reference'>;

/** True: a table that lies by player and is read in ranges of them. */
export const isByPlayer = (table: ArchivedTable): table is ByPlayerTable => ARCHIVED[table].startsWith('player_id');

/** @param whose null: all, of a table that does not lie by player */
export async function countRows(
  db: Queryable,
  table: ArchivedTable,
  month: Month,
  whose: PlayerRange | null,
): Promise<number> {
  const of = whose ? 'and player_id >= $3 and player_id < $4' : '';
  const [row] = await query<{ count: number }>(
    db,
    `archive_count_${table}`,
    `select count(*)::integer as count from ${table} where billing_no >= $1 and billing_no < $2 ${of}`,
    [month.from, month.to, ...(whose ? [whose.from, whose.to] : [])],
  );
  return row?.count ?? 0;
}

/** Our choice: a millisecond of a processor, for which orders wait. */
const FETCHED = 25;

/**
 * Rows of a table that some players have in a month, as lines of JSON. One transaction a call: for as long as one is
 * open nothing that orders leave behind can be cleared away, and each poll walks over it.
 * @param without columns that no file holds. @param rest is called between two statements
 */
export function readLines(
  db: Db,
  table: ByPlayerTable,
  month: Month,
  without: readonly string[],
  whose: PlayerRange,
  rest: () => Promise<void>,
): Promise<string[]> {
  return transaction(db, async (client) => {
    // In the order of their keys, and by them.
    await client.query(`set transaction read only;
      set local max_parallel_workers_per_gather = 0; set local enable_seqscan = off; set local enable_sort = off`);
    await client.query(
      `declare archive_rows no scroll cursor for select (to_jsonb(t) - $3::text[])::text as line from ${table} t
       where billing_no >= $1 and billing_no < $2 and player_id >= $4 and player_id < $5 order by ${ARCHIVED[table]}`,
      [month.from, month.to, without, whose.from, whose.to],
    );
    const lines: string[] = [];
    for (;;) {
      const { rows } = await client.query<{ line: string }>(`fetch ${FETCHED} from archive_rows`);
      lines.push(...rows.map(({ line }) => line));
      if (rows.length < FETCHED) return lines;
      await rest();
    }
  });
}

/** Tables that do not lie by player are walked by their key, but for one. */
const WALKED = {
  order_lookup: { key: 'billing_no', type: 'text', first: '', isByMonth: true },
  audit_entry: { key: 'id', type: 'bigint', first: '-1', isByMonth: false },
} as const;
type WalkedTable = keyof typeof WALKED;

/** Our choice: one to two milliseconds of a processor a statement. */
const WALKED_AT_ONCE = 100;
/** The same: some hundred rows, in which those of a month lie together. */
const PAGES_AT_ONCE = 3;

/**
 * The rows of a month in a table that does not lie by player, as lines of JSON: some of them or none at a time, each
 * time by a statement of milliseconds. @param without columns that no file holds
 */
export async function* walkLines(
  db: Queryable,
  table: Exclude<ArchivedTable, ByPlayerTable>,
  month: Month,
  without: readonly string[],
): AsyncGenerator<string[]> {
  if (table === 'provider_reference') return yield* walkPages(db, table, month, without);
  let after: string | null = null;
  for (;;) {
    const piece: Piece | null = await readPiece(db, table, month, without, after);
    if (!piece) return;
    yield piece.lines;
    after = piece.last;
  }
}

/** `last`: the key that the next piece begins after. */
type Piece = { readonly last: string; readonly lines: string[] };

async function readPiece(
  db: Queryable,
  table: WalkedTable,
  month: Month,
  without: readonly string[],
  after: string | null,
): Promise<Piece | null> {
  const { first, isByMonth, key, type } = WALKED[table];
  const ofMonth = 'billing_no >= $1 and billing_no < $2';
  const [piece] = await query<Piece>(
    db,
    `archive_walk_${table}`,
    `with piece as materialized (
       select * from ${table} where ${key} > $4::${type} ${isByMonth ? `and ${ofMonth}` : ''}
       order by ${key} limit ${WALKED_AT_ONCE})
     select ${key}::text as last,
       array(select (to_jsonb(p) - $3::text[])::text from piece p where ${ofMonth} order by ${key}) as lines
     from piece order by ${key} desc limit 1`,
    [month.from, month.to, without, after ?? first],
  );
  return piece ?? null;
}

/**
 * By the pages of the table: its key is the providers' and in no order, so by the key each row lies on another page. A
 * row of the month stays where it is, for the month is held.
 */
async function* walkPages(
  db: Queryable,
  table: 'provider_reference',
  month: Month,
  without: readonly string[],
): AsyncGenerator<string[]> {
  const [size] = await query<{ pages: number }>(
    db,
    `archive_pages_${table}`,
    `select (pg_relation_size('${table}') / current_setting('block_size')::integer)::integer as pages`,
    [],
  );
  for (let page = 0; page < (size?.pages ?? 0); page += PAGES_AT_ONCE) {
    const rows = await query<{ line: string }>(
      db,
      `archive_walk_${table}`,
      `select (to_jsonb(t) - $3::text[])::text as line from ${table} t
       where ctid >= $4::tid and ctid < $5::tid and billing_no >= $1 and billing_no < $2`,
      [month.from, month.to, without, `(${page},0)`, `(${page + PAGES_AT_ONCE},0)`],
    );
    yield rows.map(({ line }) => line);
  }
}

/** Another one after VACUUM FULL or CLUSTER: rows lie on other pages then. */
export async function readFileNode(db: Queryable, table: 'provider_reference'): Promise<number> {
  const [row] = await query<{ node: number }>(
    db,
    `archive_file_node_${table}`,
    `select pg_relation_filenode('${table}')::bigint as node`,
    [],
  );
  if (!row) throw new Error(`${table} has no file.`);
  return row.node;
}

/** Ends the rows that some players have of a month beside the partitions. @returns how many of each table */
export async function loseRows(
  client: Queryable,
  month: Month,
  whose: PlayerRange,
): Promise<Readonly<Record<LosingTable, number>>> {
  const lost = { refund: 0, revocation: 0, settlement_fee: 0 };
  for (const table of LOSING) {
    const [row] = await query<{ lost: number }>(
      client,
      `archive_lose_${table}`,
      `with lost as (delete from ${table}
         where billing_no >= $1 and billing_no < $2 and player_id >= $3 and player_id < $4 returning 1)
       select count(*)::integer as lost from lost`,
      [month.from, month.to, whose.from, whose.to],
    );
    lost[table] = row?.lost ?? 0;
  }
  return lost;
}

export type Reference = { readonly provider: string; readonly provider_ref: string };

/** Ends references of a month. @returns how many were there */
export async function loseReferences(
  client: Queryable,
  month: Month,
  references: readonly Reference[],
): Promise<number> {
  const [row] = await query<{ lost: number }>(
    client,
    'archive_lose_references',
    `with lost as (
       delete from provider_reference r using unnest($1::text[], $2::text[]) as k (provider, provider_ref)
       where r.provider = k.provider and r.provider_ref = k.provider_ref and r.billing_no >= $3 and r.billing_no < $4
       returning 1)
     select count(*)::integer as lost from lost`,
    [
      references.map(({ provider }) => provider),
      references.map((reference) => reference.provider_ref),
      month.from,
      month.to,
    ],
  );
  return row?.lost ?? 0;
}
