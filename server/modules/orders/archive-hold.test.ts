// The month that is being archived: nobody changes it meanwhile, and nobody has to wait for that.
import { setTimeout as sleep } from 'node:timers/promises';
import type { PlayerId } from '#kernel/ids.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { DAY_MS } from '#kernel/time.ts';
import { type Db } from '#server/platform/database/db.ts';
import { holdMonth } from './operator/archive-store.ts';
import { openTestDatabase } from '#testing/database.ts';
import { makePlayer, placeInput, placeTestOrder, report } from '#testing/orders.ts';

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

const TABLES = 5;

/** Rows that changed, or why none did. */
const touch = (billingNo: string) =>
  db.query('update orders set is_late = is_late where billing_no = $1', [billingNo]).then(
    ({ rowCount }) => rowCount,
    (error: unknown) => (error as Error).message,
  );
async function monthOf(billingNo: string): Promise<string> {
  const { rows } = await db.query<{ name: string }>(
    'select tableoid::regclass::text as name from orders where billing_no = $1',
    [billingNo],
  );
  return rows[0]?.name.replace('orders_', '') ?? '';
}
const HELD = 'the month of this order is being archived';

test('a held month does not change until the transaction that holds it ends, however it ends', async () => {
  const order = await placeTestOrder(db, placeInput(player));
  const month = await monthOf(order.billingNo);
  await expect(db.query('select hold_month($1)', [month])).rejects.toThrow('is not guarded');
  expect((await db.query<{ made: number }>('select guard_month($1) as made', [month])).rows).toEqual([
    { made: TABLES },
  ]);
  expect((await db.query<{ made: number }>('select guard_month($1) as made', [month])).rows).toEqual([{ made: 0 }]);
  // Guarded alone it is as it was.
  expect(await touch(order.billingNo)).toBe(1);
  const holder = await db.connect();
  try {
    await holder.query('begin');
    await holdMonth(holder, { name: month, from: '', to: '' });
    expect(await touch(order.billingNo)).toBe(HELD);
    // For hours it may be, and what orders leave behind is cleared away meanwhile.
    const { rows } = await db.query(
      `select backend_xmin, backend_xid from pg_stat_activity
       where datname = current_database() and state = 'idle in transaction'`,
    );
    expect(rows).toEqual([{ backend_xmin: null, backend_xid: null }]);
    await expect(report(db, order, {})).rejects.toThrow(HELD);
    await expect(placeTestOrder(db, placeInput(player, { product_id: 'star_260' }))).rejects.toThrow(HELD);
    await holder.query('rollback');
    expect(await touch(order.billingNo)).toBe(1);
    // A process that is killed in between leaves nothing behind.
    await holder.query('begin');
    await holder.query('select hold_month($1)', [month]);
  } finally {
    holder.release(new Error('killed'));
  }
  await expect.poll(() => touch(order.billingNo)).toBe(1);
  await report(db, order, {});
});

test('a month is not held until who was writing it is done', async () => {
  const order = await placeTestOrder(db, placeInput(player));
  const month = await monthOf(order.billingNo);
  await db.query('select guard_month($1)', [month]);
  const writer = await db.connect();
  const holder = await db.connect();
  try {
    await writer.query('begin');
    await writer.query('update orders set is_late = is_late where billing_no = $1', [order.billingNo]);
    await holder.query('begin');
    let isHeld = false;
    const holding = holder.query('select hold_month($1)', [month]).then(() => (isHeld = true));
    await sleep(50);
    expect(isHeld).toBe(false);
    await writer.query('commit');
    await holding;
    expect(await touch(order.billingNo)).toBe(HELD);
  } finally {
    await holder.query('rollback');
    for (const client of [writer, holder]) client.release();
  }
});

test('a month cannot be dropped by anybody who does not hold it', async () => {
  await db.query(`select guard_month('before')`);
  const holder = await db.connect();
  try {
    await holder.query(`begin; select hold_month('before')`);
    await expect(db.query(`select drop_month('before')`)).rejects.toThrow('is not frozen');
    await holder.query('rollback');
    await expect(holder.query(`select drop_month('before')`)).rejects.toThrow('is not frozen');
  } finally {
    holder.release();
  }
});

test('a month was guarded long before, a month at each call, once it had ended 90 days ago', async () => {
  const guarded = async () =>
    (
      await db.query<{ name: string }>(
        `select tgrelid::regclass::text as name from pg_trigger
         where tgname = 'archive_guard' and tgrelid::regclass::text like 'orders_%' order by 1`,
      )
    ).rows.map(({ name }) => name);
  const before = new Set(await guarded());
  const now = new Date();
  const next = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
  const name = `orders_${next.toISOString().slice(0, 7).replace('-', '_')}`;
  expect(before).not.toContain(name);
  const end = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 2, 1);
  const callAt = async (at: number) => db.query('select make_partitions($1)', [new Date(at)]);
  for (let calls = 0; calls < 3; calls += 1) await callAt(end + 89 * DAY_MS);
  expect(await guarded()).not.toContain(name);
  for (let calls = 0; calls < 3; calls += 1) await callAt(end + 91 * DAY_MS);
  expect(await guarded()).toContain(name);
});
