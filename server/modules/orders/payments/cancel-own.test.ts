// A player cancels an order of their own: closed at its provider first, never while money may still come, and money that
// comes all the same is not lost.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { BillingInfo } from '#contracts/orders.ts';
import { OutboundError } from '#server/platform/outbound/outbound.ts';
import { reportOn } from '#testing/fake-payments.ts';
import { callBack, eventOn, orderInfo, pay, placeOrder, stateOf } from '#testing/pay.ts';
import { type TestPlayer, type TestShop, createTestShop } from '#testing/shop.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await createTestShop();
});
beforeEach(() => {
  shop.paypal.reset();
  shop.game.reset();
});
afterAll(() => shop.close());

const cancel = (order: { player: TestPlayer; billingNo: string }) =>
  shop.post<BillingInfo>('/api/orders/cancel', { billing_no: order.billingNo }, { session: order.player });

/** The provider closes its page. */
const closes = () => (shop.paypal.script.cancel = (payment) => reportOn(payment, 'expired'));

/** A capture was begun, and the provider cannot say that nothing comes of it. */
const staysOpen = () => {
  shop.paypal.script.query = (payment) => ({ ...reportOn(payment, 'pending'), captureRef: 'begun' });
  shop.paypal.script.cancel = (payment) => ({ ...reportOn(payment, 'pending'), captureRef: 'begun' });
};

test('is closed at its provider and here, once, and makes room for another one', async () => {
  const order = await placeOrder(shop);
  closes();
  expect(await cancel(order)).toMatchObject({ code: 1, content: { stage: 'cancelled', url: '' } });
  expect(await stateOf(shop, order.billingNo)).toMatchObject({ state: 'cancelled', attempts: ['failed'] });
  expect(await cancel(order)).toMatchObject({ code: 1, content: { stage: 'cancelled' } });
  expect(shop.paypal.calls.cancel).toHaveLength(1);
  const again = await pay(shop, order.player);
  expect(again.content.billing_no).not.toBe(order.billingNo);
});

test('stays where its provider cannot rule out a payment, or gives no answer', async () => {
  const order = await placeOrder(shop);
  staysOpen();
  expect(await cancel(order)).toMatchObject({ code: -1024, content: { stage: 'unpaid' } });
  shop.paypal.script.query = () => {
    throw new OutboundError('timeout', true, 'no answer');
  };
  expect(await cancel(order)).toMatchObject({ code: -1024 });
  expect(await stateOf(shop, order.billingNo)).toMatchObject({ state: 'pending', attempts: ['redirected'] });
});

test('that was paid meanwhile goes its way', async () => {
  const order = await placeOrder(shop);
  shop.paypal.script.query = (payment) => reportOn(payment, 'paid');
  expect(await cancel(order)).toMatchObject({ code: 1, content: { stage: 'paid', paid_at: expect.any(Number) } });
});

test('money that comes after it is not lost: the goods go out as long as they can be had', async () => {
  const order = await placeOrder(shop);
  closes();
  await cancel(order);
  await callBack(shop, eventOn(order, 'paid'));
  await expect.poll(async () => (await stateOf(shop, order.billingNo)).state).toBe('paid');
});

test('a payment that nobody can read, come while the provider was asked, is left to a person', async () => {
  const order = await placeOrder(shop);
  shop.paypal.script.cancel = async (payment) => {
    await callBack(shop, eventOn(order, 'paid_unreadable', { amount: null }));
    return reportOn(payment, 'expired');
  };
  shop.paypal.script.query = (payment) => ({ ...reportOn(payment, 'pending'), captureRef: 'begun' });
  expect(await cancel(order)).toMatchObject({ code: 1, content: { stage: 'review' } });
  expect(await stateOf(shop, order.billingNo)).toMatchObject({ state: 'review' });
});

test('two presses at once close it once', async () => {
  const order = await placeOrder(shop);
  closes();
  const answers = await Promise.all([cancel(order), cancel(order)]);
  // The second finds the first at work, or the order closed.
  expect(answers.every(({ code }) => code === 1 || code === -1024)).toBe(true);
  expect(answers.some(({ code }) => code === 1)).toBe(true);
  expect(await stateOf(shop, order.billingNo)).toMatchObject({ state: 'cancelled' });
});

test('is nobody else’s to cancel, nor a foreign page’s; and not without end', async () => {
  const order = await placeOrder(shop);
  expect((await cancel({ ...order, player: await shop.logIn() })).code).toBe(-1005);
  const foreign = await shop.post(
    '/api/orders/cancel',
    { billing_no: order.billingNo },
    { session: order.player, headers: { 'x-refill': undefined, 'sec-fetch-site': 'cross-site' } },
  );
  expect(foreign.status).toBe(403);
  staysOpen();
  const codes: number[] = [];
  for (let times = 0; times < 11; times += 1) codes.push((await cancel(order)).code);
  expect([codes.at(0), codes.at(-1)]).toEqual([-1024, -1003]);
  expect((await orderInfo(shop, order)).content.stage).toBe('unpaid');
});
