// How well-known open shops failed, each row once with our own shop. Nearly all of them checked first and acted
// later, or reserved too late.
// The names say whose failure it was; the numbers are those of their own trackers.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BillingNo, PlayerId } from '#kernel/ids.ts';
import { leaseRefunds, finishRefund } from '#server/modules/orders/refunds/refund-store.ts';
import { findOrder } from '#server/modules/orders/find-store.ts';
import { type PlaceOutcome, placeOrder } from '#server/modules/orders/store.ts';
import { type Db, query } from '#server/platform/database/db.ts';
import { openTestDatabase } from '#testing/database.ts';
import { deliverAll, addTestRoles, makePlayer, placeInput, placeTestOrder, report } from '#testing/orders.ts';

let db: Db;
let drop: () => Promise<void>;

beforeAll(async () => {
  // Many connections: what is proven here is that they get in each other's way without harm.
  ({ db, drop } = await openTestDatabase(24));
});
afterAll(() => drop());

const times = <Value>(count: number, make: (index: number) => Value) =>
  Array.from({ length: count }, (_, index) => make(index));
const countOf = (outcomes: readonly { outcome: string }[]) => {
  const counts: Record<string, number> = {};
  for (const { outcome } of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
};
const breaches = () => query(db, 'known_breaches', 'select * from invariant_breach where breaches > 0');
const rows = async (productId: string) =>
  (
    await query<{ orders: number; attempts: number; held: number }>(
      db,
      'known_rows',
      `select (select count(*) from orders where product_id = $1)::integer as orders,
       (select count(*) from payment_attempt a join orders o on o.player_id = a.player_id
         and o.billing_no = a.billing_no where o.product_id = $1)::integer as attempts,
       (select count(*) from reservation where product_id = $1 and state <> 'released')::integer as held`,
      [productId],
    )
  )[0];

async function stock(productId: string, total: number): Promise<void> {
  await query(db, 'known_stock', `insert into product_stock (game_id, product_id, total) values ('starlane', $1, $2)`, [
    productId,
    total,
  ]);
}

const buyers = async (count: number) => Promise.all(times(count, () => makePlayer(db)));

test('Medusa 16825: carts that race for the last unit; one order, and the losers leave nothing behind', async () => {
  await stock('last-unit', 1);
  const players = await buyers(60);
  const outcomes = await Promise.all(
    players.map((player) => placeOrder(db, placeInput(player, { product_id: 'last-unit', has_stock: true }))),
  );
  expect(countOf(outcomes)).toEqual({ placed: 1, sold_out: 59 });
  expect(await rows('last-unit')).toEqual({ orders: 1, attempts: 1, held: 1 });
  expect(await breaches()).toEqual([]);
});

test('Medusa 16502: two lines that share an item are counted together, and what one counter took goes back when the other refuses', async () => {
  await stock('shared', 3);
  const player = await makePlayer(db);
  await addTestRoles(db, player, 20);
  const limit = { times: 10, days: null, subject: 'game' };
  const outcomes = await Promise.all(
    times(20, (n) =>
      placeOrder(db, placeInput(player, { product_id: 'shared', role_id: `role-${n + 1}`, has_stock: true, limit })),
    ),
  );
  expect(countOf(outcomes)).toEqual({ placed: 3, sold_out: 17 });
  const [counter] = await query<{ used: number }>(
    db,
    'known_used',
    `select used from limit_counter where account_id = $1`,
    [player],
  );
  expect(counter?.used).toBe(3);
  expect(await breaches()).toEqual([]);
});

test('Medusa 2341, 3206, 3556: the callback and the browser complete the same order at once, a hundred times', async () => {
  const players = await buyers(100);
  const outcomes = await Promise.all(
    players.map(async (player) => {
      const order = await placeTestOrder(db, placeInput(player));
      // A browser's poll ends in the same words as the callback, only without an inbox.
      return Promise.all([
        report(db, order),
        report(db, order, { dedupKey: null }),
        report(db, order, { dedupKey: null }),
        report(db, order),
      ]);
    }),
  );
  for (const four of outcomes) expect(countOf(four)).toEqual({ paid: 1, duplicate: 3 });
  expect(await deliverAll(db)).toBe(100);
  expect(await breaches()).toEqual([]);
});

test('Vendure 4660: what may be used once is used once, however many payments run in parallel', async () => {
  const player = await makePlayer(db);
  await addTestRoles(db, player, 50);
  const limit = { times: 1, days: null, subject: 'game' };
  const outcomes = await Promise.all(
    times(50, async (n) => {
      const input = placeInput(player, { product_id: 'once', role_id: `role-${n + 1}`, limit });
      const placed = await placeOrder(db, input);
      if (placed.outcome === 'placed') await report(db, { billingNo: placed.billing_no, attemptNo: 1 });
      return placed;
    }),
  );
  expect(countOf(outcomes)).toEqual({ placed: 1, limit_reached: 49 });
  expect(await deliverAll(db)).toBe(1);
  // Used up for good: the next try is refused as well.
  expect(await placeOrder(db, placeInput(player, { product_id: 'once', role_id: 'role-2', limit }))).toEqual({
    outcome: 'limit_reached',
  });
  expect(await breaches()).toEqual([]);
});

test('Vendure 3508, 3065, 1738: the piece is taken before anybody pays, and who pays too late gets the money back', async () => {
  await stock('one-piece', 1);
  const [early, late] = (await buyers(2)) as [PlayerId, PlayerId];
  const input = (player: PlayerId) => placeInput(player, { product_id: 'one-piece', has_stock: true });
  const order = await placeTestOrder(db, input(early));
  expect(await placeOrder(db, input(late))).toEqual({ outcome: 'sold_out' });
  await report(db, order, { status: 'expired' });
  const second = await placeTestOrder(db, input(late));
  await report(db, second);
  expect((await report(db, order)).outcome).toBe('late_refused');
  expect((await findOrder(db, early, order.billingNo))?.state).toBe('refund_due');
  const refunds = await leaseRefunds(db, 10, 60);
  expect(refunds).toMatchObject([{ billing_no: order.billingNo, amount_minor: 499 }]);
  for (const refund of refunds)
    await finishRefund(db, refund, { kind: 'done', ref: 'RF', error: null, retrySeconds: 0 });
  expect(await deliverAll(db)).toBe(1);
  expect((await findOrder(db, early, order.billingNo))?.state).toBe('refunded');
  expect((await findOrder(db, late, second.billingNo))?.state).toBe('delivered');
  expect(await breaches()).toEqual([]);
});

/** An order with several open ways to pay. */
async function withAttempts(count: number): Promise<{ player: PlayerId; billingNo: BillingNo }> {
  const player = await makePlayer(db);
  const { billingNo } = await placeTestOrder(db, placeInput(player, { channel_key: 'way-1' }));
  for (let n = 2; n <= count; n += 1) {
    const placed: PlaceOutcome = await placeOrder(db, placeInput(player, { channel_key: `way-${n}` }));
    expect(placed).toMatchObject({ outcome: 'placed', billing_no: billingNo, attempt_no: n });
  }
  return { player, billingNo };
}

async function endOf(billingNo: BillingNo) {
  const [found] = await query(
    db,
    'known_end',
    `select o.state, array(select a.state from payment_attempt a where a.billing_no = o.billing_no
       order by a.state) as attempts,
       (select coalesce(sum(amount_minor), 0)::integer from ledger_entry l
         where l.billing_no = o.billing_no and account = 'provider_receivable') as net
     from orders o where o.billing_no = $1`,
    [billingNo],
  );
  return found;
}

async function refundAll(): Promise<void> {
  for (const refund of await leaseRefunds(db, 500, 60))
    await finishRefund(db, refund, { kind: 'done', ref: 'RF', error: null, retrySeconds: 0 });
}

test('Saleor 544, 15855: of two that complete at once the second goes back, and never the first', async () => {
  const orders = await Promise.all(times(40, () => withAttempts(2)));
  await Promise.all(
    orders.flatMap(({ billingNo }) => [
      report(db, { billingNo, attemptNo: 1 }),
      report(db, { billingNo, attemptNo: 2 }),
    ]),
  );
  await Promise.all([refundAll(), deliverAll(db), refundAll(), deliverAll(db)]);
  for (const { billingNo } of orders)
    expect(await endOf(billingNo)).toEqual({ state: 'delivered', attempts: ['overpayment', 'succeeded'], net: 499 });
  expect(await breaches()).toEqual([]);
});

test('Shopper 510: a counter that refuses leaves no order, no number and no payment behind', async () => {
  const player = await makePlayer(db);
  await addTestRoles(db, player, 30);
  const limit = { times: 2, days: 7, subject: 'game' };
  const outcomes = await Promise.all(
    times(30, (n) => placeOrder(db, placeInput(player, { product_id: 'counted', role_id: `role-${n + 1}`, limit }))),
  );
  expect(countOf(outcomes)).toEqual({ placed: 2, limit_reached: 28 });
  expect(await rows('counted')).toEqual({ orders: 2, attempts: 2, held: 2 });
  const [numbers] = await query<{ count: number }>(
    db,
    'known_numbers',
    'select count(*)::integer as count from order_lookup where player_id = $1',
    [player],
  );
  expect(numbers?.count).toBe(2);
});

test('Open Food Network 3925: three payments are taken for one order; it is delivered once and two go back', async () => {
  const orders = await Promise.all(times(20, () => withAttempts(3)));
  await Promise.all(orders.flatMap(({ billingNo }) => times(3, (n) => report(db, { billingNo, attemptNo: n + 1 }))));
  expect(await deliverAll(db)).toBe(20);
  await refundAll();
  for (const { billingNo } of orders)
    expect(await endOf(billingNo)).toEqual({
      state: 'delivered',
      attempts: ['overpayment', 'overpayment', 'succeeded'],
      net: 499,
    });
  expect(await breaches()).toEqual([]);
});

test('SimplCommerce CVE-2024-53476: five hundred buyers, thirty pieces; thirty are sold', async () => {
  await stock('thirty', 30);
  const players = await buyers(500);
  const outcomes = await Promise.all(
    players.map((player) => placeOrder(db, placeInput(player, { product_id: 'thirty', has_stock: true }))),
  );
  expect(countOf(outcomes)).toEqual({ placed: 30, sold_out: 470 });
  expect(await rows('thirty')).toEqual({ orders: 30, attempts: 30, held: 30 });
  expect(await breaches()).toEqual([]);
});
