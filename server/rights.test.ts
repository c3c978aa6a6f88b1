// Proves that one player's and one brand's data is nobody else's: orders, characters, coupons, cards, balances. And
// every answer of every kind says the same about itself.
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { BrandKey } from '#kernel/ids.ts';
import { openSession } from '#server/platform/http/session.ts';
import { WITH_TENDERS } from '#testing/cards.ts';
import { PAY_BODY, orderInfo, pay, placeOrder, showRoles } from '#testing/pay.ts';
import { type TestPlayer, type TestShop, createTestShop } from '#testing/shop.ts';

const PROXY = '10.0.0.1';
let shop: TestShop;
beforeAll(async () => {
  shop = await createTestShop({
    ...WITH_TENDERS,
    environment: { ...WITH_TENDERS.environment, REFILL_TRUSTED_PROXIES: PROXY },
  });
});
afterAll(() => shop.close());

describe('an order', () => {
  test('is told to its owner; for everybody else there is none such', async () => {
    const order = await placeOrder(shop);
    const stranger = await shop.logIn();
    const none = await orderInfo(shop, { player: stranger, billingNo: '01ARZ3NDEKTSV4RRFFQ69G5FAV' });
    const answer = await orderInfo(shop, { player: stranger, billingNo: order.billingNo });
    expect(answer).toMatchObject({ code: -1005, content: null });
    expect(answer.text).toBe(none.text);
    expect((await orderInfo(shop, order)).code).toBe(1);
    const wish = { billing_no: order.billingNo };
    expect((await shop.post('/api/orders/cancel', wish, { session: stranger })).code).toBe(-1005);
    const { content } = await shop.get<{ list: unknown[] }>('/api/orders/history', { session: stranger });
    expect(content.list).toEqual([]);
  });

  test('is not led on to its provider by somebody else', async () => {
    const order = await placeOrder(shop);
    const stranger = await shop.logIn();
    const answer = await shop.get(`/pay/paypal/${order.reference}`, { session: stranger });
    expect(answer.status).toBe(303);
    expect(answer.text).not.toContain('provider.test');
  });

  test('of the same person at another brand is not known there, whatever a session says', async () => {
    const order = await placeOrder(shop);
    const { token } = await openSession(shop.db, {
      playerId: order.player.playerId,
      brandKey: 'product' as BrandKey,
      kind: 'web',
      authMethod: 'password',
      replaces: null,
    });
    const elsewhere = { ...order.player, brand: 'product', token };
    expect(
      (await orderInfo(shop, { player: { ...order.player, brand: 'product' }, billingNo: order.billingNo })).code,
    ).toBe(-600);
    expect((await orderInfo(shop, { player: elsewhere, billingNo: order.billingNo })).code).toBe(-600);
  });

  test('can only be for a character of whoever is logged in when it is placed', async () => {
    const [mine, theirs] = [await shop.logIn(), await shop.logIn()];
    shop.game.script.roles = (userId) =>
      userId === theirs.suid ? [{ id: 'r-theirs', name: 'Theirs', level: 9, serverId: 's1', areaId: '' }] : [];
    await showRoles(shop, theirs);
    // The page was opened as one account and pays as the other: another tab logged in meanwhile.
    expect((await pay(shop, mine, { body: { role_id: 'r-theirs' } })).code).toBe(-1006);
    expect((await pay(shop, theirs, { body: { role_id: 'r-theirs' } })).code).toBe(1);
    shop.game.reset();
  });

  test('takes nothing from the browser but what it may choose', async () => {
    const player = await shop.logIn();
    await showRoles(shop, player);
    const extra = {
      amount_minor: 1,
      currency: 'XXX',
      status: 'paid',
      player_id: 'x',
      environment: 'live',
      brand_key: 'product',
      suid: 'x',
      discount: '0.01',
    };
    const answer = await pay(shop, player, { body: extra });
    expect(answer.code).toBe(1);
    const { rows } = await shop.db.query(
      'select amount_minor, currency, brand_key, suid, state from orders where billing_no = $1',
      [answer.content.billing_no],
    );
    expect(rows).toEqual([
      { amount_minor: 99, currency: 'USD', brand_key: 'watt', suid: player.suid, state: 'pending' },
    ]);
  });
});

test.each([
  ['/api/orders/history', 'GET'],
  ['/api/pay/getOrderInfo?billing_no=01ARZ3NDEKTSV4RRFFQ69G5FAV', 'GET'],
  ['/api/system/allRoleList?client_id=70021', 'GET'],
  ['/api/coupons/couponList?client_id=70021&use_category=avail', 'GET'],
  ['/util/login/sessions', 'GET'],
  ['/util/login/identities', 'GET'],
  ['/api/pay/paypal_pay', 'POST'],
])('%s is for players: nobody is told more than that', async (url, method) => {
  const body = { ...PAY_BODY };
  const answer = method === 'GET' ? await shop.get(url) : await shop.post(url, body);
  expect(answer).toMatchObject({ status: 200, code: -600, content: null });
});

describe('every answer', () => {
  const tls = { host: 'pay-demo.watt.example', remoteAddress: PROXY, headers: { 'x-forwarded-proto': 'https' } };
  const kinds: [string, () => Promise<{ headers: Record<string, unknown> }>][] = [
    ['a call', () => shop.get('/api/pay/getGameListV2', tls)],
    ['a refused call', () => shop.get('/util/login/sessions', tls)],
    ['nothing', () => shop.get('/nowhere', tls)],
    ['a body that cannot be read', () => shop.post('/util/login/auth', '{', tls)],
    ['a body too long', () => shop.post('/util/login/auth', 'x'.repeat(70_000), tls)],
    ['a host nobody has', () => shop.get('/', { ...tls, host: 'evil.example' })],
    ['a callback of nobody', () => shop.post('/callback/nobody', '{}', tls)],
    ['a callback refused', () => shop.post('/callback/paypal', '{}', tls)],
    ['the way back', () => shop.get('/return/paypal?ref=x', tls)],
    ['a pay page of nobody', () => shop.get('/pay/paypal/x', tls)],
    ['a ticket refused', () => shop.post('/service/tickets/70021', '{}', tls)],
    ['the question of a link', () => shop.get('/login-link', tls)],
    ['the page after a login elsewhere', () => shop.get('/util/login/callback/google?state=x', tls)],
    ['health', () => shop.get('/healthz', tls)],
  ];
  test.each(kinds)('%s: not kept, not sniffed, not framed, no referrer, TLS only', async (_name, ask) => {
    const { headers } = await ask();
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': expect.stringContaining('camera=()'),
      'cache-control': 'no-store',
    });
    expect(headers['content-security-policy']).toMatch(/^default-src 'none';.*frame-ancestors 'none'/);
    expect(headers['x-frame-options']).toBeUndefined();
    expect(headers['x-powered-by']).toBeUndefined();
    expect(headers['server']).toBeUndefined();
  });

  test('also where the address cannot be read, though nobody knows then how it came', async () => {
    expect((await shop.get('/%zz', tls)).headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
  });

  test('promises TLS only over TLS', async () => {
    expect((await shop.get('/healthz')).headers['strict-transport-security']).toBeUndefined();
  });
});

test('a session that is bound reads what is its own, and nothing else of the account', async () => {
  const player = await shop.logIn();
  const role = (id: string) => ({ id, name: id, level: 9, serverId: 's1', areaId: '' });
  shop.game.script.roles = () => [role('r1'), role('r2')];
  onTestFinished(() => shop.game.reset());
  await showRoles(shop, player);
  const mine = await pay(shop, player);
  const other = await pay(shop, player, { body: { role_id: 'r2', product_id: 'star_50' } });
  const open = async (bound: object) => {
    const { token } = await openSession(shop.db, {
      playerId: player.playerId, brandKey: 'watt' as BrandKey, kind: 'sdk', authMethod: 'game', replaces: null, bound: bound as never,
    });
    return { ...player, token } as TestPlayer;
  };
  const bound = await open({ client_id: '70021', server_id: 's1', role_id: 'r1' });
  const ordersOf = async (session: TestPlayer) =>
    (await shop.get<{ list: { billing_no: string }[] }>('/api/orders/history', { session })).content.list.map((one) => one.billing_no);
  expect((await ordersOf(player)).toSorted()).toEqual([mine, other].map(({ content }) => content.billing_no).toSorted());
  expect(await ordersOf(bound)).toEqual([mine.content.billing_no]);
  expect((await orderInfo(shop, { player: bound, billingNo: mine.content.billing_no as never })).code).toBe(1);
  expect((await orderInfo(shop, { player: bound, billingNo: other.content.billing_no as never })).code).toBe(-1005);
  expect(await ordersOf(await open({ client_id: '70013' }))).toEqual([]);
  const sessions = await shop.get<{ list: { isCurrent: boolean }[] }>('/util/login/sessions', { session: bound });
  expect(sessions.content.list.map(({ isCurrent }) => isCurrent)).toEqual([true]);
  const identities = await shop.get('/util/login/identities', { session: bound });
  expect(identities.content).toEqual({ linked: [], free: [], canUnlink: false, isFresh: false, canChangePassword: false });
  const roles = await shop.get<{ list: { value: string }[] }>('/api/system/allRoleList?client_id=70021', { session: bound });
  expect(roles.content.list.map(({ value }) => value)).toEqual(['r1']);
}); /* a row a line */ // prettier-ignore

test('a session that is bound sees its own characters still', async () => {
  const player = await shop.logIn();
  const { token } = await openSession(shop.db, {
    playerId: player.playerId,
    brandKey: 'watt' as BrandKey,
    kind: 'sdk',
    authMethod: 'game',
    replaces: null,
    bound: { client_id: '70021' },
  });
  const bound: TestPlayer = { ...player, token };
  await showRoles(shop, bound);
  expect((await pay(shop, bound)).code).toBe(1);
});
