// Tests a player's view of their orders over HTTP, and the return from a provider's page.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { BillingInfo } from '#contracts/orders.ts';
import type { BillingNo } from '#kernel/ids.ts';
import { OutboundError } from '#server/platform/outbound/outbound.ts';
import { EMBER_CLIENT, showEmberRole } from '#testing/events.ts';
import { FAKE_PAY_HOST, reportOn } from '#testing/fake-payments.ts';
import { withoutTransitionLaw } from '#testing/orders.ts';
import { callBack, eventOn, makePollDue, orderInfo, pay, placeOrder, stateOf, waitUntil } from '#testing/pay.ts';
import { type TestPlayer, type TestShop, createTestShop } from '#testing/shop.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await createTestShop();
});
afterAll(() => shop.close());
afterEach(() => {
  shop.paypal.reset();
  shop.game.reset();
});

describe('one order', () => {
  test('unpaid: with its way to pay, in the language of the player', async () => {
    const order = await placeOrder(shop);
    const answer = await orderInfo(shop, order, 'spec_lang=ja');
    expect(answer).toMatchObject({ status: 200, code: 1 });
    expect(answer.content).toEqual({
      billing_no: order.billingNo, status: -1, stage: 'unpaid', user_name: order.player.username, game_name: 'スターレーン・タクティクス', game_server_name: 'Altair',
      role_name: 'Kestrel_07', product_name: 'ルーメン 50個', product_id: 'star_50', client_id: '70021', art: 'pack-1', amount: 50, bonus_amount: 0, bonus: '', picture: expect.any(Object), price_shown: '$0.99', channel_name: 'PayPal',
      url: `https://${FAKE_PAY_HOST}/${order.reference}`, created_at: expect.any(Number), paid_at: 0, delivering_at: 0, delivered_at: 0, refunded_at: 0, is_declined: false,
      first_bonus: '', off_shown: '', promo_code: '',
    }); /* a row a line */ // prettier-ignore
    expect(Math.abs(answer.content.created_at - Date.now())).toBeLessThan(60_000);
  });

  test('of goods and a way to pay that are called otherwise now: by the names they were bought under', async () => {
    const order = await placeOrder(shop);
    await shop.db.query(
      `update orders set product = jsonb_set(product, '{name}', '{"en": "50 Old Gems"}')
      where billing_no = $1`,
      [order.billingNo],
    );
    await shop.db.query(
      `update payment_attempt set channel_name = '{"en": "Old Pay", "ja": "旧ペイ"}'
      where billing_no = $1`,
      [order.billingNo],
    );
    expect((await orderInfo(shop, order, 'spec_lang=ja')).content).toMatchObject({
      product_name: '50 Old Gems',
      channel_name: '旧ペイ',
      game_name: 'スターレーン・タクティクス',
    });
  });

  test('of a bundle: all that is in it, by the names it was sold with where the shop has it no more', async () => {
    const player = await shop.logIn();
    await showEmberRole(shop.db, player.playerId);
    const body = { client_id: EMBER_CLIENT, product_id: 'ember_season', price_minor: 1499, country: 'US' };
    const placed = await pay(shop, player, { body });
    const order = { player, billingNo: placed.content.billing_no as BillingNo };
    const content = async () => (await orderInfo(shop, order)).content;
    expect(await content()).toMatchObject({
      content: '1,000 Ember Crystals, 20 Dragon Keys, 1 Season banner',
      bonus: '+20 Dragon Keys, +1 Season banner',
    });
    const change = (sql: string) => shop.db.query(`update orders set ${sql} where billing_no = $1`, [order.billingNo]);
    // Of a version before, which kept no unit.
    await change(`product = product - 'unit'`);
    expect((await content()).content).toMatch(/^1,000 Ember Crystals, /);
    await change(`product = product || '{"unit": "Old Gems"}', product_id = 'gone'`);
    expect((await content()).content).toMatch(/^1,000 Old Gems, /);
  });

  test('the full question waits for the provider; the simple one answers from what is known and nudges', async () => {
    const [full, simple] = [await placeOrder(shop), await placeOrder(shop)];
    shop.paypal.script.query = async (payment) => {
      await new Promise((resolve) => setTimeout(resolve, 100));
      return reportOn(payment, 'paid');
    };
    expect((await orderInfo(shop, full)).content).toMatchObject({
      status: -1,
      stage: 'paid',
      url: '',
      paid_at: expect.any(Number),
    });
    expect((await orderInfo(shop, simple, 'simple=1')).content.stage).toBe('unpaid');
    await waitUntil('the nudge', async () => (await stateOf(shop, simple.billingNo)).state === 'paid');
    expect((await orderInfo(shop, simple, 'simple=true')).content.stage).toBe('paid');
    // Paid orders are not asked about.
    expect(shop.paypal.calls.query).toHaveLength(2);
  });

  test('the provider is silent: still an answer', async () => {
    const order = await placeOrder(shop);
    shop.paypal.script.query = () => {
      throw new OutboundError('timeout', true, 'no answer');
    };
    expect((await orderInfo(shop, order)).content.stage).toBe('unpaid');
  });

  test('a payment that is just being created is not asked about', async () => {
    const order = await placeOrder(shop);
    await shop.db.query(`update payment_attempt set state = 'sent' where billing_no = $1`, [order.billingNo]);
    await orderInfo(shop, order);
    expect(shop.paypal.calls.query).toEqual([]);
  });

  test('of another way to pay after a failed one shows the one that paid', async () => {
    const order = await placeOrder(shop);
    await pay(shop, order.player, { path: '/api/pay/adyen_pay', body: { channel_id: 'scheme' } });
    await callBack(shop, eventOn(order, 'paid'));
    expect((await orderInfo(shop, order)).content).toMatchObject({ stage: 'paid', channel_name: 'PayPal' });
  });

  test.each(['review', 'refund_due', 'refunded', 'failed', 'expired', 'cancelled', 'delivering'])(
    'in state %s has no way to pay',
    async (state) => {
      const order = await placeOrder(shop);
      await withoutTransitionLaw(shop.db, 'update orders set state = $2 where billing_no = $1', [
        order.billingNo,
        state,
      ]);
      expect((await orderInfo(shop, order)).content.url).toBe('');
      expect(shop.paypal.calls.query).toEqual([]);
    },
  );

  test.each([
    ['of another amount', 'paid', { amount: { amountMinor: 98, currency: 'USD' } }],
    ['that cannot be read', 'paid_unreadable', { amount: null }],
  ] as const)('a payment %s is being checked: not paid, and no reason of ours', async (_name, status, over) => {
    const order = await placeOrder(shop);
    await callBack(shop, eventOn(order, status, over));
    const answer = await orderInfo(shop, order);
    expect(answer.content).toMatchObject({ status: -1, stage: 'review', review_kind: 'payment', paid_at: 0 });
    expect(answer.text).not.toMatch(/mismatch|unreadable/);
  });

  test.each([
    ['game_declined: role_not_found of Kestrel', 'delivery'],
    ['partial_refund', 'refund'],
    ['chargeback', 'dispute'],
    ['of an operator, in words', undefined],
  ])('in review because of %s: kind %s, and nothing of the reason', async (reason, kind) => {
    const order = await placeOrder(shop);
    await callBack(shop, eventOn(order, 'paid'));
    await shop.db.query(`update orders set state = 'review', review_reason = $2 where billing_no = $1`, [
      order.billingNo,
      reason,
    ]);
    const answer = await orderInfo(shop, order);
    expect(answer.content).toMatchObject({ status: -1, stage: 'review', paid_at: expect.any(Number) });
    expect(answer.content.review_kind).toBe(kind);
    expect(answer.text).not.toContain(reason);
    const history = await shop.get<{ list: BillingInfo[] }>('/api/orders/history', { session: order.player });
    expect(history.content.list[0]?.review_kind).toBe(kind);
  });

  test("another player's, another brand's, and one that never was are equally not found", async () => {
    const order = await placeOrder(shop);
    const stranger = await shop.logIn();
    const elsewhere = await shop.logIn({ brand: 'product' });
    const answers = [
      await orderInfo(shop, { player: stranger, billingNo: order.billingNo }),
      await orderInfo(shop, { player: elsewhere, billingNo: order.billingNo }),
      await orderInfo(shop, { player: stranger, billingNo: '01ARZ3NDEKTSV4RRFFQ69G5FAV' }),
      await orderInfo(shop, { player: order.player, billingNo: order.billingNo.toLowerCase() }),
      await orderInfo(shop, { player: order.player, billingNo: `${order.billingNo.slice(0, -1)}'` }),
      await orderInfo(shop, { player: order.player, billingNo: '' }),
    ];
    for (const answer of answers)
      expect(answer).toMatchObject({ status: 200, code: -1005, content: null, text: answers[0]?.text });
    expect((await shop.get(`/api/pay/getOrderInfo?billing_no=${order.billingNo}`)).code).toBe(-600);
    // A stranger's question is no nudge either.
    expect(shop.paypal.calls.query).toEqual([]);
  });
});

describe('the history', () => {
  type Page = { list: BillingInfo[]; next: string };
  const page = (session: TestPlayer, query = '') => shop.get<Page>(`/api/orders/history?${query}`, { session });

  test("pages through the player's own orders, newest first, each once", async () => {
    const { player } = await placeOrder(shop);
    await placeOrder(shop);
    for (let n = 0; n < 11; n += 1) {
      await shop.db.query(`update orders set state = 'expired' where player_id = $1`, [player.playerId]);
      await pay(shop, player);
    }
    const first = (await page(player)).content;
    expect(first.list).toHaveLength(10);
    const second = (await page(player, `before=${first.next}`)).content;
    expect([second.list.length, second.next]).toEqual([2, '']);
    const numbers = [...first.list, ...second.list].map(({ billing_no }) => billing_no);
    expect(new Set(numbers).size).toBe(12);
    expect(numbers).toEqual(numbers.toSorted().toReversed());
    expect((await page(player, 'limit=12')).content).toMatchObject({ next: '' });
    expect((await page(player, 'limit=3')).content.list).toHaveLength(3);
    for (const odd of ['limit=0', 'limit=-1', 'limit=1e9', 'limit=abc']) {
      const { list } = (await page(player, odd)).content;
      expect([1, 10]).toContain(list.length);
    }
  });

  test('of a new player is empty, of a stranger closed, and from a wrong place a bad request', async () => {
    const player = await shop.logIn();
    expect((await page(player)).content).toEqual({ list: [], next: '' });
    expect((await shop.get('/api/orders/history')).code).toBe(-600);
    expect((await page(player, `before=x' or 1=1`)).code).toBe(-1001);
  });
});

describe('the way back', () => {
  const openReturn = (query: string, brand = 'watt') => shop.get(`/return/paypal?${query}`, { brand });

  test('leads to the result and nudges the provider, without a session', async () => {
    const order = await placeOrder(shop);
    shop.paypal.script.query = (payment) => reportOn(payment, 'paid');
    const answer = await openReturn(`ref=${order.reference}&token=EC-1&PayerID=2&cancelled=1`);
    expect(answer).toMatchObject({ status: 303, headers: { location: `/result?billing_no=${order.billingNo}` } });
    await waitUntil('the nudge', async () => (await stateOf(shop, order.billingNo)).state === 'paid');
  });

  test('a hundred returns are one question', async () => {
    const order = await placeOrder(shop);
    await Promise.all(Array.from({ length: 100 }, () => openReturn(`ref=${order.reference}`)));
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(shop.paypal.calls.query).toHaveLength(1);
    await makePollDue(shop, order.billingNo);
  });

  test('of another brand, an unknown order or nonsense leads home and asks nobody', async () => {
    const order = await placeOrder(shop);
    for (const [query, brand] of [
      [`ref=${order.reference}`, 'product'],
      ['ref=01ARZ3NDEKTSV4RRFFQ69G5FAV-1', 'watt'],
      ['ref=//evil.example', 'watt'],
      [`ref=${order.reference}%0d%0aset-cookie:x=1`, 'watt'],
      ['', 'watt'],
    ] as const) {
      expect(await openReturn(query, brand)).toMatchObject({ status: 303, headers: { location: '/' } });
    }
    expect(shop.paypal.calls.query).toEqual([]);
  });
});
