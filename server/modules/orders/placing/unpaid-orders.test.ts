// Unpaid orders in the way of another one: the shop closes what it safely can, and its refusals lead to the rest.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { BillingInfo } from '#contracts/orders.ts';
import { OutboundError } from '#server/platform/outbound/outbound.ts';
import { createFakeProvider, type FakeProvider, reportOn } from '#testing/fake-payments.ts';
import { giveTestCoupon } from '#testing/coupons.ts';
import { addTestRoles } from '#testing/orders.ts';
import { pay, placeOrder, stateOf } from '#testing/pay.ts';
import { type TestPlayer, type TestShop, createTestShop } from '#testing/shop.ts';

const SIXTH = { product_id: 'star_540', price_minor: 999 };
const environment = { REFILL_MAX_OPEN_ORDERS: '2', REFILL_MAX_ORDERS_PER_MINUTE: '4' };

/** A player with as many unpaid orders as one may have, the oldest first. */
async function fill(shop: TestShop) {
  const oldest = await placeOrder(shop);
  const { player } = oldest;
  const second = await pay(shop, player, { body: { product_id: 'star_260', price_minor: 499 } });
  return { player, numbers: [oldest.billingNo, second.content.billing_no] as const };
}

const statesOf = (shop: TestShop, numbers: readonly string[]) =>
  Promise.all(numbers.map(async (billingNo) => (await stateOf(shop, billingNo)).state));
const cancel = (shop: TestShop, session: TestPlayer, billing_no: string) =>
  shop.post<BillingInfo>('/api/orders/cancel', { billing_no }, { session });
const atOtherPrice = async (shop: TestShop, player: TestPlayer) => {
  const coupon_code = await giveTestCoupon(shop.db, player.playerId);
  return pay(shop, player, { body: { ...SIXTH, price_minor: 799, coupon_code } });
};
const change = (shop: TestShop, billingNo: string, set: string) =>
  shop.db.query(`update payment_attempt set ${set} where billing_no = $1`, [billingNo]);

describe('where the provider can close its page', () => {
  let shop: TestShop;
  beforeAll(async () => {
    shop = await createTestShop({ environment });
  });
  afterAll(() => shop.close());
  beforeEach(() => shop.paypal.reset());

  test('the oldest one without a sign of payment makes room for the next', async () => {
    const { player, numbers } = await fill(shop);
    expect((await pay(shop, player, { body: SIXTH })).code).toBe(1);
    expect(await statesOf(shop, numbers)).toEqual(['cancelled', 'pending']);
  });

  test.each([
    ['it was approved', `approval = 'token'`],
    ['its money is being taken', `capture_lease_until = now() + interval '1 minute'`],
    ['its capture was begun', `capture_ref = 'begun'`],
    ['its page may be on the way', `state = 'sent', pay_url = null`],
    ['whether it was created is not known', `state = 'unknown'`],
  ])('one stays where %s, and the next is taken', async (_why, set) => {
    const { player, numbers } = await fill(shop);
    await change(shop, numbers[0], set);
    expect((await pay(shop, player, { body: SIXTH })).code).toBe(1);
    expect(await statesOf(shop, numbers)).toEqual(['pending', 'cancelled']);
  });

  test('what its provider calls approved stays, and a payment that is found goes its way', async () => {
    const approved = await fill(shop);
    shop.paypal.script.query = (payment) => reportOn(payment, 'approved');
    expect((await pay(shop, approved.player, { body: SIXTH })).code).toBe(-1014);
    expect(await statesOf(shop, approved.numbers)).toEqual(['pending', 'pending']);
    const paid = await fill(shop);
    shop.paypal.script.query = (payment) => reportOn(payment, 'paid');
    expect((await pay(shop, paid.player, { body: SIXTH })).code).toBe(1);
    expect(await statesOf(shop, paid.numbers)).toEqual(['paid', 'pending']);
  });

  test('while the provider gives no answer, the refusal names the orders', async () => {
    const { player, numbers } = await fill(shop);
    shop.paypal.script.query = () => {
      throw new OutboundError('timeout', true, 'no answer');
    };
    const refused = await pay(shop, player, { body: SIXTH });
    expect([refused.status, refused.code]).toEqual([200, -1014]);
    expect(refused.content.open_orders?.map((one) => one.billing_no)).toEqual(numbers);
  });

  test('the same goods at another price, while the provider gives no answer: the order that is open, and no fault', async () => {
    const order = await placeOrder(shop, { body: SIXTH });
    shop.paypal.script.query = () => {
      throw new OutboundError('timeout', true, 'no answer');
    };
    const refused = await atOtherPrice(shop, order.player);
    expect([refused.status, refused.code]).toEqual([200, -1021]);
    expect(refused.content).toMatchObject({ billing_no: order.billingNo, open_orders: [{ stage: 'unpaid' }] });
    shop.paypal.reset();
    expect((await atOtherPrice(shop, order.player)).code).toBe(1);
    expect((await stateOf(shop, order.billingNo)).state).toBe('cancelled');
  });

  test('too many in a minute is another refusal: waiting helps there, and closing does not', async () => {
    const { player, numbers } = await fill(shop);
    for (const billingNo of numbers) await cancel(shop, player, billingNo);
    for (let more = 0; more < 2; more += 1) {
      const { content } = await pay(shop, player, { body: SIXTH });
      await cancel(shop, player, content.billing_no);
    }
    const refused = await pay(shop, player, { body: SIXTH });
    expect([refused.status, refused.code]).toEqual([429, -1003]);
  });
});

describe('where the provider cannot close its page', () => {
  const HOURS = 3_600_000;
  let shop: TestShop;
  let paypal: FakeProvider;
  beforeAll(async () => {
    paypal = createFakeProvider('paypal', { payableForSeconds: 24 * 3600 });
    const { cancel: _cancel, capture: _capture, ...closesNothing } = paypal;
    const providers = [closesNothing as unknown as FakeProvider, createFakeProvider('adyen')];
    shop = await createTestShop({ environment, providers });
  });
  afterAll(() => shop.close());

  test('the refusal names every unpaid order of this player, with its page and the time when it closes', async () => {
    const { player, numbers } = await fill(shop);
    const refused = await pay(shop, player, { body: SIXTH });
    expect(refused).toMatchObject({ code: -1014, content: { billing_no: '', url: '' } });
    const [oldest] = refused.content.open_orders ?? [];
    expect(refused.content.open_orders?.map((one) => one.billing_no)).toEqual(numbers);
    expect(oldest).toMatchObject({ stage: 'unpaid', product_id: 'star_50', url: expect.stringContaining(numbers[0]) });
    const hours = (oldest!.closes_at! - oldest!.created_at) / HOURS;
    expect(hours).toBeGreaterThan(24.25);
    expect(hours).toBeLessThan(24.5);
  });

  test('an order counts for its own time alone, however long its page can be paid', async () => {
    const { player, numbers } = await fill(shop);
    await shop.db.query('update orders set expires_at = now() where billing_no = $1', [numbers[0]]);
    expect((await pay(shop, player, { body: SIXTH })).code).toBe(1);
    expect(await statesOf(shop, numbers)).toEqual(['pending', 'pending']);
  });

  test('the same goods at another price, and a cancel: both lead to the order with its true time', async () => {
    const order = await placeOrder(shop, { body: SIXTH });
    const other = await atOtherPrice(shop, order.player);
    expect(other.code).toBe(-1021);
    expect(other.content).toMatchObject({ billing_no: order.billingNo, url: expect.stringContaining(order.billingNo) });
    const [open] = other.content.open_orders ?? [];
    expect(open).toMatchObject({ billing_no: order.billingNo, closes_at: expect.any(Number) });
    const kept = await cancel(shop, order.player, order.billingNo);
    expect(kept).toMatchObject({ code: -1024, content: { stage: 'unpaid', closes_at: open!.closes_at } });
  });

  test('a session of one character is shown the orders of that character', async () => {
    const { player } = await fill(shop);
    await addTestRoles(shop.db, player.playerId, 0);
    const bound = { client_id: '70021', server_id: 's1', area_id: '', role_id: 'role-0' };
    await shop.db.query('update session set bound = $2 where player_id = $1', [player.playerId, JSON.stringify(bound)]);
    const refused = await pay(shop, player, { body: { ...SIXTH, role_id: 'role-0' } });
    expect(refused).toMatchObject({ code: -1014, content: { open_orders: [] } });
  });
});
