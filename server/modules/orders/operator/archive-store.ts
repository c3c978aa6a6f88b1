// SQL of the archive: which months there are, what holds one back, its sums, and the step that takes it out of the
// tables. A month is told by the bounds of its orders' numbers.
import type { PlayerRange } from '#kernel/ids.ts';
import { type Queryable, query } from '#server/platform/database/db.ts';

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

export async function hasOrders(db: Queryable, month: Month): Promise<boolean> {
  const rows = await query(db, 'archive_any', 'select from orders where billing_no >= $1 and billing_no < $2 limit 1', [
    month.from,
    month.to,
  ]);
  return rows.length > 0;
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

/** So that a month can be held. */
export async function guardMonth(db: Queryable, month: Month): Promise<void> {
  await query(db, 'archive_guard', 'select guard_month($1)', [month.name]);
}

/** Lets nothing of a month change until the transaction of `client` ends; it has no snapshot afterwards. */
export async function holdMonth(client: Queryable, month: Month): Promise<void> {
  await query(client, 'archive_hold', 'select hold_month($1)', [month.name]);
  // A statement with parameters keeps its snapshot until the next one takes its place; one without lets go of it.
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

/** Buyers of a month, of a range of players. */
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
