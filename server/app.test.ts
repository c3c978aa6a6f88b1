// The transport as a stranger meets it: hosts, who may change what, odd parameters, errors
// and what the log keeps of them.
import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { BrandKey } from '#kernel/ids.ts';
import { openSession } from './platform/http/session.ts';
import { createApp } from '#server/app.ts';
import { openDb } from '#server/platform/database/db.ts';
import { payRoutes } from '#contracts/payments.ts';
import { accountRoutes } from '#contracts/accounts.ts';
import { type TestPlayer, type TestShop, createTestShop, credentials } from '#testing/shop.ts';

const WHO = '/util/login/get_user_info';
const PAY = '/api/pay/paypal_pay';
const pay = { client_id: '70021', server_id: 's1', role_id: 'r1', product_id: 'star_50' };

let shop: TestShop;
let player: TestPlayer;
beforeAll(async () => {
  shop = await createTestShop({ brands: { product: { legacyQueryToken: true } } });
  player = await shop.logIn();
});
afterAll(() => shop.close());
beforeEach(() => {
  shop.logLines.length = 0;
});

/** Rows of everything that a change could touch. */
const countRows = async () =>
  (
    await shop.db.query(
      `select (select count(*) from orders) as orders, (select count(*) from session
        where revoked_at is null) as live, (select count(*) from session) as sessions`,
    )
  ).rows[0];

describe('the host', () => {
  test.each([
    'evil.example',
    'watt.demo.localhost.evil.example',
    'demo.localhost',
    'WATT.demo.localhost.',
    '127.0.0.1',
  ])('%s is nobody: a plain 404 for every path', async (host) => {
    for (const path of ['/util/login/login_config', '/api/pay/getGoodsList', '/nowhere', '/openapi.json', WHO]) {
      const answer = await shop.get(path, { host });
      expect(answer).toMatchObject({ status: 404, text: 'Not Found' });
      expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
    }
    const posted = await shop.post(PAY, pay, { host });
    expect(posted).toMatchObject({ status: 404, text: 'Not Found' });
  });

  test('case and port do not matter; a forwarded host from a stranger does not count', async () => {
    expect((await shop.get('/util/login/login_config', { host: 'WATT.demo.localhost:8080' })).code).toBe(1);
    const forged = { host: 'evil.example', headers: { 'x-forwarded-host': 'watt.demo.localhost' } };
    expect((await shop.get('/util/login/login_config', forged)).status).toBe(404);
  });

  test('a path nobody has is an envelope in the language of the caller', async () => {
    const answer = await shop.get('/nowhere?oauth_token=rf1_x', { headers: { 'accept-language': 'ja' } });
    expect(answer).toMatchObject({ status: 404, code: -1004, content: null });
    expect(answer.msg).toMatch(/[\u3040-\u30ff\u4e00-\u9fff]/);
    expect(answer.text).not.toContain('nowhere');
  });

  test('every answer says that it is not to be kept, framed, sniffed or run', async () => {
    for (const path of [WHO, '/nowhere', '/%zz', '/api/pay/getGoodsList']) {
      const { headers } = await shop.get(path);
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      });
      expect(headers['access-control-allow-origin']).toBeUndefined();
    }
  });
});

const changes = [...Object.values(payRoutes), accountRoutes.login, accountRoutes.logout];

describe('who may change something', () => {
  const query = new URLSearchParams({ ...pay, ...credentials('a', 'b') }).toString();

  test.each(changes.map(({ path }) => path))(
    'GET %s with a cookie only is refused, and no row changes',
    async (path) => {
      const before = await countRows();
      const answer = await shop.get(`${path}?${query}`, { session: player });
      expect([404, 405]).toContain(answer.status);
      expect(await countRows()).toEqual(before);
    },
  );

  test.each([
    ['without our header', { 'x-refill': undefined }],
    ['from another site', { 'sec-fetch-site': 'cross-site' }],
    ['from a sibling host', { 'sec-fetch-site': 'same-site' }],
    ['without Fetch Metadata and from a wrong Origin', { 'sec-fetch-site': undefined, origin: 'http://evil.example' }],
    ['from the same host by another scheme', { 'sec-fetch-site': undefined, origin: 'https://watt.demo.localhost' }],
    ['with an Origin of null', { 'sec-fetch-site': undefined, origin: 'null' }],
    ['with neither', { 'sec-fetch-site': undefined }],
  ])('POST %s is refused everywhere, and no row changes', async (_name, headers) => {
    const before = await countRows();
    for (const { path } of changes) {
      const answer = await shop.post(path, { ...pay, ...credentials('a', 'b') }, { session: player, headers });
      expect(answer).toMatchObject({ status: 403, code: -1015 });
    }
    expect(await countRows()).toEqual(before);
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'a form of another site cannot pay: %s',
    async (type) => {
      const before = await countRows();
      const answer = await shop.post(PAY, JSON.stringify(pay), { session: player, headers: { 'content-type': type } });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(await countRows()).toEqual(before);
    },
  );

  test('the right Origin stands in where a browser sends no Fetch Metadata', async () => {
    const headers = { 'sec-fetch-site': undefined, origin: 'http://watt.demo.localhost' };
    expect((await shop.post(PAY, { ...pay, product_id: 'none' }, { session: player, headers })).code).toBe(-1007);
  });

  test('a token named outright is no cookie: Bearer may change by GET and POST', async () => {
    const headers = { authorization: `Bearer ${player.token}` };
    const bare = { ...headers, 'x-refill': undefined, 'sec-fetch-site': undefined };
    expect((await shop.get(`${PAY}?${query}&product_id=none`, { headers })).code).toBe(-1007);
    expect((await shop.post(PAY, { ...pay, product_id: 'none' }, { headers: bare })).code).toBe(-1007);
    // Passwords never travel in a query, whatever the token.
    expect((await shop.get(`${accountRoutes.login.path}?${query}`, { headers })).status).toBe(404);
  });

  test('an explicit token that is wrong is not saved by a good cookie', async () => {
    const headers = { authorization: `Bearer rf1_${'x'.repeat(43)}` };
    expect((await shop.get(WHO, { session: player, headers })).code).toBe(-600);
    expect((await shop.post(PAY, pay, { session: player, headers })).code).toBe(-600);
  });

  test('oauth_token in a query or body counts only where the brand allows it', async () => {
    const browser = await shop.logIn({ brand: 'product' });
    const { token } = await openSession(shop.db, {
      playerId: browser.playerId,
      brandKey: 'product' as BrandKey,
      kind: 'sdk',
      authMethod: 'game',
      replaces: null,
      isAddressToken: true,
    });
    const there = { ...browser, token };
    // The browser's token is worth nothing in an address.
    expect((await shop.get(`${WHO}?oauth_token=${browser.token}`, { brand: 'product' })).code).toBe(-600);
    expect((await shop.get(`${WHO}?oauth_token=${player.token}`, { brand: 'watt' })).code).toBe(-600);
    expect((await shop.get(`${WHO}?oauth_token=${there.token}`, { brand: 'product' })).code).toBe(1);
    const changing = `${PAY}?${query}&product_id=none`;
    expect((await shop.get(`${changing}&oauth_token=${there.token}`, { brand: 'product' })).code).toBe(-1007);
    expect((await shop.get(`${changing}&oauth_token=${player.token}`, { brand: 'watt' })).status).toBe(405);
    const body = { ...pay, product_id: 'none', oauth_token: there.token };
    const bare = { 'x-refill': undefined, 'sec-fetch-site': undefined };
    expect((await shop.post(PAY, body, { brand: 'product', headers: bare })).code).toBe(-1007);
    expect((await shop.post(PAY, body, { brand: 'watt', headers: bare })).status).toBe(403);
    // Made for one brand, it opens no other.
    expect((await shop.get(`${WHO}?oauth_token=${player.token}`, { brand: 'product' })).code).toBe(-600);
  });

  test.each(['PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const)('%s is nothing', async (method) => {
    const answer = await shop.app.inject({ method, url: PAY, headers: { host: 'watt.demo.localhost' } });
    expect(answer.statusCode).toBe(404);
  });
});

describe('odd parameters', () => {
  test('of repeated query values the last counts', async () => {
    const url = '/util/login/get_user_info?client_id=70013&client_id=70021';
    expect((await shop.get<{ gp_id: string }>(url, { session: player })).content.gp_id).toBe('70021');
  });

  const bodies: [string, string][] = [
    ['NUL in a value', JSON.stringify({ ...pay, role_id: 'r\0' })],
    ['a lone surrogate', '{"client_id":"70021","server_id":"s1","role_id":"\\ud800","product_id":"star_50"}'],
    ['__proto__', '{"__proto__":{"isAdmin":true},"client_id":"70021"}'],
    ['constructor.prototype', '{"constructor":{"prototype":{"x":1}},"client_id":"70021"}'],
    ['an array for a text', JSON.stringify({ ...pay, role_id: ['r1'] })],
    ['an array for everything', '[]'],
    ['null', 'null'],
    ['a number', '1e400'],
    ['a text for a number', JSON.stringify({ ...pay, price_minor: '99' })],
    ['a negative price', JSON.stringify({ ...pay, price_minor: -1 })],
    ['an over-long text', JSON.stringify({ ...pay, product_id: 'p'.repeat(65) })],
    ['broken JSON', '{"client_id":'],
    ['deep nesting', `${'['.repeat(10_000)}${']'.repeat(10_000)}`],
    ['nothing', ''],
  ];
  test.each(bodies)('a body with %s is a bad request', async (_name, body) => {
    const before = await countRows();
    expect(await shop.post(PAY, body, { session: player })).toMatchObject({ status: 400, code: -1001, content: null });
    expect(await countRows()).toEqual(before);
    expect(shop.logLines).toEqual([]);
  });

  test.each([
    'client_id=%00',
    'client_id=70021&country=%00',
    'client_id=../x',
    'client_id=',
    `client_id=${'7'.repeat(33)}`,
  ])('a query %s is a bad request', async (query) => {
    expect(await shop.get(`/api/pay/getGoodsList?${query}`)).toMatchObject({ status: 400, code: -1001 });
  });

  test('keys nobody knows are dropped, __proto__ among them', async () => {
    const url = '/api/pay/getGoodsList?client_id=70021&__proto__=x&constructor=y&price=0&%00=1&isAdmin=true';
    expect((await shop.get(url)).code).toBe(1);
    expect(({} as { isAdmin?: unknown }).isAdmin).toBeUndefined();
  });

  test('a huge body is refused before it is read', async () => {
    const answer = await shop.post(PAY, { ...pay, did: 'x'.repeat(70_000) }, { session: player });
    expect(answer).toMatchObject({ status: 413, code: -1019, content: null });
  });

  test('wrong languages and over-long headers of one are no fault', async () => {
    const headers = { 'accept-language': 'x'.repeat(5000), 'idempotency-key': 'k'.repeat(5000) };
    expect((await shop.get('/util/login/login_config?spec_lang=zz', { headers })).code).toBe(1);
  });
});

describe('an Idempotency-Key of another form', () => {
  const WRONG: [string, string | string[]][] = [
    ['too short', 'abc'],
    ['too long', 'x'.repeat(101)],
    ['empty', ''],
    ['with a blank', 'order 12345'],
    ['with a comma', 'order,12345'],
    ['not ASCII', 'bestellung-\u00e9'],
    ['sent twice', ['one-and-same-key', 'one-and-same-key']],
  ];
  test.each(WRONG)('%s is refused with a reason, and nothing is bought', async (_name, key) => {
    const before = await countRows();
    for (const path of [PAY, '/api/pay/platform_pay']) {
      const answer = await shop.app.inject({
        method: 'POST',
        url: path,
        headers: {
          host: 'watt.demo.localhost',
          cookie: `refill-demo=${player.token}`,
          'x-refill': '1',
          'sec-fetch-site': 'same-origin',
          'idempotency-key': key,
        },
        payload: pay,
      });
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toMatchObject({ code: -1069, content: null, msg: expect.stringContaining('8 to 100') });
    }
    expect(await countRows()).toEqual(before);
  });

  test('is known to every call that changes something, so that none passes it over', async () => {
    const document = (await shop.get('/openapi.json')).text;
    const { paths } = JSON.parse(document) as {
      paths: Record<
        string,
        Record<string, { parameters?: { name: string; in: string; schema: { pattern?: string } }[] }>
      >;
    };
    const lacking = changes.filter(({ path }) => {
      const parameters = paths[path]?.['post']?.parameters ?? [];
      return !parameters.some(({ name, schema }) => name === 'idempotency-key' && schema.pattern?.endsWith('{8,100}$'));
    });
    expect(lacking).toEqual([]);
  });
});

describe('errors', () => {
  test('a fault of ours is neutral and told in the log', async () => {
    shop.paypal.script.readCallback = () => {
      throw new Error('a secret detail: password=hunter2');
    };
    const answer = await shop.post('/callback/paypal', '{}');
    shop.paypal.reset();
    expect(answer).toMatchObject({ status: 500, code: -1500, content: null });
    expect(answer.text).not.toMatch(/secret|hunter2|Error|\.ts/);
    const logged = shop.logLines.join('');
    expect(logged).toContain('a request failed');
    expect(logged).toContain('a secret detail');
    expect(logged).not.toContain('hunter2');
  });

  test('without the database: 503 with Retry-After in the envelope, readiness says no, life says yes', async () => {
    // Nobody listens on port 1.
    const db = openDb('postgres://nobody@127.0.0.1:1/none', { max: 1, onError: () => undefined });
    const app = await createApp({ ...shop.services, db });
    try {
      const headers = { host: 'watt.demo.localhost', cookie: `refill-demo=${player.token}` };
      const answer = await app.inject({ url: WHO, headers });
      expect(answer.statusCode).toBe(503);
      expect(answer.headers['retry-after']).toBe('5');
      expect(answer.json()).toMatchObject({ code: -1503, content: null });
      expect(answer.body).not.toMatch(/ECONN|127\.0\.0\.1/);
      expect((await app.inject({ url: '/readyz' })).statusCode).toBe(503);
      expect((await app.inject({ url: '/healthz' })).json()).toEqual({ status: 'alive' });
    } finally {
      await app.close();
      await db.end();
    }
    expect((await shop.get('/readyz', { host: 'anything' })).text).toBe('{"status":"ready"}');
  });

  test('a connection that dies under a request is 503, and the next request works', async () => {
    const db = openDb(shop.databaseUrl, { max: 1, onError: () => undefined });
    const app = await createApp({ ...shop.services, db });
    try {
      const headers = { host: 'watt.demo.localhost', cookie: `refill-demo=${player.token}` };
      const { rows } = await db.query<{ pid: number }>('select pg_backend_pid() as pid');
      const client = await db.connect();
      const asking = app.inject({ url: WHO, headers });
      const stuck = client.query('select pg_sleep(5)').catch((error: unknown) => error);
      await shop.db.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
      client.release(((await stuck) as Error) ?? true);
      // It waited for the one connection, which is gone; a new one is opened.
      expect((await asking).json()).toMatchObject({ code: 1 });
    } finally {
      await app.close();
      await db.end();
    }
  });
});

test('no secret reaches the log, whichever way a request goes wrong', async () => {
  const names = [
    'oauth_token',
    'ticket',
    'code',
    'authorization_code',
    'identity_token',
    'fb_access_token',
    'vk_access_token',
    'oauth_verifier',
    'state',
    'password',
    'card_info',
    'api_key',
  ];
  const value = (name: string) => `SECRET-${name}-4711`;
  const query = names.map((name) => `${name}=${value(name)}`).join('&');
  const body = Object.fromEntries(names.map((name) => [name, value(name)]));
  const headers = {
    authorization: `Bearer ${value('authorization')}`,
    cookie: `refill-demo=${value('cookie')}`,
    referer: `http://watt.demo.localhost/?${query}`,
  };
  shop.paypal.script.readCallback = () => {
    throw new Error(`failed at https://x.test/?${query} with ${JSON.stringify(body)}`);
  };
  const paths = [
    '/nowhere',
    '/%zz',
    WHO,
    PAY,
    '/util/login/auth',
    '/callback/paypal',
    '/callback/nobody',
    '/return/paypal',
    '/api/pay/getGoodsList',
    `/callback/${'x'.repeat(300)}`,
  ];
  for (const path of paths) {
    for (const answer of [
      await shop.get(`${path}?${query}`, { headers }),
      await shop.post(`${path}?${query}`, body, { headers }),
      await shop.post(`${path}?${query}`, JSON.stringify(body).slice(1), { headers }),
      await shop.get(`${path}?${query}`, { headers, host: 'evil.example' }),
    ]) {
      expect(answer.text).not.toContain('SECRET-');
      expect(answer.headers.location ?? '').not.toContain('SECRET-');
    }
  }
  // A failed login, and a good one, tell the log nothing either.
  await shop.post('/util/login/auth', credentials('SECRET-user', 'SECRET-password'), { headers });
  shop.paypal.reset();
  const logged = shop.logLines.join('');
  expect(logged).toContain('a request failed');
  expect(logged).not.toContain('SECRET-');
  expect(logged).not.toContain(Buffer.from('SECRET-password').toString('base64url').slice(4, 16));
});

test('a request that is no HTTP is answered 400 and closed, without a word of it in the log', async () => {
  await shop.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = shop.app.server.address() as AddressInfo;
  const status = await new Promise<number | string>((resolve) => {
    const request = httpRequest({
      port,
      host: '127.0.0.1',
      path: '/x?oauth_token=SECRET-raw',
      headers: { 'x-big': 'x'.repeat(40_000) },
    });
    request.on('response', (response) => resolve(response.statusCode ?? 0));
    request.on('error', (error) => resolve(error.message));
    request.end();
  });
  expect(status).toBe(431);
  expect(shop.logLines.join('')).not.toContain('SECRET-raw');
});

test('the OpenAPI document is there in demo and nowhere else, and knows every pay call', async () => {
  const document = JSON.parse((await shop.get('/openapi.json')).text) as { paths: Record<string, unknown> };
  for (const { path } of Object.values(payRoutes)) expect(document.paths).toHaveProperty([path]);
  expect(document.paths).not.toHaveProperty(['/healthz']);
  expect((await shop.get('/openapi.json', { host: 'pay.watt.example' })).status).toBe(404);
});
