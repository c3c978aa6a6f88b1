// Tests who may read the answers of a backup host: pages of the same brand and environment, exactly; and never with a
// cookie.
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { payRoutes } from '#contracts/payments.ts';
import { type Route, isAtBackupHost } from '#contracts/route.ts';
import { encodeCredential } from '#contracts/credentials.ts';
import { type TestPlayer, type TestShop, createTestShop } from '#testing/shop.ts';
import { readPageOrigin } from './backup-host.ts';

const payPaths: readonly string[] = Object.values(payRoutes).map(({ path }) => path);
/** A token of a quarter of an hour must never do or read these. */
const OF_THE_ACCOUNT = [
  '/util/login/auth',
  '/util/login/backup_token',
  '/util/login/change_password',
  '/util/login/end_other_sessions',
  '/util/login/end_session',
  '/util/login/identities',
  '/util/login/logout',
  '/util/login/sessions',
  '/util/login/start',
  '/util/login/unlink',
  '/api/privacy/erase',
  '/api/privacy/export',
  '/api/privacy/keep',
  '/api/privacy/state',
  '/api/rsys/evoke',
  '/api/spending/declareAge',
];

/** Every route of every contract of the storefront. */
async function listRoutes(): Promise<Route[]> {
  const folder = join(import.meta.dirname, '..', '..', '..', 'contracts');
  const names = (await readdir(folder)).filter((name) => /^[a-z-]+\.ts$/.test(name));
  const modules = await Promise.all(names.map((name) => import(pathToFileURL(join(folder, name)).href)));
  return modules
    .flatMap((one: object) => Object.entries(one))
    .filter(([name]) => name.endsWith('Routes') && name !== 'adminRoutes')
    .flatMap(([, routes]) => Object.values(routes as Record<string, Route>))
    .filter((one) => 'access' in one && 'kind' in one);
}

const PAGES = ['pay.watt.example', 'watt.demo.localhost'];

test.each([
  ['https://pay.watt.example', true],
  ['http://watt.demo.localhost:8080', true],
  ['http://watt.demo.localhost', true],
  ['http://pay.watt.example', false],
  ['https://pay.watt.example:8443', false],
  ['https://pay.watt.example.evil.test', false],
  ['https://evil-pay.watt.example', false],
  ['https://PAY.watt.example', false],
  ['https://pay.watt.example/', false],
  ['https://user@pay.watt.example', false],
  ['null', false],
  ['', false],
])('%s may read: %s', (origin, may) => {
  expect(readPageOrigin(origin, PAGES)).toBe(may ? origin : null);
});

describe('a backup host', () => {
  const READ = '/api/pay/getGameListV2';
  const WHO = '/util/login/get_user_info?client_id=70021';
  const PROXY = '10.0.0.1';
  const backup = { host: 'pay2.watt.example' };
  const page = { origin: 'https://pay.watt.example', 'sec-fetch-site': 'cross-site' };
  let shop: TestShop;
  beforeAll(async () => {
    shop = await createTestShop({
      environment: { REFILL_ENVIRONMENT: 'live', REFILL_TRUSTED_PROXIES: PROXY },
      brands: {
        watt: { backupHosts: ['pay2.watt.example', 'pay-demo.watt.example'] },
        product: { backupHosts: ['pay.product.example'], legacyQueryToken: true },
      },
    });
  });
  afterAll(() => shop.close());

  test('answers a page of the brand by its exact name', async () => {
    const answer = await shop.get(READ, { ...backup, headers: page });
    expect(answer.code).toBe(1);
    expect(answer.headers).toMatchObject({ 'access-control-allow-origin': page.origin, vary: 'Origin' });
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
  });

  test('answers the question beforehand, for our headers and two methods', async () => {
    const answer = await shop.app.inject({
      method: 'OPTIONS',
      url: READ,
      headers: { ...backup, origin: page.origin, 'access-control-request-method': 'GET' },
    });
    expect([answer.statusCode, answer.body]).toEqual([204, '']);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': page.origin,
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers': 'authorization, content-type, x-refill, idempotency-key',
    });
  });

  test.each([
    ['nobody', 'https://evil.example'],
    ['another brand', 'https://pay.product.example'],
    ['the demo of the brand', 'http://watt.demo.localhost'],
    ['a file', 'null'],
  ])('tells %s nothing that a page could read', async (_name, origin) => {
    const answer = await shop.get(READ, { ...backup, headers: { ...page, origin } });
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    expect(answer.headers.vary).toBe('Origin');
  });

  test('of the demo answers pages of the demo', async () => {
    const demo = await createTestShop({
      brands: { watt: { backupHosts: ['pay2.watt.example', 'pay-demo.watt.example'] } },
    });
    onTestFinished(demo.close);
    const headers = { origin: 'http://watt.demo.localhost:8080' };
    const answer = await demo.get(READ, { host: 'pay-demo.watt.example', headers });
    expect(answer.headers['access-control-allow-origin']).toBe(headers.origin);
  });

  test('takes a change from a stranger no more than any host, and no session of a month by Bearer', async () => {
    const player = await shop.logIn();
    const pay = { client_id: '70021', server_id: 's1', role_id: 'r1', product_id: 'none' };
    const cookie = { ...page, cookie: `__Host-refill=${player.token}` };
    expect((await shop.post('/api/pay/paypal_pay', pay, { ...backup, headers: cookie })).code).toBe(-1015);
    const bearer = { ...page, authorization: `Bearer ${player.token}` };
    expect((await shop.post('/api/pay/paypal_pay', pay, { ...backup, headers: bearer })).code).toBe(-1015);
    expect((await shop.get(WHO, { ...backup, headers: bearer })).code).toBe(-600);
  });

  test('reads no cookie and sets none, whoever asks', async () => {
    const player = await shop.logIn();
    const self = {
      'x-forwarded-proto': 'https',
      'sec-fetch-site': 'same-origin',
      'x-refill': '1',
      cookie: `__Host-refill=${player.token}`,
    };
    const own = await shop.get(WHO, { host: 'pay.watt.example', remoteAddress: PROXY, headers: self });
    expect(own.code).toBe(1);
    const there = { ...backup, remoteAddress: PROXY, headers: self };
    expect((await shop.get(WHO, there)).code).toBe(-600);
    const login = {
      username: encodeCredential(player.username, 'aB3'),
      password: encodeCredential('x', 'x9Z'),
      client_id: '70021',
    };
    const answer = await shop.post('/util/login/auth', login, there);
    expect([answer.code, answer.headers['set-cookie']]).toEqual([-1015, undefined]);
  });

  describe('knows a player by a token that the brand’s own host gave', () => {
    const TOKEN = '/util/login/backup_token';
    type Given = { token: string; expires_in: number };
    const own = { host: 'pay.watt.example', remoteAddress: PROXY };
    const sealed = (player: TestPlayer, more: Record<string, string | undefined> = {}) => ({
      ...own,
      headers: {
        'x-forwarded-proto': 'https',
        cookie: `__Host-refill=${player.token}`,
        origin: `https://${own.host}`,
        ...more,
      },
    });
    const tokenFor = async (player: TestPlayer) => (await shop.post<Given>(TOKEN, {}, sealed(player))).content.token;
    const bearer = (token: string, more: Record<string, string> = {}) => ({
      ...backup,
      headers: { ...page, authorization: `Bearer ${token}`, ...more },
    });

    test('a quarter of an hour, stored as a hash, read by the page', async () => {
      const player = await shop.logIn();
      const given = await shop.post<Given>(TOKEN, {}, sealed(player));
      expect(given).toMatchObject({
        code: 1,
        content: { token: expect.stringMatching(/^rh1_[\w-]{43}$/), expires_in: 900 },
      });
      expect(given.headers['cache-control']).toBe('no-store');
      const { token } = given.content;
      const answer = await shop.get<{ suid: string }>(WHO, bearer(token));
      expect([answer.code, answer.content.suid]).toEqual([1, player.suid]);
      expect(answer.headers).toMatchObject({ 'access-control-allow-origin': page.origin, vary: 'Origin' });
      expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
      const { rows } = await shop.db.query<{ seconds: number }>(
        'select extract(epoch from expires_at - now())::integer as seconds from backup_token where token_hash = $1',
        [createHash('sha256').update(token).digest()],
      );
      expect(rows[0]?.seconds).toBeGreaterThan(890);
      expect(rows[0]?.seconds).toBeLessThanOrEqual(900);
      await shop.db.query(`update backup_token set expires_at = now() - interval '1 second'`);
      expect((await shop.get(WHO, bearer(token))).code).toBe(-600);
    });

    test('also for changes', async () => {
      const token = await tokenFor(await shop.logIn());
      const body = { client_id: '70021', server_id: 's1', role_id: 'r1', product_id: 'none' };
      expect((await shop.post('/api/pay/paypal_pay', body, bearer(token))).code).toBe(-1007);
    });

    test.each([
      ['logs out', (player: TestPlayer) => shop.post('/util/login/logout', {}, sealed(player))],
      ['is disabled', (player: TestPlayer) => shop.db.query('update player set disabled_at = now() where player_id = $1', [player.playerId])],
      ['ends the session', (player: TestPlayer) => shop.db.query('update session set revoked_at = now() where player_id = $1', [player.playerId])],
      ['stays away too long', (player: TestPlayer) => shop.db.query('update session set idle_until = now() where player_id = $1', [player.playerId])],
    ])('until the player %s', async (_name, end) => {
      const player = await shop.logIn();
      const token = await tokenFor(player);
      expect((await shop.get(WHO, bearer(token))).code).toBe(1);
      await end(player);
      expect((await shop.get(WHO, bearer(token))).code).toBe(-600);
    }); /* a row a line */ // prettier-ignore

    test('never at a host of its own, as Bearer, in a cookie or in the address', async () => {
      const player = await shop.logIn();
      const token = await tokenFor(player);
      for (const sent of [
        { authorization: `Bearer ${token}`, cookie: undefined },
        { cookie: `__Host-refill=${token}` },
      ])
        expect((await shop.get(WHO, sealed(player, sent))).code).toBe(-600);
      const legacy = await shop.get(`${WHO}&oauth_token=${token}`, { brand: 'product' });
      expect(legacy.code).toBe(-600);
      // Beside a cookie it counts for nothing: the change is still one by cookie, and needs what such a change needs.
      const change = await shop.post(
        '/util/login/end_other_sessions',
        {},
        sealed(player, { authorization: `Bearer ${token}`, 'x-refill': undefined }),
      );
      expect(change.code).toBe(-1015);
    });

    test('of this brand only', async () => {
      const token = await tokenFor(await shop.logIn());
      expect((await shop.get(WHO, { ...bearer(token), host: 'pay.product.example' })).code).toBe(-600);
    });

    test('and does not prolong itself, nor is it given by a change that is none of ours', async () => {
      const player = await shop.logIn();
      const token = await tokenFor(player);
      expect((await shop.post(TOKEN, {}, bearer(token))).code).toBe(-1015);
      expect((await shop.post(TOKEN, {}, bearer(player.token))).code).toBe(-1015);
      expect((await shop.post(TOKEN, {}, sealed(player, { 'x-refill': undefined }))).code).toBe(-1015);
      expect((await shop.post(TOKEN, {}, sealed(player, { 'sec-fetch-site': 'cross-site' }))).code).toBe(-1015);
      expect((await shop.get(TOKEN, sealed(player))).status).toBe(404);
      expect((await shop.post(TOKEN, {}, sealed(player, { cookie: undefined }))).code).toBe(-600);
    });

    test('for what is listed here, and for no other change, nor for what is personal', async () => {
      const routes = await listRoutes();
      expect(routes.length).toBeGreaterThan(60);
      const served = routes.filter((one) => one.kind !== 'read' && isAtBackupHost(one)).map(({ path }) => path);
      expect(served.filter((path) => !payPaths.includes(path)).toSorted()).toEqual([
        '/api/coupons/receiveCoupons',
        '/api/cumulative/receiveActivityGift',
        '/api/orders/cancel',
        '/api/pay/card_confirm',
        '/api/pay/card_info',
        '/api/spending/pause',
        '/api/spending/setCap',
      ]);
      const token = await tokenFor(await shop.logIn());
      const refused = routes.filter((one) => !isAtBackupHost(one));
      expect(refused.map(({ path }) => path)).toEqual(expect.arrayContaining(OF_THE_ACCOUNT));
      const answers = await Promise.all(
        refused.map(({ kind, path }) =>
          kind === 'read' ? shop.get(path, bearer(token)) : shop.post(path, {}, bearer(token)),
        ),
      );
      expect(new Set(answers.map(({ status, code }) => `${status} ${code}`))).toEqual(new Set(['403 -1015']));
    });

    test('which a brand without backup hosts does not give', async () => {
      const player = await shop.logIn({ brand: 'ssgame' });
      const answer = await shop.post(TOKEN, {}, { session: player });
      expect(answer.code).toBe(-1004);
    });

    test('which are cleared away when they are over', async () => {
      const player = await shop.logIn();
      await tokenFor(player);
      await shop.db.query(`update backup_token set expires_at = now() - interval '1 second'`);
      await tokenFor(player);
      expect((await shop.db.query('select from backup_token where expires_at < now()')).rowCount).toBe(0);
    });
  });

  test('is the only one: the brand’s own hosts name no other origin, whoever asks', async () => {
    for (const host of ['pay.watt.example', 'pay.product.example'])
      for (const origin of [page.origin, 'https://pay2.watt.example', 'https://evil.example']) {
        const { headers } = await shop.get(READ, { host, headers: { origin } });
        expect(headers['access-control-allow-origin']).toBeUndefined();
      }
  });
});
