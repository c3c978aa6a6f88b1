// Each queue of the shop is a table whose due rows are leased by one function. Of all of them the same is true: two
// processes never get one row, a leased row is nobody else's until its lease ends, and it ends by itself.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { BillingNo } from '#kernel/ids.ts';
import { type Db, type Queryable, query } from '#server/platform/database/db.ts';
import { leaseRewards } from '#server/modules/events/store.ts';
import { leaseErasures } from '#server/modules/privacy/erasing/erasure-store.ts';
import { leaseMessages } from '#server/modules/webhooks/store.ts';
import { openTestDatabase } from '#testing/database.ts';
import { makePlayer, placeInput, placeTestOrder, report } from '#testing/orders.ts';
import { leaseDeliveries } from './deliveries/delivery-store.ts';
import { leaseDueAttempts, leaseExpiredOrders, leaseWaitingCallbacks } from './payments/attempt-store.ts';
import { leaseCapture, releaseCapture } from './payments/capture-store.ts';
import { leaseRefunds, leaseRevocations } from './refunds/refund-store.ts';

let db: Db;
let drop: () => Promise<void>;
beforeAll(async () => {
  ({ db, drop } = await openTestDatabase(8));
});
afterAll(() => drop());

const LEASE_SECONDS = 60;
const ROWS = 12;

type Queue = {
  readonly name: string;
  readonly table: string;
  /** Makes one due row for each of the orders. */
  readonly fill: (orders: readonly string[]) => Promise<unknown>;
  /** Leases what is due and answers which orders it got. */
  readonly lease: (on: Queryable, limit: number) => Promise<readonly string[]>;
  /** Makes it as late as the end of the lease. */
  readonly endLeases: string;
};

const numbersOf = (rows: readonly { billing_no: string }[]) => rows.map((row) => row.billing_no);
const ofOrders = (text: string) => (orders: readonly string[]) => db.query(text, [orders]);

const QUEUES: readonly Queue[] = [
  {
    name: 'deliveries',
    table: 'delivery',
    fill: ofOrders(
      `insert into delivery (player_id, billing_no, game_id)
       select player_id, billing_no, game_id from orders where billing_no = any($1)`,
    ),
    lease: async (on, limit) => numbersOf(await leaseDeliveries(on, limit, LEASE_SECONDS, [])),
    endLeases: `update delivery set next_at = next_at - interval '60 seconds'`,
  },
  {
    name: 'refunds',
    table: 'refund',
    fill: ofOrders(
      `insert into refund (player_id, billing_no, attempt_no, reason, requested_by, amount_minor, currency)
       select player_id, billing_no, 1, 'r', 'anna', 499, 'USD' from orders where billing_no = any($1)`,
    ),
    lease: async (on, limit) => numbersOf(await leaseRefunds(on, limit, LEASE_SECONDS)),
    endLeases: `update refund set next_at = next_at - interval '60 seconds'`,
  },
  {
    name: 'revocations',
    table: 'revocation',
    fill: ofOrders(
      `insert into revocation (player_id, billing_no, game_id, reason)
       select player_id, billing_no, game_id, 'r' from orders where billing_no = any($1)`,
    ),
    lease: async (on, limit) => numbersOf(await leaseRevocations(on, limit, LEASE_SECONDS)),
    endLeases: `update revocation set next_at = next_at - interval '60 seconds'`,
  },
  {
    name: 'due attempts',
    table: 'payment_attempt',
    fill: ofOrders('update payment_attempt set next_query_at = now() where billing_no = any($1)'),
    lease: async (on, limit) => numbersOf(await leaseDueAttempts(on, limit, LEASE_SECONDS, 5, [])),
    endLeases: `update payment_attempt set next_query_at = next_query_at - interval '60 seconds',
      queried_at = queried_at - interval '60 seconds' where queried_at is not null`,
  },
  {
    name: 'expired orders',
    table: 'orders',
    fill: ofOrders('update orders set expires_at = now() where billing_no = any($1)'),
    lease: async (on, limit) => numbersOf(await leaseExpiredOrders(on, limit, LEASE_SECONDS)),
    endLeases: `update orders set expiry_lease_until = expiry_lease_until - interval '60 seconds'`,
  },
  {
    name: 'waiting callbacks',
    table: 'callback_inbox',
    fill: ofOrders(
      `insert into callback_inbox (provider, dedup_key, report, headers, body, next_try_at)
       select 'paypal', o, '{}', '{}', '', now() from unnest($1::text[]) o`,
    ),
    lease: async (on, limit) =>
      (await leaseWaitingCallbacks(on, limit, LEASE_SECONDS)).map((callback) => callback.dedup_key),
    endLeases: `update callback_inbox set lease_until = lease_until - interval '60 seconds'`,
  },
  {
    name: 'erasures',
    table: 'erasure',
    fill: ofOrders(
      `insert into erasure (player_id, erasure_no, gives_up_balance, due_at, next_at)
       select player_id, 'ER-' || billing_no, false, now(), now() from orders where billing_no = any($1)`,
    ),
    lease: async (on, limit) =>
      (await leaseErasures(on, limit, LEASE_SECONDS)).map((wish) => wish.erasure_no.replace('ER-', '')),
    endLeases: `update erasure set next_at = next_at - interval '60 seconds'`,
  },
  {
    name: 'rewards',
    table: 'reward',
    fill: ofOrders(
      `insert into reward (player_id, account_id, reward_no, issue_key, brand_key, game_id, client_id, server_id, area_id, role_id,
         role_name, suid, product_id, gifts, title, basis)
       select player_id, player_id, 'RW-' || billing_no, billing_no, brand_key, game_id, client_id, server_id, area_id, role_id,
         role_name, suid, product_id, '[]', '{}', '{}' from orders where billing_no = any($1)`,
    ),
    lease: async (on, limit) =>
      (await leaseRewards(on, limit, LEASE_SECONDS)).map((reward) => reward.reward_no.replace('RW-', '')),
    endLeases: `update reward set next_at = next_at - interval '60 seconds'`,
  },
  {
    name: 'webhook messages',
    table: 'webhook_message',
    fill: ofOrders(
      `insert into webhook_message (player_id, message_id, endpoint_id, type, billing_no, data, next_at)
       select player_id, billing_no, 'E', 'order.delivered', billing_no, '{}', now()
       from orders where billing_no = any($1)`,
    ),
    lease: async (on, limit) => numbersOf(await leaseMessages(on, 'E', limit, LEASE_SECONDS)),
    endLeases: `update webhook_message set next_at = next_at - interval '60 seconds'`,
  },
];

test('each function that leases rows is one of these queues', async () => {
  const { rows } = await db.query<{ name: string }>(
    `select proname as name from pg_proc where pronamespace = 'public'::regnamespace and proname like 'lease\\_%'
       and proretset and proname <> 'lease_query' order by 1`,
  );
  // lease_query takes the payments of one order that is asked for, and is no queue: lease-edges.test.ts.
  const queueOf = (name: string) => name.replace('lease_', '').replaceAll('_', ' ');
  expect(rows.map(({ name }) => queueOf(name))).toEqual(QUEUES.map(({ name }) => name).toSorted());
});

async function makeOrders(): Promise<BillingNo[]> {
  const orders: BillingNo[] = [];
  for (let count = 0; count < ROWS; count += 1)
    orders.push((await placeTestOrder(db, placeInput(await makePlayer(db)))).billingNo);
  return orders.toSorted();
}

test.each(QUEUES)('$name: one row is one process’s, until its lease ends by itself', async (queue) => {
  const orders = await makeOrders();
  await queue.fill(orders);
  // A process that is in the middle of leasing three holds up nobody and loses nothing.
  const other = await db.connect();
  try {
    await other.query('begin');
    const first = await queue.lease(other, 3);
    expect(first).toHaveLength(3);
    const rest = (await Promise.all([queue.lease(db, ROWS), queue.lease(db, ROWS), queue.lease(db, ROWS)])).flat();
    await other.query('commit');
    expect([...first, ...rest].toSorted()).toEqual(orders);
  } finally {
    other.release();
  }
  expect(await queue.lease(db, ROWS)).toEqual([]);
  await db.query(queue.endLeases);
  expect([...(await queue.lease(db, ROWS))].toSorted()).toEqual(orders);
});

/** Advisory lock at which a process that is in the middle of leasing stands still. */
const STANDSTILL = 4711;

test.each(QUEUES)('$name: what somebody leased since one looked is left to them', async (queue) => {
  const orders = await makeOrders();
  await queue.fill(orders);
  await db.query(
    `create or replace function test_stand_still() returns trigger language plpgsql as $$ begin
       if current_setting('refill.test_stands_still', true) = 'on' then
         perform pg_advisory_xact_lock(${STANDSTILL});
       end if;
       return new;
     end $$`,
  );
  await db.query(
    `create trigger test_stand_still before update on ${queue.table} for each row execute function test_stand_still()`,
  );
  const [gate, slow] = [await db.connect(), await db.connect()];
  try {
    await gate.query('select pg_advisory_lock($1)', [STANDSTILL]);
    await slow.query(`set refill.test_stands_still = 'on'`);
    // It has seen all of them, and waits with the first one in its hand.
    const late = queue.lease(slow, ROWS);
    await vi.waitFor(async () => {
      const { rowCount } = await gate.query(`select from pg_locks where locktype = 'advisory' and not granted`);
      expect(rowCount).toBe(1);
    });
    const quick = await queue.lease(db, ROWS);
    expect(quick).toHaveLength(ROWS - 1);
    await gate.query('select pg_advisory_unlock($1)', [STANDSTILL]);
    expect([...quick, ...(await late)].toSorted()).toEqual(orders);
  } finally {
    await slow.query('reset refill.test_stands_still');
    slow.release();
    gate.release();
    await db.query(`drop trigger test_stand_still on ${queue.table}`);
    // Whatever the tests so far left due is nobody's business below.
    await queue.lease(db, 100 * ROWS);
  }
});

test('the expiry of an order is leased without changing when it expired', async () => {
  const [order] = await makeOrders();
  await db.query(`update orders set expires_at = now() - interval '1 hour' where billing_no = $1`, [order]);
  const text = 'select expires_at as at from orders where billing_no = $1';
  const expiresAt = async () => (await query<{ at: Date }>(db, 'test_expires', text, [order]))[0]?.at;
  const before = await expiresAt();
  expect(numbersOf(await leaseExpiredOrders(db, 100, LEASE_SECONDS))).toContain(order);
  expect(await expiresAt()).toEqual(before);
});

test('a callback whose order is still missing waits for its next try, not for the end of a lease', async () => {
  const order = { billingNo: '01ARZ3NDEKTSV4RRFFQ69G5FAV' as BillingNo, attemptNo: 1 };
  expect(await report(db, order, { dedupKey: 'early' })).toMatchObject({ outcome: 'unknown_order' });
  await db.query(`update callback_inbox set next_try_at = now() where dedup_key = 'early'`);
  expect(await leaseWaitingCallbacks(db, 10, LEASE_SECONDS)).toHaveLength(1);
  expect(await report(db, order, { dedupKey: 'early' })).toMatchObject({ outcome: 'unknown_order' });
  await db.query(`update callback_inbox set next_try_at = now() where dedup_key = 'early'`);
  expect(await leaseWaitingCallbacks(db, 10, LEASE_SECONDS)).toHaveLength(1);
});

test('a capture is leased to one process; only its owner gives the lease back', async () => {
  const player = await makePlayer(db);
  const { billingNo, attemptNo } = await placeTestOrder(db, placeInput(player));
  const key = { player_id: player, billing_no: billingNo, attempt_no: attemptNo };
  const leases = await Promise.all([1, 2, 3].map(() => leaseCapture(db, key, 90)));
  const [old] = leases.filter((lease) => lease !== null);
  expect(leases.filter((lease) => lease === null)).toHaveLength(2);
  // Its process hangs until the lease has ended, and another takes over.
  await db.query(`update payment_attempt set capture_lease_until = now() where billing_no = $1`, [billingNo]);
  const next = await leaseCapture(db, key, 90);
  expect(next).not.toBeNull();
  await releaseCapture(db, key, old!);
  expect(await leaseCapture(db, key, 90)).toBeNull();
  await releaseCapture(db, key, next!);
  expect(await leaseCapture(db, key, 90)).not.toBeNull();
});
