// Coupons in the life of an order: taken with it, free again when it closes, used when the goods are there.
// Books and invariants after each.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { BillingNo } from '#kernel/ids.ts';
import { money } from '#kernel/money.ts';
import { giveTestCoupon } from '#testing/coupons.ts';
import { addTestRoles, makePlayer, placeInput, placeTestOrder, report, resultsOf } from '#testing/orders.ts';
import { pay, showRoles } from '#testing/pay.ts';
import { type TestShop, createTestShop } from '#testing/shop.ts';
import { cancelOrder, findOperatedOrder } from '#server/modules/orders/operator/operate-store.ts';
import { leaseDeliveries, recordDeliveryResults } from '#server/modules/orders/deliveries/delivery-store.ts';
import { leaseRefunds, finishRefund, requestRefund } from '#server/modules/orders/refunds/refund-store.ts';
import { type PlaceInput, placeOrder } from '#server/modules/orders/store.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await createTestShop();
});
afterAll(() => shop.close());
afterEach(async () => {
  shop.paypal.reset();
  shop.adyen.reset();
  const broken = await shop.db.query('select * from invariant_breach where breaches > 0');
  if (broken.rows.length > 0) throw new Error(`invariants are broken: ${JSON.stringify(broken.rows)}`);
});

const couponOf = async (code: string) =>
  (await shop.db.query('select state, billing_no from coupon where code = $1', [code])).rows[0];
const orderOf = async (billingNo: string) =>
  (await shop.db.query('select * from orders where billing_no = $1', [billingNo])).rows[0];
const books = async (billingNo: string): Promise<Record<string, number>> => {
  const { rows } = await shop.db.query<{ account: string; total: number }>(
    `select account, sum(amount_minor)::bigint as total from ledger_entry where billing_no = $1 group by 1
      having sum(amount_minor) <> 0 order by 1`,
    [billingNo],
  );
  return Object.fromEntries(rows.map(({ account, total }) => [account, total]));
};
const withCoupon = (code: string): Pick<PlaceInput, 'coupon'> => ({
  coupon: { code, min_charge_minor: 1, quoted_minor: null },
});
const deliver = async () => {
  const leased = await leaseDeliveries(shop.db, 100, 15, []);
  await recordDeliveryResults(shop.db, resultsOf(leased));
};
/** A player with as many characters as wanted, so that as many orders of one product can be open. */
const manyRoles = async (count: number) => {
  const playerId = await makePlayer(shop.db);
  await addTestRoles(shop.db, playerId, count);
  return playerId;
};

describe('through HTTP', () => {
  const BODY = { product_id: 'star_540', price_minor: 799 };
  const ready = async () => {
    const player = await shop.logIn();
    await showRoles(shop, player);
    return { player, code: await giveTestCoupon(shop.db, player.playerId) };
  };

  test('what is left of the price is asked, by the same two calls of the database, and the books know both parts', async () => {
    const { player, code } = await ready();
    const options = { key: 'coupon-key-1', body: { ...BODY, coupon_code: code } };
    let billingNo = '';
    const statements = await shop.countStatements(async () => {
      const answer = await pay(shop, player, options);
      expect(answer.code).toBe(1);
      billingNo = answer.content.billing_no;
    });
    expect(statements).toEqual(['session_find', 'place_order', 'record_create_result']);
    expect(shop.paypal.calls.create).toMatchObject([{ amount: money(799, 'USD') }]);
    expect(await orderOf(billingNo)).toMatchObject({ amount_minor: 799, discount_minor: 200, coupon_code: code });
    expect(await couponOf(code)).toEqual({ state: 'taken', billing_no: billingNo });
    // The same call again, and the same with another coupon.
    expect((await pay(shop, player, options)).content.billing_no).toBe(billingNo);
    expect((await pay(shop, player, { ...options, body: { ...BODY, coupon_code: 'OTHER' } })).code).toBe(-1018);

    const order = { billingNo: billingNo as BillingNo, attemptNo: 1 };
    expect(await report(shop.db, order, { amount: money(799, 'USD') })).toMatchObject({ outcome: 'paid' });
    expect(await books(billingNo)).toEqual({ provider_receivable: 799, promo: 200, goods_owed: -999 });
    await deliver();
    expect(await books(billingNo)).toEqual({ provider_receivable: 799, promo: 200, revenue: -999 });
    const list = await shop.get<{ list: object[] }>('/api/coupons/couponList?client_id=70021&use_category=history', {
      session: player,
    });
    expect(list.content.list).toEqual([
      expect.objectContaining({ code, is_used: true, billing_no: billingNo, used_time: expect.any(Number) }),
    ]);
  });

  test.each([
    ['of another player', {}, async () => giveTestCoupon(shop.db, await makePlayer(shop.db)), -3062],
    ['that does not exist', {}, async () => 'FREE', -3062],
    ['for goods that take none', { product_id: 'star_50', price_minor: 99 }, null, -3062],
    ['when another price was seen', { price_minor: 798 }, null, -1020],
    ['when the whole price was seen', { price_minor: 999 }, null, -1020],
  ])('L192 a coupon %s is refused, logged, and nothing is kept', async (_name, body, other, code) => {
    const { player, code: own } = await ready();
    const coupon_code = other ? await other() : own;
    const before = shop.logLines.length;
    const answer = await pay(shop, player, { key: 'coupon-key-2', body: { ...BODY, ...body, coupon_code } });
    expect(answer).toMatchObject({ code, content: null });
    // L192: "the coupon is logged".
    const logged = shop.logLines.slice(before).filter((line) => line.includes('coupon does not work for this order'));
    expect(logged.filter((line) => line.includes(coupon_code))).toHaveLength(code === -3062 ? 1 : 0);
    expect(await couponOf(own)).toEqual({ state: 'free', billing_no: null });
    expect((await shop.db.query('select from orders where player_id = $1', [player.playerId])).rowCount).toBe(0);
    // The key is free for a better try.
    expect(
      (await pay(shop, player, { key: 'coupon-key-2', body: { product_id: 'star_540', price_minor: 999 } })).code,
    ).toBe(1);
  });

  test('a channel that takes no coupons does not take one', async () => {
    const { player, code } = await ready();
    const channel = shop.configuration.channels.find(({ key }) => key === '10201_');
    Object.assign(channel?.file ?? {}, { openCoupon: false });
    expect((await pay(shop, player, { body: { ...BODY, coupon_code: code } })).code).toBe(-3062);
    Object.assign(channel?.file ?? {}, { openCoupon: true });
    expect((await pay(shop, player, { body: { ...BODY, coupon_code: code } })).code).toBe(1);
  });

  test('another way to pay keeps coupon and price; another coupon, or none, is another order', async () => {
    const { player, code } = await ready();
    const first = await pay(shop, player, { body: { ...BODY, coupon_code: code } });
    const again = { path: '/api/pay/adyen_pay', body: { ...BODY, coupon_code: code, channel_id: 'scheme' } };
    expect(await pay(shop, player, again)).toMatchObject({
      code: 1,
      content: { billing_no: first.content.billing_no },
    });
    expect(shop.adyen.calls.create).toMatchObject([{ amount: money(799, 'USD') }]);
    const none = { body: { product_id: 'star_540', price_minor: 999 } };
    const anew = await pay(shop, player, none);
    expect(anew.code).toBe(1);
    expect(anew.content.billing_no).not.toBe(first.content.billing_no);
    // The order it was for is closed, so the coupon works for another.
    expect(await couponOf(code)).toEqual({ state: 'free', billing_no: null });
    const price = await shop.get(`/api/pay/calculatePrice?client_id=70021&product_id=star_540&coupon_code=${code}`, {
      session: player,
    });
    expect(price.code).toBe(1);
  });

  test('the provider refuses: the coupon is free for the next try', async () => {
    const { player, code } = await ready();
    shop.paypal.script.create = () => ({ kind: 'refused', reason: 'not today' });
    expect((await pay(shop, player, { body: { ...BODY, coupon_code: code } })).code).toBe(-1012);
    expect(await couponOf(code)).toEqual({ state: 'free', billing_no: null });
    shop.paypal.reset();
    expect((await pay(shop, player, { body: { ...BODY, coupon_code: code } })).code).toBe(1);
  });

  test('a call that died is taken up with the price it had', async () => {
    const { player, code } = await ready();
    const options = { key: 'coupon-key-3', body: { ...BODY, coupon_code: code } };
    shop.paypal.script.create = () => new Promise(() => {});
    void pay(shop, player, options);
    while (shop.paypal.calls.create.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    for (const table of ['idempotency', 'payment_attempt'])
      await shop.db.query(`update ${table} set created_at = created_at - interval '30 seconds' where player_id = $1`, [
        player.playerId,
      ]);
    shop.paypal.script.create = ({ reference }) => ({
      kind: 'redirect',
      url: 'https://pay.provider.test/x',
      providerRef: reference,
    });
    expect((await pay(shop, player, options)).code).toBe(1);
    expect(shop.paypal.calls.create[1]).toEqual(shop.paypal.calls.create[0]);
  });
});

test('500 orders at once, one coupon: one has it', async () => {
  const playerId = await manyRoles(500);
  const code = await giveTestCoupon(shop.db, playerId);
  const outcomes = await Promise.all(
    Array.from({ length: 500 }, (_, n) =>
      placeOrder(shop.db, placeInput(playerId, { role_id: `role-${n}`, ...withCoupon(code) })),
    ),
  );
  const counted = Object.groupBy(outcomes, ({ outcome }) => outcome);
  expect(counted.placed).toHaveLength(1);
  expect(counted.coupon_refused).toHaveLength(499);
});

test.each(['failed', 'expired', 'cancelled'] as const)(
  'an order that is %s gives it back once, for one other order',
  async (end) => {
    const playerId = await manyRoles(20);
    const code = await giveTestCoupon(shop.db, playerId);
    const order = await placeTestOrder(shop.db, placeInput(playerId, withCoupon(code)));
    const close = async () => {
      if (end !== 'cancelled') return report(shop.db, order, { status: end, dedupKey: null });
      const found = await findOperatedOrder(shop.db, order.billingNo);
      return found && cancelOrder(shop.db, found, [1]);
    };
    // Said by many at once, while others want the coupon already.
    const [, outcomes] = await Promise.all([
      Promise.all(Array.from({ length: 10 }, close)),
      Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          placeOrder(shop.db, placeInput(playerId, { role_id: `role-${n}`, ...withCoupon(code) })),
        ),
      ),
    ]);
    expect(await orderOf(order.billingNo)).toMatchObject({ state: end });
    const won = outcomes.filter(({ outcome }) => outcome === 'placed').length;
    expect(won).toBeLessThanOrEqual(1);
    // Whoever came before it was given back found it taken; then it is free now.
    expect((await couponOf(code)).state).toBe(won === 0 ? 'free' : 'taken');
  },
);

test.each([
  ['is had again when nobody took it', false, 'late_paid'],
  ['is not had when another order has it: the money goes back', true, 'late_refused'],
] as const)('money that comes late: the coupon %s', async (_name, isTaken, expected) => {
  const playerId = await manyRoles(1);
  const code = await giveTestCoupon(shop.db, playerId);
  const late = await placeTestOrder(shop.db, placeInput(playerId, withCoupon(code)));
  await report(shop.db, late, { status: 'expired' });
  if (isTaken) await placeTestOrder(shop.db, placeInput(playerId, { role_id: 'role-0', ...withCoupon(code) }));
  const outcome = await report(shop.db, late, { amount: money(399, 'USD') });
  expect(outcome).toMatchObject({ outcome: expected });
  expect((await couponOf(code)).billing_no === late.billingNo).toBe(!isTaken);
});

test.each([
  ['before the goods went out: it is free again', false, { state: 'free', billing_no: null }],
  ['after that: it is used', true, { state: 'taken', billing_no: expect.any(String) }],
] as const)('money that goes back %s', async (_name, isDelivered, coupon) => {
  const playerId = await makePlayer(shop.db);
  const code = await giveTestCoupon(shop.db, playerId);
  const order = await placeTestOrder(shop.db, placeInput(playerId, withCoupon(code)));
  await report(shop.db, order, { amount: money(399, 'USD') });
  if (isDelivered) await deliver();
  await requestRefund(shop.db, { playerId, ...order, reason: 'r', by: 'anna' });
  for (const refund of await leaseRefunds(shop.db, 50, 60)) {
    expect(refund).toMatchObject({ amount_minor: 399 });
    await finishRefund(shop.db, refund, { kind: 'done', ref: null, error: null, retrySeconds: 0 });
  }
  expect(await books(order.billingNo)).toEqual({});
  expect(await couponOf(code)).toEqual(coupon);
});

test.each([
  ['of another brand', { brandKey: 'product' }],
  ['for another game', { games: ['emberfall'] }],
  ['for other goods', { products: ['star_6000'] }],
  ['that begins tomorrow', { validFrom: Date.now() + 1e6 }],
  ['that is over', { validEnd: Date.now() - 1e6 }],
  ['that was not claimed', { isClaimable: true }],
  ['for higher prices', { minSpend: { USD: 500 } }],
  ['for prices in another currency', { minSpend: { JPY: 1 } }],
])('a coupon %s does not work', async (_name, over) => {
  const playerId = await makePlayer(shop.db);
  const code = await giveTestCoupon(shop.db, playerId, over as never);
  expect(await placeOrder(shop.db, placeInput(playerId, withCoupon(code)))).toEqual({ outcome: 'coupon_refused' });
});

test('less than the channel takes is refused, exactly that much is not', async () => {
  const playerId = await makePlayer(shop.db);
  const code = await giveTestCoupon(shop.db, playerId);
  const place = (least: number) =>
    placeOrder(shop.db, placeInput(playerId, { coupon: { code, min_charge_minor: least, quoted_minor: null } }));
  expect(await place(400)).toEqual({ outcome: 'coupon_refused' });
  expect(await place(399)).toMatchObject({ outcome: 'placed', amount_minor: 399 });
});

test('limit and stock taken before the coupon was refused are given back', async () => {
  const playerId = await makePlayer(shop.db);
  await shop.db.query(`insert into product_stock (game_id, product_id, total) values ('starlane', 'star_60', 5)`);
  const limit = { times: 3, days: null, subject: 'game' };
  const refused = await placeOrder(shop.db, placeInput(playerId, { limit, has_stock: true, ...withCoupon('NONE') }));
  expect(refused).toEqual({ outcome: 'coupon_refused' });
  const { rows } = await shop.db.query(
    `select (select used from limit_counter where account_id = $1) as limited, (select used from product_stock
      where product_id = 'star_60') as stocked`,
    [playerId],
  );
  expect(rows).toEqual([{ limited: 0, stocked: 0 }]);
});
