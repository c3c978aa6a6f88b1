// Money that is taken back at the wrong moment: before we heard that it came, beside the payment that
// counts, while the game is called.
// Each of these was found by the seeded simulation.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase } from '#testing/database.ts';
import { makePlayer, placeInput, placeTestOrder, report, resultsOf } from '#testing/orders.ts';
import type { BillingNo, PlayerId } from '#kernel/ids.ts';
import { type Db, query } from '#server/platform/database/db.ts';
import { leaseDeliveries, recordDeliveryResults } from '#server/modules/orders/deliveries/delivery-store.ts';
import { cancelOrder, findOperatedOrder } from '#server/modules/orders/operator/operate-store.ts';
import { leaseRefunds, leaseRevocations, requestRefund } from './refund-store.ts';
import { findOrder } from '#server/modules/orders/find-store.ts';
import { placeOrder } from '#server/modules/orders/store.ts';

let db: Db;
let drop: () => Promise<void>;

beforeAll(async () => {
  ({ db, drop } = await openTestDatabase(5));
});
afterAll(() => drop());

const limit = { times: 1, days: null, subject: 'game' };
const breaches = () => query(db, 'test_breaches', 'select * from invariant_breach where breaches > 0');
const balances = async (billingNo: BillingNo) =>
  Object.fromEntries(
    (
      await query<{ account: string; sum: number }>(
        db,
        'test_balances',
        'select account, sum(amount_minor)::bigint as sum from ledger_entry where billing_no = $1 group by account',
        [billingNo],
      )
    ).map(({ account, sum }) => [account, sum]),
  );
const used = async (player: PlayerId) =>
  (await query<{ used: number }>(db, 'test_used', 'select used from limit_counter where account_id = $1', [player]))[0]
    ?.used;
const stateOf = async (player: PlayerId, billingNo: BillingNo) => (await findOrder(db, player, billingNo))?.state;

/** The same order with a second way to pay open. */
async function withSecondAttempt() {
  const player = await makePlayer(db);
  const input = placeInput(player, { limit });
  const first = await placeTestOrder(db, input);
  const second = await placeOrder(db, { ...input, billing_no: '0' as BillingNo, channel_key: 'other' });
  expect(second).toMatchObject({ outcome: 'placed', billing_no: first.billingNo, attempt_no: 2 });
  return { player, first, second: { billingNo: first.billingNo, attemptNo: 2 } };
}

async function finish(kind: 'done' | 'unknown', leased: Awaited<ReturnType<typeof leaseDeliveries>>) {
  await recordDeliveryResults(db, resultsOf(leased, { kind, receipt_id: 'R', reason: 'why', retry_in_seconds: 0 }));
}

test('a bank takes back the second of two payments: the goods stay, nothing is owed, the refund is not made as well', async () => {
  const { player, first, second } = await withSecondAttempt();
  await report(db, first);
  expect((await report(db, second)).outcome).toBe('overpayment');
  await report(db, second, { status: 'chargeback' });
  expect(await leaseRefunds(db, 10, 60)).toEqual([]);
  await finish('done', await leaseDeliveries(db, 10, 15, []));
  expect(await stateOf(player, first.billingNo)).toBe('delivered');
  expect(await balances(first.billingNo)).toEqual({
    provider_receivable: 499,
    goods_owed: 0,
    revenue: -499,
    refund_owed: 0,
  });
  expect(await breaches()).toEqual([]);
});

test('of two payments that differed each goes back with its own amount', async () => {
  const { first, second } = await withSecondAttempt();
  const least = { amountMinor: 300, currency: 'USD' as const };
  expect((await report(db, first, { amount: { amountMinor: 498, currency: 'USD' } })).outcome).toBe('mismatch');
  expect((await report(db, second, { amount: least })).outcome).toBe('mismatch');
  expect((await report(db, second, { amount: least, status: 'refunded' })).outcome).toBe('refunded');
  expect(await balances(first.billingNo)).toEqual({ provider_receivable: 498, refund_owed: -498 });
});

test('a bank takes back a payment that differed: nothing is left to decide, the limit is free again', async () => {
  const player = await makePlayer(db);
  const order = await placeTestOrder(db, placeInput(player, { limit }));
  const amount = { amountMinor: 498, currency: 'USD' as const };
  await report(db, order, { amount });
  await report(db, order, { amount, status: 'chargeback' });
  // The provider tells of the same money in its own words as well.
  await report(db, order, { amount, status: 'refunded' });
  expect(await stateOf(player, order.billingNo)).toBe('refunded');
  expect(await balances(order.billingNo)).toEqual({ provider_receivable: 0, refund_owed: 0 });
  expect(await used(player)).toBe(0);
  expect(await breaches()).toEqual([]);
});

test('a payment that differed goes back; the order waits for a decision on the other one, which is here', async () => {
  const { player, first, second } = await withSecondAttempt();
  const amount = { amountMinor: 498, currency: 'USD' as const };
  await report(db, first, { amount });
  await report(db, second);
  await report(db, first, { amount, status: 'refunded' });
  expect(await stateOf(player, first.billingNo)).toBe('review');
  expect(await balances(first.billingNo)).toEqual({ provider_receivable: 499, goods_owed: -499, refund_owed: 0 });
});

test.each([
  ['refunded', 'refunded', 0],
  ['chargeback', 'review', 1],
] as const)('%s overtakes paid: booked in and out, and no goods for it', async (status, state, held) => {
  const player = await makePlayer(db);
  const order = await placeTestOrder(db, placeInput(player, { limit }));
  expect((await report(db, order, { status })).outcome).toBe(status);
  expect((await report(db, order)).outcome).toBe('duplicate');
  expect(await leaseDeliveries(db, 10, 15, [])).toEqual([]);
  expect((await balances(order.billingNo)).provider_receivable).toBe(0);
  expect(await breaches()).toEqual([]);
  expect(await stateOf(player, order.billingNo)).toBe(state);
  expect(await used(player)).toBe(held);
});

test('an order that the bank took back before it was paid for can be called off, and gives back what it held', async () => {
  const player = await makePlayer(db);
  const order = await placeTestOrder(db, placeInput(player, { limit }));
  await report(db, order, { status: 'chargeback' });
  const operated = await findOperatedOrder(db, order.billingNo);
  expect(operated && (await cancelOrder(db, operated, []))).toBe('cancelled');
  expect(await used(player)).toBe(0);
});

test('a refund while the game leaves us in doubt: not asked again, asked back, and a late receipt is still believed', async () => {
  const player = await makePlayer(db);
  const order = await placeTestOrder(db, placeInput(player));
  await report(db, order);
  const leased = await leaseDeliveries(db, 10, 15, []);
  await finish('unknown', leased);
  await requestRefund(db, { playerId: player, ...order, reason: 'asked', by: 'anna' });
  expect(await leaseDeliveries(db, 10, 15, [])).toEqual([]);
  await query(db, 'test_haste', `update revocation set next_at = now() where billing_no = $1`, [order.billingNo]);
  expect(await leaseRevocations(db, 10, 60)).toMatchObject([{ billing_no: order.billingNo, reason: 'refund' }]);
  await finish('done', leased);
  expect((await findOrder(db, player, order.billingNo))?.delivered_at).not.toBeNull();
  expect(await breaches()).toEqual([]);
});

test.each([
  ['then the chargeback', ['paid', 'chargeback']],
  ['after its chargeback', ['chargeback', 'paid']],
] as const)('a payment that differs, told %s, comes to the same', async (_, words) => {
  const { player, first, second } = await withSecondAttempt();
  const amount = { amountMinor: 498, currency: 'USD' as const };
  for (const status of words) await report(db, second, { status, amount });
  expect(await balances(first.billingNo)).toEqual({ provider_receivable: 0, refund_owed: 0 });
  expect(await stateOf(player, first.billingNo)).toBe('refunded');
  // Each once more changes nothing.
  for (const status of words) await report(db, second, { status, amount });
  expect(await balances(first.billingNo)).toEqual({ provider_receivable: 0, refund_owed: 0 });
  // The chargeback concerns the second payment alone.
  await report(db, first, { amount });
  expect(await balances(first.billingNo)).toEqual({ provider_receivable: 498, refund_owed: -498 });
  expect(await breaches()).toEqual([]);
});

test("a stranger's word, then the bank's, then the payment as it was asked: the books keep none of it", async () => {
  const player = await makePlayer(db);
  const order = await placeTestOrder(db, placeInput(player, { limit }));
  await report(db, order, { isOurMerchant: false });
  await report(db, order, { status: 'chargeback' });
  expect(await balances(order.billingNo)).toEqual({});
  // The goods are handed to nobody, though the process that heard of it would call the game at once.
  const answer = await report(db, order, { leaseSeconds: 15 });
  expect(answer).not.toHaveProperty('delivery');
  expect(await leaseDeliveries(db, 10, 15, [])).toEqual([]);
  expect(await balances(order.billingNo)).toMatchObject({ provider_receivable: 0 });
  expect(await stateOf(player, order.billingNo)).toBe('review');
  await report(db, order);
  await report(db, order, { status: 'chargeback' });
  expect(await balances(order.billingNo)).toMatchObject({ provider_receivable: 0 });
  expect(await breaches()).toEqual([]);
});

test('an order in review is only called off when no money is left of it', async () => {
  const player = await makePlayer(db);
  const order = await placeTestOrder(db, placeInput(player, { limit }));
  await report(db, order, { amount: { amountMinor: 498, currency: 'USD' } });
  const operated = await findOperatedOrder(db, order.billingNo);
  expect(await cancelOrder(db, operated!, [])).toBe('wrong_state');
  const stranger = await placeTestOrder(db, placeInput(player, { product_id: 'another' }));
  expect((await report(db, stranger, { isOurMerchant: false })).outcome).toBe('mismatch');
  const ofStranger = await findOperatedOrder(db, stranger.billingNo);
  expect(await cancelOrder(db, ofStranger!, [])).toBe('cancelled');
  expect(await breaches()).toEqual([]);
});

test("a payment that differs is booked once, however often it is reported; a stranger's does not stand in the way of the right one", async () => {
  const player = await makePlayer(db);
  const order = await placeTestOrder(db, placeInput(player));
  const amount = { amountMinor: 498, currency: 'USD' as const };
  const outcomes = [await report(db, order, { amount }), await report(db, order, { amount }), await report(db, order)];
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(['mismatch', 'duplicate', 'duplicate']);
  expect(await balances(order.billingNo)).toEqual({ provider_receivable: 498, refund_owed: -498 });
  const other = await placeTestOrder(db, placeInput(player, { product_id: 'another' }));
  await report(db, other, { isOurMerchant: false, amount });
  await report(db, other);
  expect(await balances(other.billingNo)).toEqual({ provider_receivable: 499, goods_owed: -499 });
  expect((await report(db, other, { status: 'refunded' })).outcome).toBe('refunded');
  expect(await breaches()).toEqual([]);
});

test('a second payment and the end of the delivery never wait for each other crosswise', async () => {
  const { player, first, second } = await withSecondAttempt();
  await report(db, first);
  const [delivery] = await leaseDeliveries(db, 10, 15, []);
  expect(delivery?.billing_no).toBe(first.billingNo);
  const ending = await db.connect();
  try {
    await ending.query('begin');
    // As the end of a delivery does: its row, and a moment later its order.
    await ending.query('select from delivery where billing_no = $1 for update', [first.billingNo]);
    expect((await report(db, second)).outcome).toBe('overpayment');
    await ending.query('select from orders where billing_no = $1 for update', [first.billingNo]);
    await ending.query('commit');
  } finally {
    ending.release();
  }
  await finish('done', [delivery!]);
  expect(await stateOf(player, first.billingNo)).toBe('delivered');
  expect(await breaches()).toEqual([]);
});
