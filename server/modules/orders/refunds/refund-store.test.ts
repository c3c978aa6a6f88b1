import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase } from '#testing/database.ts';
import { makePlayer, placeInput, placeTestOrder, report, resultsOf } from '#testing/orders.ts';
import { type Db, query } from '#server/platform/database/db.ts';
import type { BillingNo } from '#kernel/ids.ts';
import { leaseDeliveries, recordDeliveryResults } from '#server/modules/orders/deliveries/delivery-store.ts';
import {
  leaseRefunds,
  leaseRevocations,
  finishRefund,
  finishRevocation,
  redeliverOrder,
  requestRefund,
  requestRevocation,
} from './refund-store.ts';
import { findOrder } from '#server/modules/orders/find-store.ts';

let db: Db;
let drop: () => Promise<void>;

beforeAll(async () => {
  ({ db, drop } = await openTestDatabase(10));
});
afterAll(() => drop());

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

async function closeDeliveries(kind: 'done' | 'declined') {
  const leased = await leaseDeliveries(db, 100, 15, []);
  await recordDeliveryResults(db, resultsOf(leased, { kind, receipt_id: 'R', reason: 'role gone' }));
}

const refunded = { kind: 'done', ref: 'RF-1', error: null, retrySeconds: 0 } as const;

test('a refusal of the game, refunded by a person, ends with nothing owed and the limit free again', async () => {
  const player = await makePlayer(db);
  const limit = { times: 1, days: null, subject: 'game' };
  const order = await placeTestOrder(db, placeInput(player, { limit }));
  await report(db, order);
  await closeDeliveries('declined');
  const ask = () => requestRefund(db, { playerId: player, ...order, reason: 'role gone', by: 'anna' });
  expect(await Promise.all([ask(), ask(), ask()])).toEqual(expect.arrayContaining(['due', 'exists', 'exists']));
  expect((await findOrder(db, player, order.billingNo))?.state).toBe('refund_due');
  const [leased] = await leaseRefunds(db, 10, 60);
  expect(leased).toMatchObject({ billing_no: order.billingNo, capture_ref: 'C-1', amount_minor: 499, tries: 1 });
  expect(await leaseRefunds(db, 10, 60)).toEqual([]);
  await finishRefund(db, leased as NonNullable<typeof leased>, refunded);
  await finishRefund(db, leased as NonNullable<typeof leased>, refunded);
  expect(await findOrder(db, player, order.billingNo)).toMatchObject({ state: 'refunded' });
  expect(await balances(order.billingNo)).toEqual({ goods_owed: 0, provider_receivable: 0 });
  await placeTestOrder(db, placeInput(player, { limit }));
  expect(await breaches()).toEqual([]);
});

test('a delivered order can be refunded once, and its goods asked back once', async () => {
  const player = await makePlayer(db);
  const order = await placeTestOrder(db, placeInput(player));
  await report(db, order);
  expect(await requestRevocation(db, player, order.billingNo, 'too early')).toBe(false);
  await closeDeliveries('done');
  expect(await requestRefund(db, { playerId: player, ...order, reason: 'kind', by: 'anna' })).toBe('due');
  expect(await requestRevocation(db, player, order.billingNo, 'refunded')).toBe(true);
  expect(await requestRevocation(db, player, order.billingNo, 'refunded')).toBe(false);
  // The provider only says "received"; its webhook brings the end.
  const [leased] = await leaseRefunds(db, 10, 60);
  await finishRefund(db, leased as NonNullable<typeof leased>, {
    kind: 'pending',
    ref: 'RF-2',
    error: null,
    retrySeconds: 3600,
  });
  expect((await findOrder(db, player, order.billingNo))?.state).toBe('delivered');
  expect((await report(db, order, { status: 'refunded' })).outcome).toBe('refunded');
  expect((await report(db, order, { status: 'refunded' })).outcome).toBe('noted');
  expect(await balances(order.billingNo)).toEqual({ goods_owed: 0, provider_receivable: 0, revenue: 0 });
  expect(await requestRefund(db, { playerId: player, ...order, reason: 'again', by: 'anna' })).toBe(
    'nothing_to_refund',
  );
  expect(await breaches()).toEqual([]);
});

test('money of a second channel goes back by itself, and the order keeps its goods', async () => {
  const player = await makePlayer(db);
  const first = await placeTestOrder(db, placeInput(player));
  const second = await placeTestOrder(db, placeInput(player, { provider: 'adyen', channel_key: '12101_' }));
  await report(db, first);
  expect((await report(db, second, { provider: 'adyen' })).outcome).toBe('overpayment');
  await closeDeliveries('done');
  const [leased] = await leaseRefunds(db, 10, 60);
  expect(leased).toMatchObject({ attempt_no: second.attemptNo, provider: 'adyen' });
  await finishRefund(db, leased as NonNullable<typeof leased>, refunded);
  expect((await findOrder(db, player, first.billingNo))?.state).toBe('delivered');
  expect(await balances(first.billingNo)).toEqual({
    goods_owed: 0,
    provider_receivable: 499,
    refund_owed: 0,
    revenue: -499,
  });
  expect(await breaches()).toEqual([]);
});

test('a payment that differs is refunded in what really came in', async () => {
  const player = await makePlayer(db);
  const order = await placeTestOrder(db, placeInput(player));
  await report(db, order, { amount: { amountMinor: 498, currency: 'USD' } });
  expect(await redeliverOrder(db, player, order.billingNo)).toBe('wrong_state');
  expect(await requestRefund(db, { playerId: player, ...order, reason: 'differs', by: 'anna' })).toBe('due');
  const [leased] = await leaseRefunds(db, 10, 60);
  expect(leased).toMatchObject({ amount_minor: 498 });
  await finishRefund(db, leased as NonNullable<typeof leased>, refunded);
  expect(await findOrder(db, player, order.billingNo)).toMatchObject({ state: 'refunded' });
  expect(await balances(order.billingNo)).toEqual({ provider_receivable: 0, refund_owed: 0 });
  expect(await breaches()).toEqual([]);
});

test('a person sends a refused delivery again with the same key, but never after a refund was asked for', async () => {
  const player = await makePlayer(db);
  const order = await placeTestOrder(db, placeInput(player));
  await report(db, order);
  await closeDeliveries('declined');
  expect(await redeliverOrder(db, player, order.billingNo)).toBe('queued');
  await closeDeliveries('declined');
  await requestRefund(db, { playerId: player, ...order, reason: 'gone', by: 'anna' });
  expect(await redeliverOrder(db, player, order.billingNo)).toBe('wrong_state');
  expect(await leaseDeliveries(db, 10, 15, [])).toEqual([]);
});

test('a chargeback stops a delivery that was not called yet', async () => {
  const player = await makePlayer(db);
  const order = await placeTestOrder(db, placeInput(player));
  await report(db, order);
  await report(db, order, { status: 'chargeback' });
  expect((await leaseDeliveries(db, 10, 15, [])).map((row) => row.billing_no)).not.toContain(order.billingNo);
  expect((await findOrder(db, player, order.billingNo))?.state).toBe('review');
});

test('what an older call of the game was told does not stand over what the newest was told, unless the goods are back', async () => {
  const player = await makePlayer(db);
  const order = await placeTestOrder(db, placeInput(player));
  await report(db, order);
  await closeDeliveries('done');
  await requestRevocation(db, player, order.billingNo, 'refunded');
  const lease = async (seconds: number) =>
    (await leaseRevocations(db, 100, seconds)).find((one) => one.billing_no === order.billingNo)!;
  const stateOf = async () =>
    (
      await query<{ state: string }>(db, 'test_revocation', 'select state from revocation where billing_no = $1', [
        order.billingNo,
      ])
    )[0]?.state;
  const [old, young] = [await lease(0), await lease(60)];
  await finishRevocation(db, young, { kind: 'declined', error: 'gone', retrySeconds: null });
  await finishRevocation(db, old, { kind: 'unknown', error: 'late', retrySeconds: 5 });
  expect(await stateOf()).toBe('declined');
  await finishRevocation(db, old, { kind: 'done', error: null, retrySeconds: null });
  expect(await stateOf()).toBe('done');
});

test('a chargeback books the loss of what was delivered', async () => {
  const player = await makePlayer(db);
  const order = await placeTestOrder(db, placeInput(player));
  await report(db, order);
  await closeDeliveries('done');
  expect((await report(db, order, { status: 'chargeback' })).outcome).toBe('chargeback');
  expect(await balances(order.billingNo)).toMatchObject({ provider_receivable: 0, chargeback_loss: 499 });
  expect(await requestRefund(db, { playerId: player, ...order, reason: 'no', by: 'anna' })).toBe('nothing_to_refund');
});

test.each(['chargeback', 'refunded'] as const)('a chargeback after %s is noted and books nothing', async (first) => {
  const player = await makePlayer(db);
  const order = await placeTestOrder(db, placeInput(player));
  await report(db, order);
  await closeDeliveries('done');
  await report(db, order, { status: first });
  const booked = await balances(order.billingNo);
  await report(db, order, { status: 'chargeback' });
  expect(await balances(order.billingNo)).toEqual(booked);
  expect(booked.provider_receivable).toBe(0);
  const [row] = await query<{ review_reason: string }>(
    db,
    'test_why',
    'select review_reason from orders where billing_no = $1',
    [order.billingNo],
  );
  expect(row?.review_reason).toBe('chargeback');
});

test('each invariant sees its breach', async () => {
  // The database refuses such changes of state by itself; the views are the second look.
  await query(db, 'test_no_law', 'alter table orders disable trigger order_transition_checked');
  const player = await makePlayer(db);
  const order = await placeTestOrder(db, placeInput(player));
  await query(db, 'test_break_i2', `update orders set state = 'delivered' where billing_no = $1`, [order.billingNo]);
  await query(
    db,
    'test_break_i3',
    `insert into delivery (player_id, billing_no, game_id, state) values ($1, $2, 'starlane', 'done')`,
    [player, order.billingNo],
  );
  await query(db, 'test_break_i6', `insert into limit_counter values ($1, 'starlane', 'x', 'game', 'ever', 1, 1)`, [
    player,
  ]);
  const other = await placeTestOrder(db, placeInput(player, { product_id: 'other' }));
  await query(db, 'test_break_i8', `update orders set state = 'refund_due' where billing_no = $1`, [other.billingNo]);
  expect((await breaches()).map((row) => row.invariant)).toEqual(['I2', 'I3', 'I6', 'I8', 'I15']);
  await query(db, 'test_law', 'alter table orders enable trigger order_transition_checked');
});
