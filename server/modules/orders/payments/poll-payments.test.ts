// Payment status polling on the real database: nobody is forgotten, nobody is asked about too often, and one provider
// holds up no other.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { KnownPayment } from '#server/modules/payments/provider.ts';
import { listenFor } from '#server/platform/database/listen.ts';
import { OutboundError } from '#server/platform/outbound/outbound.ts';
import { reportOn } from '#testing/fake-payments.ts';
import { callBack, eventOn, orderInfo, placeOrder, settleDepsOf, stateOf, waitUntil } from '#testing/pay.ts';
import { type TestShop, createTestShop } from '#testing/shop.ts';
import { leaseDueAttempts } from './attempt-store.ts';
import { leaseCapture } from './capture-store.ts';
import { type PaymentPolling, createPaymentPolling } from './poll-payments.ts';

let shop: TestShop;
const workers: PaymentPolling[] = [];
beforeAll(async () => {
  shop = await createTestShop();
});
afterAll(() => shop.close());
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
  await shop.db.query('update payment_attempt set next_query_at = null');
  shop.paypal.reset();
  shop.adyen.reset();
  shop.game.reset();
  shop.logLines.length = 0;
});

/** A worker that looks by itself only when it starts; after that it must be woken. */
function startWorker(): PaymentPolling {
  const worker = createPaymentPolling({ settle: settleDepsOf(shop), repeat: () => () => undefined });
  workers.push(worker);
  worker.start();
  return worker;
}

const adyen = { path: '/api/pay/adyen_pay', body: { channel_id: 'scheme' } };
const makeDue = (billingNo: string) =>
  shop.db.query('update payment_attempt set next_query_at = now(), queried_at = null where billing_no = $1', [
    billingNo,
  ]);
const POLL = `select round(extract(epoch from next_query_at - now()))::integer as wait, query_count as count
  from payment_attempt where billing_no = $1`;
const pollOf = async (billingNo: string) =>
  (await shop.db.query<{ wait: number | null; count: number }>(POLL, [billingNo])).rows[0];
const lease = () => leaseDueAttempts(shop.db, 100, 30, 5, []);
const asked = () => shop.paypal.calls.query.length;

test('a payment whose callback never came is found, in two statements', async () => {
  const order = await placeOrder(shop);
  shop.paypal.script.query = (payment) => reportOn(payment, 'paid');
  await makeDue(order.billingNo);
  const statements = await shop.countStatements(async () => {
    startWorker();
    await waitUntil('paid', async () => (await stateOf(shop, order.billingNo)).state === 'paid');
  });
  const reads = (name: string) => name.startsWith('select');
  expect(statements.filter((name) => !reads(name))).toEqual(['lease_due_attempts', 'receive_report']);
});

test('a payment that is still pending gets its next poll, until polling ends', async () => {
  const order = await placeOrder(shop);
  expect(await pollOf(order.billingNo)).toEqual({ wait: 30, count: 0 });
  const worker = startWorker();
  const after = async (count: number) => {
    await shop.db.query('update payment_attempt set query_count = $2 where billing_no = $1', [order.billingNo, count]);
    const before = asked();
    await makeDue(order.billingNo);
    worker.wake();
    await waitUntil('asked', () => asked() > before);
    await waitUntil('written', async () => (await pollOf(order.billingNo))?.wait !== 30);
    return pollOf(order.billingNo);
  };
  expect(await after(0)).toEqual({ wait: 60, count: 1 });
  expect(await after(1)).toEqual({ wait: 300, count: 2 });
  expect(await after(36)).toEqual({ wait: null, count: 37 });
});

test('two processes never lease the same payment, and the lease of a dead one ends by itself', async () => {
  const orders = await Promise.all(Array.from({ length: 12 }, () => placeOrder(shop)));
  for (const { billingNo } of orders) await makeDue(billingNo);
  const leased = (await Promise.all([lease(), lease(), lease()])).flat();
  expect(leased.map(({ billing_no }) => billing_no).toSorted()).toEqual(orders.map((one) => one.billingNo).toSorted());
  const [dead] = orders;
  expect(await lease()).toEqual([]);
  expect(await pollOf(dead!.billingNo)).toEqual({ wait: 30, count: 1 });
  await shop.db.query(
    `update payment_attempt set next_query_at = now() - interval '1 second',
       queried_at = now() - interval '31 seconds' where billing_no = $1`,
    [dead!.billingNo],
  );
  expect(await lease()).toMatchObject([{ billing_no: dead!.billingNo, query_count: 2, order_state: 'pending' }]);
});

test('a payment that a player asked about just now waits for its time, and loses no turn', async () => {
  const order = await placeOrder(shop);
  await shop.db.query('update payment_attempt set next_query_at = now() where billing_no = $1', [order.billingNo]);
  await orderInfo(shop, order);
  expect(await lease()).toEqual([]);
  await shop.db.query(`update payment_attempt set queried_at = now() - interval '5.1 seconds'`);
  expect(await lease()).toMatchObject([{ billing_no: order.billingNo, query_count: 1 }]);
});

test('an approval is asked about at once, however lately somebody asked, and captured once', async () => {
  const order = await placeOrder(shop);
  await orderInfo(shop, order);
  expect(asked()).toBe(1);
  const workersAwake = [startWorker(), startWorker()];
  shop.paypal.script.query = (payment) => reportOn(payment, 'approved');
  await callBack(shop, eventOn(order, 'approved'));
  for (const worker of workersAwake) worker.wake();
  await waitUntil('paid', async () => (await stateOf(shop, order.billingNo)).state === 'paid');
  expect(asked()).toBe(2);
  expect(shop.paypal.calls.capture).toHaveLength(1);
});

test('an approval that a process without workers hears wakes the workers of another', async () => {
  const order = await placeOrder(shop);
  const worker = startWorker();
  const ear = await listenFor(shop.databaseUrl, { refill_payment: worker.wake }, shop.services.log);
  try {
    shop.paypal.script.query = (payment) => reportOn(payment, 'approved');
    await callBack(shop, eventOn(order, 'approved'));
    await waitUntil('paid', async () => (await stateOf(shop, order.billingNo)).state === 'paid');
    expect(shop.paypal.calls.capture).toHaveLength(1);
  } finally {
    await ear.stop();
  }
});

test('an approval that comes while the provider is asked is asked about again', async () => {
  const order = await placeOrder(shop);
  let answers = 0;
  shop.paypal.script.query = async (payment) => {
    answers += 1;
    if (answers > 1) return reportOn(payment, 'approved');
    await callBack(shop, eventOn(order, 'approved'));
    return reportOn(payment, 'pending');
  };
  await makeDue(order.billingNo);
  const worker = startWorker();
  await waitUntil('asked', () => answers === 1);
  await worker.stop();
  expect((await pollOf(order.billingNo))?.wait).toBeLessThanOrEqual(0);
  startWorker();
  await waitUntil('paid', async () => (await stateOf(shop, order.billingNo)).state === 'paid');
});

test('nobody is asked about a payment whose money is being taken', async () => {
  const order = await placeOrder(shop);
  await makeDue(order.billingNo);
  const key = { player_id: order.player.playerId, billing_no: order.billingNo, attempt_no: 1 };
  expect(await leaseCapture(shop.db, key, 90)).not.toBeNull();
  expect(await leaseCapture(shop.db, key, 90)).toBeNull();
  expect(await lease()).toEqual([]);
  await shop.db.query(`update payment_attempt set capture_lease_until = now() where billing_no = $1`, [
    order.billingNo,
  ]);
  expect(await lease()).toHaveLength(1);
});

test('a provider that hangs is asked at most 32 questions at once; others are asked meanwhile', async () => {
  let release = () => {};
  const hanging = new Promise<void>((resolve) => (release = resolve));
  const answer = async (payment: KnownPayment) => (await hanging, reportOn(payment, 'failed'));
  shop.paypal.script.query = answer;
  const slow = [];
  for (let count = 0; count < 40; count += 1) slow.push(await placeOrder(shop));
  for (const { billingNo } of slow) await makeDue(billingNo);
  const worker = startWorker();
  await waitUntil('32 questions', () => asked() === 32);
  shop.adyen.script.query = (payment) => reportOn(payment, 'paid');
  const quick = [];
  for (let count = 0; count < 5; count += 1) quick.push(await placeOrder(shop, adyen));
  for (const { billingNo } of quick) await makeDue(billingNo);
  worker.wake();
  for (const { billingNo } of quick)
    await waitUntil('the other provider', async () => (await stateOf(shop, billingNo)).state === 'paid');
  expect(asked()).toBe(32);
  release();
  // The eight that waited follow without being woken.
  for (const { billingNo } of slow)
    await waitUntil('closed', async () => (await stateOf(shop, billingNo)).state === 'failed');
  expect(asked()).toBe(40);
});

test('a provider that does not answer is asked again soon, and the poll does not count', async () => {
  const order = await placeOrder(shop);
  shop.paypal.script.query = () => {
    throw new OutboundError('timeout', true, 'no answer');
  };
  await makeDue(order.billingNo);
  startWorker();
  await waitUntil('written', async () => (await pollOf(order.billingNo))?.count === 0 && asked() === 1);
  expect((await pollOf(order.billingNo))?.wait).toBe(30);
  expect(shop.logLines.join('')).toContain('payment status request failed; polling will retry');
  await shop.db.query(`update payment_attempt set created_at = now() - interval '1 hour' where billing_no = $1`, [
    order.billingNo,
  ]);
  await workers.at(-1)?.stop();
  await makeDue(order.billingNo);
  startWorker();
  await waitUntil('written', async () => ((await pollOf(order.billingNo))?.wait ?? 0) > 100);
  expect(await pollOf(order.billingNo)).toEqual({ wait: 360, count: 0 });
});

test('stop waits for the questions under way, and leases no more', async () => {
  const order = await placeOrder(shop);
  let answer = () => {};
  shop.paypal.script.query = (payment) => new Promise((resolve) => (answer = () => resolve(reportOn(payment, 'paid'))));
  await makeDue(order.billingNo);
  const worker = startWorker();
  await waitUntil('asked', () => asked() === 1);
  let isStopped = false;
  const stopping = worker.stop().then(() => (isStopped = true));
  const late = await placeOrder(shop, { key: 'late-order' });
  await makeDue(late.billingNo);
  worker.wake();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(isStopped).toBe(false);
  answer();
  await stopping;
  expect((await stateOf(shop, order.billingNo)).state).toBe('paid');
  expect(asked()).toBe(1);
});
