// Proves that one order's events change no other order of the same player. Four others are present in different states
// while one order goes through every step of money and goods; every row of the others must stay the same.
import { ulid } from 'ulid';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openTestDatabase } from '#testing/database.ts';
import { makePlayer, placeInput, placeTestOrder, report, resultsOf } from '#testing/orders.ts';
import type { BillingNo, PlayerId } from '#kernel/ids.ts';
import { type Db, query } from '#server/platform/database/db.ts';
import { leaseDeliveries, recordDeliveryResults } from './deliveries/delivery-store.ts';
import {
  type OperatedOrder,
  cancelOrder,
  findOperatedOrder,
  operatorDeliver,
  operatorRefund,
} from './operator/operate-store.ts';
import { confirmPayment } from './operator/operate-confirm.ts';
import { findOrder } from './find-store.ts';
import {
  finishRefund,
  finishRevocation,
  leaseRefunds,
  leaseRevocations,
  redeliverOrder,
  requestRevocation,
} from './refunds/refund-store.ts';
import { placeOrder } from './store.ts';

let db: Db;
let drop: () => Promise<void>;
let player: PlayerId;
let others: readonly BillingNo[];
let tables: readonly string[];

beforeAll(async () => {
  ({ db, drop } = await openTestDatabase(5));
  tables = (
    await query<{ table_name: string }>(
      db,
      'test_tables_of_orders',
      `select table_name from information_schema.columns join information_schema.tables using (table_schema, table_name)
       where column_name = 'billing_no' and table_schema = 'public' and table_type = 'BASE TABLE'
         and not (select relispartition from pg_class where oid = table_name::regclass) order by table_name`,
      [],
    )
  ).map((table) => table.table_name);
  player = await makePlayer(db);
  others = await placeOthers();
  before = await rowsOfOthers();
});
afterAll(() => drop());

/** A limit of every order's own, so that its reservation could be taken for another's. */
const limit = { times: 5, days: null, subject: 'game' };
const input = (productId: string) => placeInput(player, { limit, product_id: productId });
let products = 0;
const place = () => placeTestOrder(db, input(`star_${(products += 1)}`));
type Placed = Awaited<ReturnType<typeof place>>;

/** One that waits for its money in two ways, one delivered, one that differed, one that a person pays back. */
async function placeOthers(): Promise<BillingNo[]> {
  const [open] = await withSecondAttempt();
  const delivered = await place();
  await report(db, delivered);
  await deliver();
  const differed = await place();
  await report(db, differed, { amount: { amountMinor: 1, currency: 'USD' } });
  const back = await place();
  await report(db, back);
  await askRefund(back);
  for (const refund of await leaseRefunds(db, 10, 60))
    await finishRefund(db, refund, { kind: 'manual', ref: null, error: 'no', retrySeconds: 1 });
  return [open, delivered, differed, back].map((order) => order.billingNo);
}

async function withSecondAttempt(): Promise<[first: Placed, second: Placed]> {
  const first = await place();
  const again = input(`star_${products}`);
  const second = await placeOrder(db, { ...again, billing_no: '0' as BillingNo, channel_key: 'other' });
  if (second.outcome !== 'placed') throw new Error(`no second attempt: ${second.outcome}`);
  return [first, { billingNo: first.billingNo, attemptNo: second.attempt_no }];
}

async function deliver(kind: 'done' | 'declined' = 'done'): Promise<void> {
  const leased = await leaseDeliveries(db, 10, 15, []);
  await recordDeliveryResults(db, resultsOf(leased, { kind, receipt_id: 'R', reason: 'why', retry_in_seconds: 0 }));
}

const askRefund = async (order: Placed): Promise<void> => {
  const how = { attemptNo: order.attemptNo, reason: 'r', by: 'anna', isDone: false };
  expect(await operatorRefund(db, await operated(order), how)).toBe('due');
};

async function executeRefunds(): Promise<void> {
  const leased = await leaseRefunds(db, 10, 60);
  expect(leased).toHaveLength(1);
  for (const refund of leased) await finishRefund(db, refund, { kind: 'done', ref: 'B', error: null, retrySeconds: 1 });
}

async function operated({ billingNo }: Placed): Promise<OperatedOrder> {
  const order = await findOperatedOrder(db, billingNo);
  if (!order) throw new Error(`no order ${billingNo}`);
  return order;
}

let before: Record<string, unknown>;

async function rowsOfOthers(): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const table of tables) {
    found[table] = await query(
      db,
      `test_rows_${table}`,
      `select to_jsonb(t) as row from ${table} t where billing_no = any($1) order by to_jsonb(t)::text`,
      [`{${others.join(',')}}`],
    );
  }
  return found;
}

afterEach(async () => {
  const broken = await query(db, 'test_breaches', 'select * from invariant_breach where breaches > 0', []);
  if (broken.length > 0) throw new Error(`invariants are broken: ${JSON.stringify(broken)}`);
});

const differing = { amount: { amountMinor: 498, currency: 'USD' as const } };

/** Each story acts on an order that waits for its money, and names the state in which it ends. */
const STORIES: Record<string, [play: (order: Placed) => Promise<unknown>, ends: string]> = {
  'is not paid': [(order) => report(db, order, { status: 'failed' }), 'failed'],
  expires: [(order) => report(db, order, { status: 'expired' }), 'expired'],
  'is paid and delivered': [
    async (order) => {
      await report(db, order);
      await deliver();
    },
    'delivered',
  ],
  'is paid with another amount': [(order) => report(db, order, differing), 'review'],
  'is paid with another amount, which goes back': [
    async (order) => {
      await report(db, order, differing);
      await askRefund(order);
      await executeRefunds();
    },
    'refunded',
  ],
  'is paid with another amount, and the bank takes it back': [
    async (order) => {
      await report(db, order, differing);
      await report(db, order, { ...differing, status: 'chargeback' });
    },
    'refunded',
  ],
  'is declined by the game, delivered again and delivered': [
    async (order) => {
      await report(db, order);
      await deliver('declined');
      expect(await operatorDeliver(db, await operated(order))).toBe('queued');
      await deliver();
    },
    'delivered',
  ],
  'is paid, and the money goes back': [
    async (order) => {
      await report(db, order);
      await askRefund(order);
      await executeRefunds();
    },
    'refunded',
  ],
  'is delivered, and the money goes back with the goods': [
    async (order) => {
      await report(db, order);
      await deliver();
      await askRefund(order);
      await executeRefunds();
      await requestRevocation(db, player, order.billingNo, 'refunded');
      for (const one of await leaseRevocations(db, 10, 60))
        await finishRevocation(db, one, { kind: 'done', error: null, retrySeconds: null });
    },
    'refunded',
  ],
  'is paid back by hand': [
    async (order) => {
      await report(db, order);
      const how = { attemptNo: order.attemptNo, reason: 'r', by: 'anna', isDone: true };
      expect(await operatorRefund(db, await operated(order), how)).toBe('done');
    },
    'refunded',
  ],
  'is charged back before the goods': [
    async (order) => {
      await report(db, order);
      await report(db, order, { status: 'chargeback' });
    },
    'review',
  ],
  'is charged back after the goods': [
    async (order) => {
      await report(db, order);
      await deliver();
      await report(db, order, { status: 'chargeback' });
    },
    'delivered',
  ],
  'is called off': [
    async (order) => {
      await report(db, order, { status: 'failed' });
      expect(await cancelOrder(db, await operated(order), [order.attemptNo])).toBe('wrong_state');
    },
    'failed',
  ],
  'is paid so that nobody can read it, and confirmed': [
    async (order) => {
      await report(db, order, { status: 'paid_unreadable', amount: null, captureRef: null });
      const operator = { db, by: 'anna' } as Parameters<typeof confirmPayment>[0];
      await confirmPayment(operator, order.billingNo, { attemptNo: null, captureRef: 'C-2' });
      await deliver();
    },
    'delivered',
  ],
  'is delivered once more': [
    async (order) => {
      await report(db, order);
      await deliver();
      await redeliverOrder(db, player, order.billingNo);
    },
    'delivered',
  ],
};

test.each(Object.entries(STORIES))('an order that %s leaves the others as they were', async (_, [play, ends]) => {
  const order = await place();
  await play(order);
  expect(await findOrder(db, player, order.billingNo)).toMatchObject({ state: ends });
  expect(await rowsOfOthers()).toEqual(before);
});

test('an order that is paid in two ways leaves the others as they were, also when either goes back', async () => {
  for (const taken of ['refund', 'chargeback'] as const) {
    const [first, second] = await withSecondAttempt();
    await report(db, first);
    expect((await report(db, second)).outcome).toBe('overpayment');
    if (taken === 'refund') await executeRefunds();
    else await report(db, second, { status: 'chargeback' });
    await deliver();
    expect(await findOrder(db, player, first.billingNo)).toMatchObject({ state: 'delivered' });
    expect(await rowsOfOthers()).toEqual(before);
  }
});

test('an order that is called off leaves the others as they were', async () => {
  const order = await place();
  expect(await cancelOrder(db, await operated(order), [order.attemptNo])).toBe('cancelled');
  expect(await rowsOfOthers()).toEqual(before);
});

test('another way to pay one of two open orders belongs to that one, with its price', async () => {
  const buyer = await makePlayer(db);
  const cheap = placeInput(buyer, { product_id: 'star_60', amount_minor: 499 });
  const dear = placeInput(buyer, { product_id: 'star_260', amount_minor: 1999 });
  const numbers = [await placeTestOrder(db, cheap), await placeTestOrder(db, dear)].map(({ billingNo }) => billingNo);
  const again = { billing_no: ulid() as BillingNo, channel_key: '12101_', provider: 'adyen' };
  const [second, third] = [await placeOrder(db, { ...cheap, ...again }), await placeOrder(db, { ...dear, ...again })];
  expect(second).toMatchObject({ outcome: 'placed', billing_no: numbers[0], attempt_no: 2, amount_minor: 499 });
  expect(third).toMatchObject({ outcome: 'placed', billing_no: numbers[1], attempt_no: 2, amount_minor: 1999 });
});
