// The sweeper: what moves orders when nobody is looking. Payment status polling has its tests in poll-payments.test.ts.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { reportOn } from '#testing/fake-payments.ts';
import { callBack, eventOn, makePollDue, orderInfo, placeOrder, stateOf, waitUntil } from '#testing/pay.ts';
import { type TestShop, createTestShop } from '#testing/shop.ts';

let shop: TestShop;
beforeEach(async () => {
  shop = await createTestShop();
});
afterEach(async () => {
  await shop.services.orders.sweeper.stop();
  await shop.close();
});

test('an unpaid order past its time is closed when the provider has given its final word, and its stock goes back', async () => {
  const used = async () =>
    (await shop.db.query(`select used from product_stock where product_id = 'ember_phoenix'`)).rows[0].used;
  const order = await placeOrder(shop, {
    body: { client_id: '70013', product_id: 'ember_phoenix', price_minor: undefined },
  });
  expect(await used()).toBe(1);
  await shop.db.query(`update orders set expires_at = now()`);
  const { sweeper } = shop.services.orders;
  sweeper.start();
  await waitUntil('asked', () => shop.paypal.calls.cancel.length === 1);
  await sweeper.stop();
  expect((await stateOf(shop, order.billingNo)).state).toBe('pending');
  expect(await used()).toBe(1);
  // Looked at again five minutes later, not at once.
  expect(
    (
      await shop.db.query(
        `select from orders where expires_at <= now() and expiry_lease_until > now() + interval '4 minutes'`,
      )
    ).rowCount,
  ).toBe(1);
  shop.paypal.script.cancel = (payment) => reportOn(payment, 'expired');
  await shop.db.query(`update orders set expiry_lease_until = now()`);
  await makePollDue(shop, order.billingNo);
  sweeper.start();
  await waitUntil('expired', async () => (await stateOf(shop, order.billingNo)).state === 'expired');
  expect(await used()).toBe(0);
});

test('a provider that hangs over one order does not keep others from being closed', async () => {
  const [first, second] = [await placeOrder(shop), await placeOrder(shop)];
  let answer: () => void = () => undefined;
  shop.paypal.script.query = (payment) => {
    const closed = reportOn(payment, 'expired');
    return payment.reference !== first.reference ? closed : new Promise((resolve) => (answer = () => resolve(closed)));
  };
  await shop.db.query(
    `update orders set expires_at = now() - case billing_no when $1 then interval '1 hour' else '0' end`,
    [first.billingNo],
  );
  shop.services.orders.sweeper.start();
  await waitUntil('the second', async () => (await stateOf(shop, second.billingNo)).state === 'expired');
  expect((await stateOf(shop, first.billingNo)).state).toBe('pending');
  answer();
  await waitUntil('the first', async () => (await stateOf(shop, first.billingNo)).state === 'expired');
});

test('an early callback is applied within seconds', async () => {
  const order = await placeOrder(shop);
  await shop.db.query(`update order_lookup set billing_no = 'AWAY'`);
  await callBack(shop, eventOn(order, 'paid'));
  await shop.db.query('update order_lookup set billing_no = $1', [order.billingNo]);
  shop.services.orders.sweeper.start();
  await waitUntil('paid', async () => (await stateOf(shop, order.billingNo)).state === 'paid', 5000);
  expect((await orderInfo(shop, order)).content.stage).toBe('paid');
});
