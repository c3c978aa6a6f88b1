import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkInvariantsHourly } from '#server/modules/invariants/service.ts';
import { placeOrder } from '#testing/pay.ts';
import { type TestShop, createTestShop } from '#testing/shop.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await createTestShop();
});
afterAll(() => shop.close());

const ask = (headers: Record<string, string> = {}, remoteAddress = '127.0.0.1') =>
  shop.app.inject({ url: '/healthz/details', headers: { host: 'localhost:8080', ...headers }, remoteAddress });

test('counts what waits and what waits for a person', async () => {
  const order = await placeOrder(shop);
  const set = (text: string) => shop.db.query(text, [order.billingNo]);
  await set(`insert into delivery (player_id, billing_no, game_id, created_at) select player_id, billing_no, game_id, now() - interval '90 seconds' from orders where billing_no = $1`);
  await set(`update orders set state = 'review' where billing_no = $1`);
  await set(`update payment_attempt set state = 'unknown' where billing_no = $1`);
  await set(`insert into refund (player_id, billing_no, attempt_no, state, reason, requested_by, amount_minor, currency) select player_id, billing_no, 1, 'manual', 'x', 'anna', 99, 'USD' from orders where billing_no = $1`);
  const answer = await ask();
  expect(answer.statusCode).toBe(200);
  const told = answer.json();
  expect(told).toMatchObject({
    status: 'ok', database: 'up', revision: shop.configuration.revision, deliveries: { due: 1 }, dead_letters: 0, unmatched_payments: 0, reviews: 1, refunds_by_hand: 1,
    unknown_attempts: 1, invariants: { checked_at: null, ok: null, breaches: [] },
  });
  expect(told.deliveries.oldest_waiting_seconds).toBeGreaterThanOrEqual(90);
  expect(told.deliveries.oldest_waiting_seconds).toBeLessThan(120);
}); // prettier-ignore

test('tells of the last look at the invariants, which one of all workers takes once an hour', async () => {
  const { db } = shop;
  const { log } = shop.services;
  const alerts = () => shop.logLines.filter((line) => line.includes('"alert":"invariant"')).length;
  await db.query(`update orders set state = 'refund_due', paid_at = null`);
  await db.query('delete from refund');
  await Promise.all([checkInvariantsHourly({ db, log }), checkInvariantsHourly({ db, log })]);
  expect(alerts()).toBe(1);
  const first = (await ask()).json().invariants;
  expect(first).toMatchObject({ ok: false, breaches: [{ invariant: 'I8', breaches: 1 }] });
  await checkInvariantsHourly({ db, log });
  expect(alerts()).toBe(1);
  await db.query(`update invariant_check set taken_at = now() - interval '61 minutes'`);
  await db.query(`update orders set state = 'refunded'`);
  await checkInvariantsHourly({ db, log });
  expect(alerts()).toBe(1);
  expect((await ask()).json().invariants).toMatchObject({ ok: true, breaches: [] });
});

test.each<[string, Record<string, string>, string | undefined]>([
  ['another address', {}, '10.0.0.7'],
  ['an address that maps', {}, '::ffff:10.0.0.7'],
  ['a proxy that says so', { 'x-forwarded-for': '127.0.0.1' }, undefined],
  ['a proxy by the standard', { forwarded: 'for=127.0.0.1' }, undefined],
  ['a proxy that passes the host on', { host: 'watt.demo.localhost' }, undefined],
  ['a name led to this machine', { host: 'evil.example:8080' }, undefined],
])('%s gets the answer of any page that is not there', async (_name, headers, remoteAddress) => {
  const answer = await ask(headers, remoteAddress);
  const nowhere = await shop.app.inject({ url: '/healthz/nowhere', headers: { host: 'localhost:8080', ...headers } });
  expect([answer.statusCode, answer.body]).toEqual([nowhere.statusCode, nowhere.body]);
  expect(answer.statusCode).toBe(404);
});

test.each(['127.0.0.1', '::1', '::ffff:127.0.0.1'])('answers %s', async (address) => {
  expect((await ask({}, address)).statusCode).toBe(200);
});
