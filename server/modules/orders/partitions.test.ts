// Tests the monthly partitions of tables that grow with orders. Orders find theirs, whatever the month and even when
// nobody made it in time, and one unpaid order of a character for a product stays one.
import { setTimeout as sleep } from 'node:timers/promises';
import type { PlayerId } from '#kernel/ids.ts';
import { ulid } from 'ulid';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Db } from '#server/platform/database/db.ts';
import { openTestDatabase } from '#testing/database.ts';
import { makePlayer, placeInput, placeTestOrder, report } from '#testing/orders.ts';
import { makePartitions, readPartitionNumbers } from './partition-store.ts';

let db: Db;
let drop: () => Promise<void>;
let player: PlayerId;
beforeAll(async () => {
  ({ db, drop } = await openTestDatabase(4));
});
beforeEach(async () => {
  player = await makePlayer(db);
});
afterAll(() => drop());

const TABLES = ['delivery', 'ledger_entry', 'order_lookup', 'orders', 'payment_attempt'];

async function partitionOf(table: string, billingNo: string): Promise<string | undefined> {
  const { rows } = await db.query<{ name: string }>(
    `select tableoid::regclass::text as name from ${table} where billing_no = $1 limit 1`,
    [billingNo],
  );
  return rows[0]?.name;
}

/** The table that a partition belongs to. */
async function partitionOfName(partition: string): Promise<string | undefined> {
  const { rows } = await db.query<{ parent: string }>(
    'select inhparent::regclass::text as parent from pg_inherits where inhrelid = to_regclass($1)',
    [partition],
  );
  return rows[0]?.parent;
}

/** A row as that of a placed order, under another number. */
async function copyOrder(like: string, billingNo: string, state: string): Promise<void> {
  await db.query(
    `insert into orders (player_id, billing_no, brand_key, game_id, client_id, product_id, server_id, server_name,
       area_id, role_id, role_name, suid, username, product, amount_minor, currency, region, country, language, state,
       expires_at)
     select player_id, $2, brand_key, game_id, client_id, product_id, server_id, server_name, area_id, role_id,
       role_name, suid, username, product, amount_minor, currency, region, country, language, $3, expires_at
     from orders where billing_no = $1`,
    [like, billingNo, state],
  );
}

async function copyTo(like: string, at: number): Promise<string> {
  const copy = ulid(at);
  await copyOrder(like, copy, 'cancelled');
  return copy;
}

test('the tables of orders are those that lie in partitions, and each has this month and the next', async () => {
  const { rows } = await db.query<{ name: string }>('select list_partitioned() as name');
  expect(rows.map(({ name }) => name)).toEqual(TABLES);
  expect(await readPartitionNumbers(db)).toEqual({ monthsAhead: 1, strays: 0 });
  // The migration made them.
  expect(await makePartitions(db)).toEqual([]);
});

test.each([
  '2001-09-09T01:46:40.000Z',
  '2026-11-01T00:00:00.000Z',
  '2026-11-30T23:59:59.999Z',
  '2031-02-28T12:34:56.789Z',
])('billing_no_at is where the numbers of %s begin', async (text) => {
  const at = Date.parse(text);
  const { rows } = await db.query<{ no: string }>('select billing_no_at($1) as no', [text]);
  expect(rows[0]?.no).toBe(ulid(at).slice(0, 10));
  expect(ulid(at - 1) < (rows[0]?.no ?? '')).toBe(true);
});

test('moments that no number can have are at its ends', async () => {
  const { rows } = await db.query(
    `select billing_no_at('-infinity') as first, billing_no_at('1969-07-20Z') as before,
      billing_no_at('infinity') as last`,
  );
  expect(rows).toEqual([{ first: '0000000000', before: '0000000000', last: '7ZZZZZZZZZ' }]);
});

test('all rows of an order lie in the month of its number, from the pay call to the goods', async () => {
  const order = await placeTestOrder(db, placeInput(player, { limit: { times: 5, days: null, subject: 'game' } }));
  await report(db, order, {});
  const { rows } = await db.query<{ month: string }>(`select to_char(now() at time zone 'UTC', '_YYYY_MM') as month`);
  for (const table of TABLES) expect(await partitionOf(table, order.billingNo)).toBe(`${table}${rows[0]?.month ?? ''}`);
});

test('over a year of a moved clock each month is made before it comes, and nothing twice', async () => {
  const order = await placeTestOrder(db, placeInput(player));
  await report(db, order, {});
  const now = new Date();
  const { rows: counted } = await db.query<{ count: number }>(
    `select count(*)::integer as count from pg_inherits where inhparent = 'orders'::regclass`,
  );
  for (let month = 1; month <= 12; month += 1) {
    const at = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + month, 1);
    // An order of the first and of the last moment, before anybody makes what is missing for that month.
    for (const moment of [at, Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + month + 1, 1) - 1]) {
      const copy = await copyTo(order.billingNo, moment);
      expect(await partitionOf('orders', copy)).toBe(
        `orders_${new Date(at).toISOString().slice(0, 7).replace('-', '_')}`,
      );
    }
    const { rows } = await db.query<{ name: string }>('select make_partitions($1) as name', [new Date(at)]);
    expect(rows).toHaveLength(TABLES.length);
    expect((await db.query('select make_partitions($1) as name', [new Date(at)])).rows).toEqual([]);
  }
  const { rows: after } = await db.query<{ count: number }>(
    `select count(*)::integer as count from pg_inherits where inhparent = 'orders'::regclass`,
  );
  expect(after[0]?.count).toBe((counted[0]?.count ?? 0) + 12);
});

test('a month keeps room as its table does, and has its first vacuum later than others', async () => {
  const at = Date.UTC(new Date().getUTCFullYear() + 3, 0, 1);
  const { rows } = await db.query<{ name: string }>('select make_partitions($1) as name', [new Date(at)]);
  expect(rows).not.toEqual([]);
  const optionsOf = async (name: string): Promise<string[]> => {
    const { rows: found } = await db.query<{ options: string[] | null }>(
      'select reloptions as options from pg_class where oid = to_regclass($1)',
      [name],
    );
    return found[0]?.options ?? [];
  };
  for (const table of TABLES) {
    const made = rows.find(({ name }) => name.startsWith(`${table}_2`))?.name ?? '';
    expect(await optionsOf(made)).toEqual([
      ...(await optionsOf(`${table}_default`)),
      'autovacuum_analyze_threshold=200000',
      'autovacuum_vacuum_threshold=200000',
      'autovacuum_vacuum_insert_threshold=200000',
    ]);
  }
});

test('an order of a month that nobody made is placed all the same, told, and makes no later month fail', async () => {
  const order = await placeTestOrder(db, placeInput(player));
  await report(db, order, {});
  const far = Date.UTC(new Date().getUTCFullYear() + 5, 5, 15);
  const stray = await copyTo(order.billingNo, far);
  expect(await partitionOf('orders', stray)).toBe('orders_default');
  expect(await readPartitionNumbers(db)).toMatchObject({ strays: 1 });
  const { rows } = await db.query<{ name: string }>('select make_partitions($1) as name', [new Date(far)]);
  const made = rows.map(({ name }) => name);
  const year = new Date(far).getUTCFullYear();
  expect(made).toContain(`orders_${year}_07`);
  expect(made).toContain(`ledger_entry_${year}_06`);
  expect(made).not.toContain(`orders_${year}_06`);
  expect(await partitionOf('orders', stray)).toBe('orders_default');
});

test('of many at once for the same goods one order is placed, whatever its number says', async () => {
  const inputs = Array.from({ length: 8 }, () => placeInput(player));
  const placed = await Promise.all(inputs.map((input) => placeTestOrder(db, input).catch((error: unknown) => error)));
  const { rows } = await db.query<{ billing_no: string }>(
    'select billing_no from orders where player_id = $1 and is_unpaid',
    [player],
  );
  expect(placed).toHaveLength(8);
  expect(rows).toHaveLength(1);
});

test('a second unpaid order has no place, also in another month; a paid one leaves its own', async () => {
  const order = await placeTestOrder(db, placeInput(player));
  const copy = ulid(Date.now() + 40 * 86_400_000);
  const take = `insert into unpaid_order (player_id, client_id, server_id, area_id, role_id, product_id, billing_no)
    select player_id, client_id, server_id, area_id, role_id, product_id, $2 from orders where billing_no = $1`;
  await expect(db.query(take, [order.billingNo, copy])).rejects.toThrow('unpaid_order_pkey');
  await report(db, order, {});
  expect((await db.query('select from unpaid_order where player_id = $1', [player])).rowCount).toBe(0);
  const next = await placeTestOrder(db, placeInput(player));
  expect((await db.query('select from unpaid_order where billing_no = $1', [next.billingNo])).rowCount).toBe(1);
});

test.each(TABLES)(
  'a month cannot go while %s is written, and who writes it comes to all the others meanwhile',
  async (held) => {
    await db.query(`select guard_month('before')`);
    const holder = await db.connect();
    const writer = await db.connect();
    try {
      await holder.query(`begin; select hold_month('before')`);
      await writer.query(`begin; set local lock_timeout = '300ms'; lock table only ${held} in row exclusive mode`);
      const dropping = holder.query(`select drop_month('before')`).catch((error: unknown) => error);
      // By now it waits for the table that is held; with the others in its hands these would be refused.
      await sleep(20);
      for (const table of TABLES) await writer.query(`lock table only ${table} in row exclusive mode`);
      expect(await dropping).toMatchObject({ code: '55P03' });
    } finally {
      await writer.query('rollback');
      writer.release();
      await holder.query('rollback');
      holder.release();
    }
    // Nothing went.
    for (const table of TABLES) expect(await partitionOfName(`${table}_before`)).toBe(table);
  },
);
