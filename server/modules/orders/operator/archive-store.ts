// SQL of the archive: which months there are, what holds one back, its rows and sums, and the step that takes it out of
// the tables. A month is told by the bounds of its orders' numbers.
import type { PlayerRange } from '#kernel/ids.ts';
import { type Db, type Queryable, query, transaction } from '#server/platform/database/db.ts';
import type { Pace } from '#server/platform/pace.ts';

export type Month = {
  /** The name of its partitions after the table's: "2026_11", or "before". */
  readonly name: string;
  /** The lowest number of an order of it, and the lowest that is none of it any more. */
  readonly from: string;
  readonly to: string;
};

/** The oldest first. */
export function listMonths(db: Queryable): Promise<Month[]> {
  return query(
    db,
    'archive_months',
    `select substring(c.relname from '^orders_(.*)$') as name,
       coalesce(substring(b.text from 'FROM \\(''([^'']+)''\\)'), '') as from,
       substring(b.text from 'TO \\(''([^'']+)''\\)') as to
     from pg_inherits i join pg_class c on c.oid = i.inhrelid
       cross join lateral (select pg_get_expr(c.relpartbound, c.oid) as text) b
     where i.inhparent = 'orders'::regclass and b.text <> 'DEFAULT' order by 2`,
  );
}

export type Hold = { readonly reason: string; readonly count: number; readonly example: string };

/** Our choice: card networks take a chargeback for 120 days, some for 180. @source docs/operating.md, "Archive" */
const DISPUTE_DAYS = 180;

/**
 * Lists the rows of a month that are not at their end; empty: none. @param now the moment that its age is counted to
 * @param whose null: what has no player
 */
export function listHolds(db: Queryable, month: Month, now: Date, whose: PlayerRange | null): Promise<Hold[]> {
  const held = (reason: string, from: string, where: string) =>
    `select '${reason}' as reason, billing_no from ${from} where billing_no >= $1 and billing_no < $2 and (${where})`;
  const of = 'player_id >= $3 and player_id < $4';
  const ofPlayers = [
    held(
      'are not finished',
      'orders',
      `${of} and state <> all ('{delivered,refunded,failed,expired,cancelled}'::text[])`,
    ),
    held(
      `moved in the last ${DISPUTE_DAYS} days`,
      'orders',
      `${of} and greatest(created_at, paid_at, delivered_at, refunded_at, closed_at) > $5::timestamptz - interval ` +
        `'${DISPUTE_DAYS} days'`,
    ),
    held(
      'have a payment that may still bring money',
      'payment_attempt',
      `${of} and (is_open or next_query_at is not null)`,
    ),
    held(
      'have a delivery that is not at its end',
      'delivery',
      `${of} and state in ('queued', 'calling', 'unknown', 'dead')`,
    ),
    held('have a refund that is not done', 'refund', `${of} and state <> 'done'`),
    held('have goods that are being taken back', 'revocation', `${of} and state in ('queued', 'calling', 'dead')`),
    held('have an event that an endpoint was not told', 'webhook_message', `${of} and state in ('queued', 'calling')`),
    `select 'owe a player money or goods', billing_no from ledger_entry
     where ${of} and billing_no >= $1 and billing_no < $2 and account in ('goods_owed', 'refund_owed')
     group by billing_no, account, currency having sum(amount_minor) <> 0`,
  ];
  const ofNobody = [
    held('have a callback that waits', 'callback_inbox', `state in ('stored', 'dead')`),
    `select 'lie in orders_default, because their month was not made in time', billing_no from orders_default
     where billing_no < $2`,
  ];
  const read = (name: string, parts: readonly string[], values: unknown[]): Promise<Hold[]> =>
    query(
      db,
      name,
      `select reason, count(distinct billing_no)::integer as count, min(billing_no) as example
       from (${parts.join(' union all ')}) held group by reason`,
      [month.from, month.to, ...values],
    );
  return whose ? read('archive_holds_of', ofPlayers, [whose.from, whose.to, now]) : read('archive_holds', ofNobody, []);
}

/** Tables whose rows go into files, and in which order their rows are written. */
export const ARCHIVED = {
  orders: 'player_id, billing_no',
  order_lookup: 'billing_no',
  payment_attempt: 'player_id, billing_no, attempt_no',
  delivery: 'player_id, billing_no',
  ledger_entry: 'player_id, billing_no, kind, attempt_no, account',
  refund: 'player_id, billing_no, attempt_no',
  revocation: 'player_id, billing_no',
  provider_reference: 'provider, provider_ref',
  settlement_fee: 'player_id, billing_no, attempt_no, movement, currency, at',
  audit_entry: 'id',
} as const;
export type ArchivedTable = keyof typeof ARCHIVED;
/** Those by player that are no partitions and lose their rows one by one. Acts of people stay beside their copy. */
export const LOSING = ['refund', 'revocation', 'settlement_fee'] as const;
type LosingTable = (typeof LOSING)[number];

/** "revenue USD": the sum of each account and currency of a month's books, minor units. */
export type Sums = Readonly<Record<string, number>>;

export async function readSums(db: Queryable, month: Month, whose: PlayerRange): Promise<Sums> {
  const rows = await query<{ key: string; sum: number }>(
    db,
    'archive_sums',
    `select account || ' ' || currency as key, sum(amount_minor)::bigint as sum from ledger_entry
     where billing_no >= $1 and billing_no < $2 and player_id >= $3 and player_id < $4 group by 1`,
    [month.from, month.to, whose.from, whose.to],
  );
  return Object.fromEntries(rows.map(({ key, sum }) => [key, sum]));
}

/** True: a table that lies by player and is read in ranges of them. */
export const isByPlayer = (table: ArchivedTable): boolean => ARCHIVED[table].startsWith('player_id');

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

/** Our choice: some milliseconds of a processor that orders wait for. */
const FETCHED = 100;

/**
 * Rows of a table that some players have in a month, as lines of JSON. One transaction a call, for as long as one is
 * open nothing that orders leave behind can be cleared away, and each poll walks over it.
 * @param without columns that no file holds. @param pace rests between two hundred rows
 */
export function readLines(
  db: Db,
  table: ArchivedTable,
  month: Month,
  without: readonly string[],
  whose: PlayerRange,
  pace: Pace,
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
      await pace();
    }
  });
}

/** Our choice: some milliseconds of a processor a statement. */
const WALKED_AT_ONCE = 500;

/** Tables that do not lie by player: where a walk by their key begins, and whether the key tells the month. */
const WALKED = {
  order_lookup: { keys: ['billing_no'], types: ['text'], first: [''], isByMonth: true },
  provider_reference: {
    keys: ['provider', 'provider_ref'],
    types: ['text', 'text'],
    first: ['', ''],
    isByMonth: false,
  },
  audit_entry: { keys: ['id'], types: ['bigint'], first: ['-1'], isByMonth: false },
} as const;
export type WalkedTable = keyof typeof WALKED;
export const isWalked = (table: ArchivedTable): table is WalkedTable => table in WALKED;

/**
 * The rows of a month among the next five hundred of a table, as lines of JSON.
 * @param without columns that no file holds. @param after `last` of the piece before. @returns null at the end
 */
export async function readPiece(
  db: Queryable,
  table: WalkedTable,
  month: Month,
  without: readonly string[],
  after: readonly string[] | null,
): Promise<{ last: string[]; lines: string[] } | null> {
  const { first, isByMonth, keys, types } = WALKED[table];
  const key = keys.join(', ');
  const passed = types.map((type, index) => `$${index + 4}::${type}`).join(', ');
  const ofMonth = 'billing_no >= $1 and billing_no < $2';
  const [piece] = await query<{ last: string[]; lines: string[] }>(
    db,
    `archive_walk_${table}`,
    `with piece as materialized (
       select * from ${table} where (${key}) > (${passed}) ${isByMonth ? `and ${ofMonth}` : ''}
       order by ${key} limit ${WALKED_AT_ONCE})
     select array[${keys.map((one) => `${one}::text`).join(', ')}] as last,
       array(select (to_jsonb(p) - $3::text[])::text from piece p where ${ofMonth} order by ${key}) as lines
     from piece order by ${keys.map((one) => `${one} desc`).join(', ')} limit 1`,
    [month.from, month.to, without, ...(after ?? first)],
  );
  return piece ?? null;
}

/** So that a month can be held. */
export async function guardMonth(db: Queryable, month: Month): Promise<void> {
  await query(db, 'archive_guard', 'select guard_month($1)', [month.name]);
}

/** Lets nothing of a month change until the transaction of `client` ends; it has no snapshot afterwards. */
export async function holdMonth(client: Queryable, month: Month): Promise<void> {
  await query(client, 'archive_hold', 'select hold_month($1)', [month.name]);
  // A statement with parameters keeps its snapshot until the next one takes its place; one without lets go of it at once.
  await client.query('select');
}

/** Of an archive of 0.2 that was killed: its month stayed frozen. */
export async function thawMonth(db: Queryable, month: Month): Promise<void> {
  await query(db, 'archive_thaw', 'select freeze_month($1, false)', [month.name]);
}

/**
 * Keeps the sums of some players' books of a month in the tables, added to those of others that the same quarter of an
 * hour has already.
 */
export async function keepSums(client: Queryable, month: Month, whose: PlayerRange): Promise<void> {
  const dimensions = `date_bin('15 minutes', m.at, '2000-01-01Z'), o.brand_key, o.game_id, o.country,
    coalesce(nullif(a.method, ''), a.channel_key), a.provider`;
  const of = 'where billing_no >= $1 and billing_no < $2 and player_id >= $3 and player_id < $4';
  await query(
    client,
    'archive_keep_sums',
    `insert into ledger_archived as kept (month, at, brand_key, game_id, country, method, provider, kind, account,
       currency, entries, amount_minor, discount_minor)
     select $5, ${dimensions}, m.kind, m.account, m.currency, count(*), sum(m.minor), sum(o.discount_minor)
     from (
       select player_id, billing_no, attempt_no, created_at as at, kind, account, currency, amount_minor as minor
         from ledger_entry ${of}
       union all select player_id, billing_no, attempt_no, at, 'fee', '', currency, fee_minor
         from settlement_fee ${of}) m
     join orders o on o.player_id = m.player_id and o.billing_no = m.billing_no
     join payment_attempt a
       on a.player_id = m.player_id and a.billing_no = m.billing_no and a.attempt_no = m.attempt_no
     group by 2, 3, 4, 5, 6, 7, 8, 9, 10
     on conflict (month, at, brand_key, game_id, country, method, provider, kind, account, currency) do update
       set entries = kept.entries + excluded.entries, amount_minor = kept.amount_minor + excluded.amount_minor,
         discount_minor = kept.discount_minor + excluded.discount_minor`,
    [month.from, month.to, whose.from, whose.to, month.name],
  );
}

/** Keeps how often some players bought in a month. */
export async function keepBuyers(client: Queryable, month: Month, whose: PlayerRange): Promise<void> {
  await query(
    client,
    'archive_keep_buyers',
    `insert into archived_buyer (player_id, orders)
     select player_id, count(*) from orders
     where billing_no >= $1 and billing_no < $2 and player_id >= $3 and player_id < $4 and delivered_at is not null
     group by player_id
     on conflict (player_id) do update set orders = archived_buyer.orders + excluded.orders`,
    [month.from, month.to, whose.from, whose.to],
  );
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

/** Who bought in a month, of a range of players. */
export async function listBuyersOf(db: Queryable, month: Month, whose: PlayerRange): Promise<string[]> {
  const rows = await query<{ player_id: string }>(
    db,
    'archive_buyers_of',
    `select distinct player_id from orders
     where billing_no >= $1 and billing_no < $2 and player_id >= $3 and player_id < $4`,
    [month.from, month.to, whose.from, whose.to],
  );
  return rows.map((row) => row.player_id);
}

export async function keepMonth(
  client: Queryable,
  month: Month,
  archived: { folder: string; manifestSha256: string; by: string; orders: number },
): Promise<void> {
  await query(
    client,
    'archive_keep_month',
    `insert into archived_month (month, from_no, to_no, folder, manifest_sha256, orders, archived_by)
     values ($3, $1, $2, $4, $5, $6, $7)`,
    [month.from, month.to, month.name, archived.folder, archived.manifestSha256, archived.orders, archived.by],
  );
}

/** Sums of a month as `ledger_archived` has them: those of readSums, when nothing was left out. */
export async function readKeptSums(db: Queryable, month: Month): Promise<Sums> {
  const rows = await query<{ key: string; sum: number }>(
    db,
    'archive_kept_sums',
    `select account || ' ' || currency as key, sum(amount_minor)::bigint as sum from ledger_archived
     where month = $1 and kind <> 'fee' group by 1 order by 1`,
    [month.name],
  );
  return Object.fromEntries(rows.map(({ key, sum }) => [key, sum]));
}

export async function dropMonth(db: Queryable, month: Month): Promise<void> {
  await query(db, 'archive_drop', 'select drop_month($1)', [month.name]);
}

/** Finds the files of an order's month. */
export async function findArchived(
  db: Queryable,
  billingNo: string,
): Promise<{ month: string; folder: string; manifest_sha256: string } | undefined> {
  const [row] = await query<{ month: string; folder: string; manifest_sha256: string }>(
    db,
    'archive_find',
    `select month, folder, manifest_sha256 from archived_month where from_no <= $1 and $1 < to_no`,
    [billingNo],
  );
  return row;
}
