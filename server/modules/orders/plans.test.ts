// Plans of the money path on a database that was looked at in a quiet hour, when nothing was unpaid, open or
// due: an index of what is unpaid was empty then, and reading all of it looked as cheap as reading one player's part.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY_MS } from '#kernel/time.ts';
import { type Db, query } from '#server/platform/database/db.ts';
import { openTestDatabase } from '#testing/database.ts';
import { makePlayer, placeInput, placeTestOrder, report } from '#testing/orders.ts';
import { findOrder, listDeliveredBefore } from './find-store.ts';
import { leaseDueAttempts, leaseExpiredOrders, leaseQuery } from './payments/attempt-store.ts';
import { recordDeliveryResults } from './deliveries/delivery-store.ts';

let db: Db;
let drop: () => Promise<void>;
beforeAll(async () => {
  // One connection: what it counts is told when it ends.
  ({ db, drop } = await openTestDatabase(1));
});
afterAll(() => drop());

async function buy(): Promise<void> {
  const player = await makePlayer(db);
  const order = await placeTestOrder(db, placeInput(player, { idempotency_key: 'k' }));
  await leaseQuery(db, { playerId: player, ...order }, 5);
  await report(db, order, { leaseSeconds: 15 });
  await recordDeliveryResults(db, [
    {
      player_id: player,
      billing_no: order.billingNo,
      tries: 1,
      kind: 'done',
      receipt_id: 'R',
      reason: null,
      retry_in_seconds: null,
      on_declined: 'review',
    },
  ]);
}

const countScans = async () => {
  await db.query('select pg_stat_force_next_flush()');
  await db.query('select pg_stat_clear_snapshot()');
  return query<{ name: string; scans: number }>(
    db,
    'test_scans',
    `select i.inhparent::regclass::text as name, sum(s.idx_scan)::integer as scans
     from pg_stat_user_indexes s join pg_inherits i on i.inhrelid = s.indexrelid
     where i.inhparent::regclass::text = any('{orders_expiring,orders_in_review,payment_attempt_due,delivery_due}')
     group by 1 order by 1`,
  );
};

test('a player buys by keys alone, whatever the statistics say of what waits', async () => {
  for (let count = 0; count < 30; count += 1) await buy();
  await db.query('vacuum analyze');
  await db.query('discard plans');
  const before = await countScans();
  expect(before).toHaveLength(4);
  for (let count = 0; count < 12; count += 1) await buy();
  expect(await countScans()).toEqual(before);
});

test.each([
  ['what has expired', 'orders', 'orders_expiring', () => leaseExpiredOrders(db, 10, 300)],
  ['what is to be asked about', 'payment_attempt', 'payment_attempt_due', () => leaseDueAttempts(db, 10, 300, 5, [])],
])('%s is found by its index', async (_, table, index, lease) => {
  const scansOf = async () => (await countScans()).find(({ name }) => name === index)?.scans ?? 0;
  const before = await scansOf();
  await db.query('set enable_seqscan = off');
  await lease();
  await db.query('reset enable_seqscan');
  // Once in each partition: those of old months hold nothing unpaid.
  const { rowCount } = await db.query(`select from pg_inherits where inhparent = $1::regclass`, [table]);
  expect(await scansOf()).toBe(before + (rowCount ?? 0));
});

/** Partitions of both tables that a statement had to do with: a plan locks those that it was not told to leave out. */
async function countPartitions(run: () => Promise<unknown>): Promise<Record<string, number>> {
  await db.query('begin');
  try {
    await run();
    const rows = await query<{ name: string; count: number }>(
      db,
      'test_partitions',
      `select i.inhparent::regclass::text as name, count(*)::integer as count
       from pg_locks l join pg_inherits i on i.inhrelid = l.relation
       where l.pid = pg_backend_pid() and i.inhparent = any('{orders,payment_attempt}'::regclass[]) group by 1`,
    );
    return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
  } finally {
    await db.query('rollback');
  }
}

test('an order is read from its month alone, what was bought before from the last months alone', async () => {
  const player = await makePlayer(db);
  const { billingNo } = await placeTestOrder(db, placeInput(player));
  // Months ahead are made; here the same moment counts as one of a year later, with all of them behind it.
  const inAYear = Date.now() + 400 * DAY_MS;
  expect(await countPartitions(() => findOrder(db, player, billingNo))).toEqual({ orders: 1, payment_attempt: 1 });
  expect(await countPartitions(() => listDeliveredBefore(db, player, '1', null, inAYear))).toEqual({
    orders: 1,
    payment_attempt: 1,
  });
});
