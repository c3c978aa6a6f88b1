// Paying, step one, through HTTP: what is placed, what is not, and what a provider's answer does to the order.
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { OutboundError } from '#server/platform/outbound/outbound.ts';
import { FAKE_PAY_HOST, type FakeProvider, createFakeProvider } from '#testing/fake-payments.ts';
import { PAY, PAY_BODY, pay, placeOrder, showRoles, stateOf } from '#testing/pay.ts';
import { type TestPlayer, type TestShop, createTestShop } from '#testing/shop.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await createTestShop();
});
afterAll(() => shop.close());
afterEach(() => {
  shop.paypal.reset();
  shop.adyen.reset();
  shop.game.reset();
});

const ready = async (): Promise<TestPlayer> => {
  const player = await shop.logIn();
  await showRoles(shop, player);
  return player;
};
const ordersOf = async (player: TestPlayer) =>
  (await shop.db.query('select * from orders where player_id = $1 order by billing_no', [player.playerId])).rows;
const usedStock = async () =>
  (await shop.db.query(`select used from product_stock where product_id = 'ember_phoenix'`)).rows[0].used;

test('L174 the pay call takes every key of the payload, and the order keeps where it came from', async () => {
  const player = await ready();
  const origin = {
    utm_pay: 'kf',
    traffic_source: 'tube/video',
    did: 'd'.repeat(32),
    session_id: 'v1',
    session_time: '1795000000000',
    game_channel_id: 'huawei',
    platform: 'android',
  };
  const body = { ...origin, bcp47_lang: 'ja-JP', country: 'US', domain_area: 'universal', areaId: '' };
  expect((await pay(shop, player, { body })).code).toBe(1);
  const [order] = await ordersOf(player);
  expect(order).toMatchObject({ origin, country: 'US', region: 'universal' });
});

test('L59 utm_pay is kept with the order; a call that says nothing of its origin keeps nothing', async () => {
  const sent = await ready();
  await pay(shop, sent, { body: { utm_pay: 'kf', did: '' } });
  expect((await ordersOf(sent))[0].origin).toEqual({ utm_pay: 'kf' });
  // One visit has one name: moments carry the game app's, where the address brings one.
  const inApp = await ready();
  await pay(shop, inApp, { body: { idfv: 'DEV-1', did: 'd'.repeat(32) } });
  expect((await ordersOf(inApp))[0].origin).toEqual({ did: 'DEV-1' });
  const silent = await ready();
  await pay(shop, silent);
  expect((await ordersOf(silent))[0].origin).toBeNull();
});

describe('a provider that is away', () => {
  test('costs a few orders until its circuit opens; then a press writes nothing, until a second later', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    const own = await createTestShop({
      providers: [createFakeProvider('paypal', { apiHosts: () => ['127.0.0.1:9'] }), createFakeProvider('adyen')],
    });
    onTestFinished(async () => {
      vi.useRealTimers();
      await own.close();
    });
    const provider = own.services.payments.account('paypal')?.provider as FakeProvider;
    const player = await own.logIn();
    await showRoles(own, player);
    const count = async () =>
      (
        await own.db.query<Record<string, number>>(
          `select (select count(*)::integer from orders) as orders, (select count(*)::integer
             from payment_attempt) as attempts,
             (select count(*)::integer from idempotency) as keys, (select count(*)::integer
               from order_lookup) as numbers`,
        )
      ).rows[0];
    // Nobody listens at port 9 ("discard"), so the connection is refused at once.
    provider.script.create = async (_input, { outbound }) => {
      await outbound('http://127.0.0.1:9/', { method: 'POST' });
      throw new Error('somebody answered');
    };
    for (let press = 0; press < 3; press += 1) expect((await pay(own, player)).code).toBe(-1012);
    const before = await count();
    expect(before).toMatchObject({ orders: 3, attempts: 3 });
    for (let press = 0; press < 10; press += 1) expect((await pay(own, player)).code).toBe(-1012);
    expect(await count()).toEqual(before);
    expect(provider.calls.create).toHaveLength(3);
    // Another provider goes on meanwhile.
    expect((await pay(own, player, { path: '/api/pay/adyen_pay', body: { channel_id: 'scheme' } })).code).toBe(1);
    provider.reset();
    vi.setSystemTime(Date.now() + 1000);
    const other = await own.logIn();
    await showRoles(own, other);
    expect((await pay(own, other)).code).toBe(1);
  });
});

describe('placed', () => {
  test('the player gets the way to pay, and the provider what it needs', async () => {
    const player = await ready();
    const placed = await pay(shop, player);
    const reference = `${placed.content.billing_no}-1`;
    expect(placed).toMatchObject({
      code: 1,
      content: {
        billing_no: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
        url: `https://${FAKE_PAY_HOST}/${reference}`,
      },
    });
    expect(shop.paypal.calls.create).toEqual([
      expect.objectContaining({
        reference,
        amount: { amountMinor: 99, currency: 'USD' },
        productName: '50 Lumens',
        brandName: 'Watt Games',
        playerRef: player.playerId,
        country: 'US',
        locale: 'en',
        channelId: '',
        returnUrl: `http://watt.demo.localhost:8080/return/paypal?ref=${reference}`,
        notifyUrl: 'http://watt.demo.localhost:8080/callback/paypal',
        cancelUrl: `http://watt.demo.localhost:8080/return/paypal?ref=${reference}&cancelled=1`,
      }),
    ]);
    expect(await stateOf(shop, placed.content.billing_no)).toMatchObject({
      state: 'pending',
      attempts: ['redirected'],
      delivery: null,
    });
    const [order] = await ordersOf(player);
    expect(order).toMatchObject({
      amount_minor: 99,
      currency: 'USD',
      role_name: 'Kestrel_07',
      server_name: 'Altair',
      suid: player.suid,
      brand_key: 'watt',
      region: 'universal',
    });
  });

  test('two database calls besides the session, and none of them open while the provider is called', async () => {
    const player = await ready();
    shop.paypal.script.create = async ({ reference }) => {
      const open = await shop.db.query(
        `select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`,
      );
      expect(open.rowCount).toBe(0);
      const committed = await shop.db.query(`select state from payment_attempt where billing_no = $1`, [
        reference.slice(0, 26),
      ]);
      expect(committed.rows).toEqual([{ state: 'sent' }]);
      return { kind: 'redirect', url: `https://${FAKE_PAY_HOST}/x`, providerRef: reference };
    };
    const statements = await shop.countStatements(async () => expect((await pay(shop, player)).code).toBe(1));
    expect(
      statements.filter((name) => !name.startsWith('select from pg_stat') && !name.startsWith('select state')),
    ).toEqual(['session_find', 'place_order', 'record_create_result']);
  });

  test('a live process takes live credentials', async () => {
    const live = await createTestShop({ environment: { REFILL_ENVIRONMENT: 'live' } });
    onTestFinished(live.close);
    const player = await live.logIn();
    await showRoles(live, player);
    let settings: unknown;
    live.paypal.script.create = ({ reference }, context) => {
      settings = [context.environment, context.settings];
      return { kind: 'redirect', url: `https://${FAKE_PAY_HOST}/x`, providerRef: reference };
    };
    expect((await live.post(PAY, PAY_BODY, { session: player })).code).toBe(1);
    expect(settings).toEqual(['live', { KEY: 'paypal-live-key' }]);
  });
});

describe('not placed', () => {
  test.each([
    ['a changed price', { price_minor: 98 }, -1020],
    ['a product of another game', { product_id: 'ember_60' }, -1007],
    ['a game of nobody', { client_id: '99999' }, -3001],
    ['a region the brand does not sell in', { domain_area: 'ru' }, -3014],
    ['a coupon nobody issued', { coupon_code: 'FREE' }, -3062],
    ['a channel of another provider', { channel_id: 'scheme' }, -1008],
    ['a channel by a wrong id', { pay_id: 'adyen' }, -1008],
    ['a price of another country', { country: 'DE', price_minor: 100 }, -1020],
  ])('%s', async (_name, body, code) => {
    const player = await ready();
    expect(await pay(shop, player, { body })).toMatchObject({ status: 200, code, content: null });
    expect(await ordersOf(player)).toEqual([]);
    expect(shop.paypal.calls.create).toEqual([]);
  });

  test('a channel that is off, out of bounds or not in this region is not found', async () => {
    const player = await ready();
    expect((await pay(shop, player, { path: '/api/pay/xsolla_pay' })).code).toBe(-1008);
    // Adyen's page begins at 1.00.
    expect((await pay(shop, player, { path: '/api/pay/adyen_pay' })).code).toBe(-1008);
    expect((await pay(shop, player, { path: '/api/pay/adyen_pay', body: { channel_id: 'applepay' } })).code).toBe(
      -1008,
    );
    expect((await pay(shop, player, { path: '/api/pay/adyen_pay', body: { channel_id: 'scheme' } })).code).toBe(1);
    expect((await pay(shop, player, { body: { domain_area: 'kr', price_minor: undefined } })).code).toBe(-1008);
  });

  test('without a session, and with the session of another brand', async () => {
    const player = await shop.logIn({ brand: 'product' });
    expect((await shop.post(PAY, PAY_BODY)).code).toBe(-600);
    expect((await shop.post(PAY, PAY_BODY, { session: { ...player, brand: 'watt' } })).code).toBe(-600);
  });

  test('the price comes from the server alone, whatever a caller adds', async () => {
    const player = await ready();
    const answer = await pay(shop, player, {
      body: {
        price_minor: undefined,
        price: '0.01',
        amount_minor: 1,
        currency: 'VND',
        discount: 99,
        status: 'paid',
        player_id: 'x',
      },
    });
    expect(answer.code).toBe(1);
    expect((await ordersOf(player))[0]).toMatchObject({
      amount_minor: 99,
      currency: 'USD',
      state: 'pending',
      player_id: player.playerId,
    });
  });
});

describe('the character', () => {
  test('not seen lately: the game is asked once', async () => {
    const player = await shop.logIn();
    expect((await pay(shop, player)).code).toBe(1);
    expect(shop.game.calls.listRoles).toBe(1);
    await pay(shop, player, { body: { product_id: 'star_260', price_minor: 499 } });
    expect(shop.game.calls.listRoles).toBe(1);
  });

  test.each([{ role_id: 'r2' }, { server_id: 's2' }, { areaId: 'eu' }])(
    '%j does not exist: asked once, then not found',
    async (body) => {
      const player = await shop.logIn();
      expect((await pay(shop, player, { body, key: 'role-key-1' })).code).toBe(-1006);
      expect(shop.game.calls.listRoles).toBe(1);
      expect(await ordersOf(player)).toEqual([]);
      // The key is free again.
      expect((await pay(shop, player, { key: 'role-key-1' })).code).toBe(1);
    },
  );

  test('and the game is down: said so, and nothing is placed', async () => {
    const player = await shop.logIn();
    shop.game.script.isDown = true;
    expect((await pay(shop, player)).code).toBe(-1035);
    expect(await ordersOf(player)).toEqual([]);
  });

  test('of a week ago is asked for again', async () => {
    const player = await ready();
    await shop.db.query(`update player_role set seen_at = now() - interval '8 days' where player_id = $1`, [
      player.playerId,
    ]);
    const before = shop.game.calls.listRoles;
    expect((await pay(shop, player)).code).toBe(1);
    expect(shop.game.calls.listRoles).toBe(before + 1);
  });
});

describe('again', () => {
  test('the same channel finds the unpaid order: code 10 with its number and address', async () => {
    const player = await ready();
    const first = await pay(shop, player);
    const again = await pay(shop, player);
    expect(again).toMatchObject({ code: 10, content: first.content });
    expect(shop.paypal.calls.create).toHaveLength(1);
    expect(await ordersOf(player)).toHaveLength(1);
  });

  test('twenty taps at once: one order, one payment', async () => {
    const player = await ready();
    const answers = await Promise.all(Array.from({ length: 20 }, () => pay(shop, player)));
    expect(answers.filter(({ code }) => code === 1)).toHaveLength(1);
    expect(answers.filter(({ code }) => code === 10)).toHaveLength(19);
    expect(new Set(answers.map(({ content }) => content.billing_no)).size).toBe(1);
    expect(shop.paypal.calls.create).toHaveLength(1);
  });

  test('another channel is a second attempt of the same order', async () => {
    const player = await ready();
    const first = await pay(shop, player);
    const second = await pay(shop, player, { path: '/api/pay/adyen_pay', body: { channel_id: 'scheme' } });
    expect(second).toMatchObject({ code: 1, content: { billing_no: first.content.billing_no } });
    expect(second.content.url).toMatch(/-2$/);
    expect(await stateOf(shop, first.content.billing_no)).toMatchObject({
      state: 'pending',
      attempts: ['redirected', 'redirected'],
    });
  });
});

describe('the idempotency key', () => {
  const key = () => `key-${Math.random()}`;

  test('answers the same again, also fifty times at once, and makes one order', async () => {
    const player = await ready();
    const options = { key: key() };
    const answers = await Promise.all(Array.from({ length: 50 }, () => pay(shop, player, options)));
    const done = answers.filter(({ code }) => code === 1);
    for (const answer of answers)
      expect([
        [200, 1],
        [409, -1017],
      ]).toContainEqual([answer.status, answer.code]);
    const again = await pay(shop, player, options);
    for (const answer of done) expect(answer.text).toBe(again.text);
    expect(done.length).toBeGreaterThan(0);
    expect(shop.paypal.calls.create).toHaveLength(1);
    expect(await ordersOf(player)).toHaveLength(1);
  });

  test('is 409 while the first call is running', async () => {
    const player = await ready();
    const options = { key: key() };
    let go = () => {};
    const held = new Promise<void>((resolve) => (go = resolve));
    shop.paypal.script.create = async ({ reference }) => {
      await held;
      return { kind: 'redirect', url: `https://${FAKE_PAY_HOST}/x`, providerRef: reference };
    };
    const first = pay(shop, player, options);
    while (shop.paypal.calls.create.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(await pay(shop, player, options)).toMatchObject({ status: 409, code: -1017, content: null });
    go();
    expect((await first).code).toBe(1);
    expect((await pay(shop, player, options)).text).toBe((await first).text);
  });

  test('takes up a call that died: the provider is asked the very same again, and its no does not close what may have been made', async () => {
    const player = await ready();
    const options = { key: key() };
    // The first call gets as far as the provider and never comes back.
    let go = () => {};
    const held = new Promise<void>((resolve) => (go = resolve));
    shop.paypal.script.create = async () => {
      await held;
      return { kind: 'refused', reason: 'nobody hears this' };
    };
    const first = pay(shop, player, options);
    while (shop.paypal.calls.create.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const [order] = await ordersOf(player);
    for (const table of ['idempotency', 'payment_attempt'])
      await shop.db.query(`update ${table} set created_at = created_at - interval '30 seconds' where player_id = $1`, [
        player.playerId,
      ]);
    shop.paypal.script.create = () => ({ kind: 'refused', reason: '422 processed with another body' });
    expect(await pay(shop, player, options)).toMatchObject({
      code: 1,
      content: { billing_no: order.billing_no, url: '' },
    });
    const [asked, askedAgain] = shop.paypal.calls.create;
    expect(askedAgain).toEqual(asked);
    expect(await stateOf(shop, order.billing_no)).toMatchObject({ state: 'pending', attempts: ['unknown'] });
    go();
    await first;
  });

  test('is 422 with another body, and belongs to one player', async () => {
    const player = await ready();
    const options = { key: key() };
    await pay(shop, player, options);
    expect(await pay(shop, player, { ...options, body: { product_id: 'star_260', price_minor: 499 } })).toMatchObject({
      status: 422,
      code: -1018,
    });
    const other = await ready();
    expect((await pay(shop, other, options)).code).toBe(1);
  });

  test('of code 10 is answered with code 10 again, even when the order is paid meanwhile', async () => {
    const { player, billingNo } = await placeOrder(shop);
    const options = { key: key() };
    expect((await pay(shop, player, options)).code).toBe(10);
    await shop.db.query(`update orders set state = 'expired' where billing_no = $1`, [billingNo]);
    expect(await pay(shop, player, options)).toMatchObject({ code: 10, content: { billing_no: billingNo } });
  });
});

describe('the provider', () => {
  test.each([
    'javascript:alert(1)',
    'http://evil.example/x',
    'https://evil.example/x',
    `https://${FAKE_PAY_HOST}.evil.example/`,
    `https://${FAKE_PAY_HOST}@evil.example/`,
    'no address',
    `https://user@${FAKE_PAY_HOST}/`,
  ])('answers with the address %s: invalid link, the order fails, reservations go back', async (url) => {
    const player = await shop.logIn();
    const before = await usedStock();
    shop.paypal.script.create = ({ reference }) => ({ kind: 'redirect', url, providerRef: `P-${reference}` });
    const options = {
      key: 'bad-link-1',
      body: { client_id: '70013', product_id: 'ember_phoenix', price_minor: undefined },
    };
    expect(await pay(shop, player, options)).toMatchObject({ status: 200, code: -1009, content: null });
    const [order] = await ordersOf(player);
    expect(await stateOf(shop, order.billing_no)).toMatchObject({ state: 'failed', attempts: ['failed'] });
    expect(await usedStock()).toBe(before);
    // The payment exists at the provider: should it be paid after all, its reference leads here.
    expect(
      (
        await shop.db.query('select billing_no from provider_reference where provider_ref = $1', [
          `P-${order.billing_no}-1`,
        ])
      ).rowCount,
    ).toBe(1);
  });

  test('refuses: said so, and the same key may try again', async () => {
    const player = await ready();
    shop.paypal.script.create = () => ({ kind: 'refused', reason: 'not today' });
    const options = { key: 'again-please' };
    expect(await pay(shop, player, options)).toMatchObject({ status: 200, code: -1012, content: null });
    expect((await ordersOf(player))[0]).toMatchObject({ state: 'failed' });
    shop.paypal.reset();
    expect((await pay(shop, player, options)).code).toBe(1);
    expect((await ordersOf(player)).map(({ state }) => state)).toEqual(['failed', 'pending']);
  });

  test.each([
    ['certainly never saw the call', new OutboundError('network', false, 'ECONNREFUSED'), -1012, 'failed'],
    ['may have seen the call', new OutboundError('timeout', true, 'no answer'), 1, 'unknown'],
    ['breaks the adapter', new Error('a bug'), 1, 'unknown'],
  ])('%s', async (_name, error, code, attempt) => {
    const player = await ready();
    shop.paypal.script.create = () => {
      throw error;
    };
    const answer = await pay(shop, player, { key: 'unknown-key' });
    expect(answer.code).toBe(code);
    const [order] = await ordersOf(player);
    expect(await stateOf(shop, order.billing_no)).toMatchObject({
      state: code === 1 ? 'pending' : 'failed',
      attempts: [attempt],
    });
    if (code !== 1) return;
    expect(answer.content).toEqual({ billing_no: order.billing_no, url: '' });
    expect((await pay(shop, player, { key: 'unknown-key' })).text).toBe(answer.text);
    expect(shop.paypal.calls.create).toHaveLength(1);
  });

  test('gave no page: a later press asks for it again by the same reference, an early one does not', async () => {
    const player = await ready();
    shop.paypal.script.create = () => {
      throw new OutboundError('timeout', true, 'no answer');
    };
    await pay(shop, player);
    const [order] = await ordersOf(player);
    shop.paypal.reset();
    const open = { billing_no: order.billing_no, url: '' };
    expect(await pay(shop, player)).toMatchObject({ code: 10, content: open });
    expect(shop.paypal.calls.create).toHaveLength(0);

    const passHalfMinute = () =>
      shop.db.query(`update payment_attempt set created_at = created_at - interval '30 seconds' where player_id = $1`, [
        player.playerId,
      ]);
    await passHalfMinute();
    shop.paypal.script.create = () => ({ kind: 'refused', reason: 'what was asked first may stand there' });
    expect(await pay(shop, player)).toMatchObject({ code: 1, content: open });
    expect(await stateOf(shop, order.billing_no)).toMatchObject({ state: 'pending', attempts: ['unknown'] });

    shop.paypal.reset();
    const answer = await pay(shop, player);
    expect(answer).toMatchObject({ code: 1, content: { billing_no: order.billing_no } });
    expect(answer.content?.url).not.toBe('');
    expect(await stateOf(shop, order.billing_no)).toMatchObject({ state: 'pending', attempts: ['redirected'] });
    expect(shop.paypal.calls.create).toMatchObject([{ reference: `${order.billing_no}-1` }]);
    // From now on it is the page that every press leads to.
    expect(await pay(shop, player)).toMatchObject({ code: 10, content: answer.content });
  });

  test('says "paid" at once: nothing is lost, polling asks', async () => {
    const player = await ready();
    shop.paypal.script.create = ({ reference, amount }) => ({
      kind: 'paid',
      report: {
        status: 'paid',
        reference,
        providerRef: null,
        captureRef: 'C',
        amount,
        merchantAccount: null,
        reason: null,
      },
    });
    expect((await pay(shop, player)).code).toBe(1);
    const [order] = await ordersOf(player);
    expect(await stateOf(shop, order.billing_no)).toMatchObject({ state: 'pending', attempts: ['unknown'] });
  });

  test('answers with more than a row can hold of its text: cut in the middle of a character, and still kept', async () => {
    const player = await ready();
    shop.paypal.script.create = () => ({ kind: 'refused', reason: `${'x'.repeat(299)}😀\0` });
    expect((await pay(shop, player)).code).toBe(-1012);
  });
});
