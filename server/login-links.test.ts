// Login links over HTTP and with the real documents: tokens, tickets, the question before a link
// opens an account, super mode.
import type { FastifyInstance } from 'fastify';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { UserInfo } from '#contracts/accounts.ts';
import type { Bound } from '#kernel/bound.ts';
import type { BrandKey } from '#kernel/ids.ts';
import { PAY_BODY, showRoles } from '#testing/pay.ts';
import { type TestPlayer, type TestShop, createTestShop, credentials } from '#testing/shop.ts';
import { createApp } from './app.ts';
import { redeemLinkKeys } from './modules/accounts/links/link-routes.ts';
import { issueBetaKey, revokeBetaKey } from './platform/http/beta.ts';
import { readCaller, siteOfRequest } from './platform/http/http.ts';
import { hashToken, openSession } from './platform/http/session.ts';
import { registerShell } from './shell/routes.ts';
import { assets, makeBoot } from './shell/test-boot.ts';
import { writeBarColours, writeTheme } from './shell/theme.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const OLD_SECRET = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const PROXY = '10.0.0.1';
const WHO = '/util/login/get_user_info?client_id=70021';

let shop: TestShop;
let app: FastifyInstance;
beforeAll(async () => {
  const environment = {
    REFILL_TRUSTED_PROXIES: PROXY,
    REFILL_GAME_STARLANE_DEMO_URL: 'http://127.0.0.1:1/game',
    REFILL_GAME_STARLANE_DEMO_SECRETS: `${SECRET},${OLD_SECRET}`,
    REFILL_GAME_EMBERFALL_DEMO_URL: 'http://127.0.0.1:1/game',
    REFILL_GAME_EMBERFALL_DEMO_SECRETS: SECRET,
  };
  shop = await createTestShop({ environment, brands: { product: { legacyQueryToken: true } } });
  // The documents themselves, without a built storefront.
  app = await createApp({
    ...shop.services,
    mountStorefront: async (instance) =>
      registerShell(instance, {
        assets: () => assets,
        bootFor: async (request) => {
          const site = siteOfRequest(shop.services, request);
          if (!site) return null;
          const { session, site: seen } = await readCaller(shop.services, request, site, {});
          const user = session && {
            username: session.username,
            suid: session.suid,
            oauth_token: session.publicId,
            gp_id: '',
          };
          return makeBoot({ user, isBeta: seen.betaId !== undefined, env: 'demo' });
        },
        takeKeys: (request, reply, keys, path) =>
          redeemLinkKeys(shop.services, shop.services.loginLinks, { request, reply }, keys, path),
      }),
  });
  await app.ready();
});
afterAll(async () => {
  await app.close();
  await shop.close();
});

/** A browser: it keeps cookies, follows nothing, and sends what browsers send with a page and with a form. */
function createBrowser(at: { host: string; headers?: Record<string, string>; remoteAddress?: string }) {
  const jar = new Map<string, string>();
  const send = async (
    method: 'GET' | 'POST',
    url: string,
    more: { headers?: Record<string, string>; payload?: string } = {},
  ) => {
    const answer = await app.inject({
      method,
      url,
      ...(at.remoteAddress ? { remoteAddress: at.remoteAddress } : {}),
      headers: {
        host: at.host,
        accept: 'text/html',
        ...at.headers,
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
        ...more.headers,
      },
      ...(more.payload === undefined ? {} : { payload: more.payload }),
    });
    for (const { name, value, maxAge, expires } of answer.cookies)
      if (maxAge === 0 || expires?.getTime() === 0) jar.delete(name);
      else jar.set(name, value);
    return answer;
  };
  return {
    jar,
    open: (url: string, headers: Record<string, string> = {}) => send('GET', url, { headers }),
    choose: (choice: string, headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' }) =>
      send('POST', '/login-link', {
        payload: `choice=${choice}`,
        headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
      }),
    call: (url: string, body: object) =>
      send('POST', url, {
        payload: JSON.stringify(body),
        headers: { 'content-type': 'application/json', 'x-refill': '1', 'sec-fetch-site': 'same-origin' },
      }),
    who: async (address = WHO): Promise<string | null> =>
      (await send('GET', address)).json<{ content: UserInfo | null }>().content?.username ?? null,
    hold: (player: TestPlayer) => void jar.set('refill-demo', player.token),
  };
}
const demo = { host: 'watt.demo.localhost' };
const overTls = { host: 'pay-demo.watt.example', remoteAddress: PROXY, headers: { 'x-forwarded-proto': 'https' } };

/** A player, and a token that a game's server was handed out for them. */
async function handOut(over: { brand?: string; bound?: Bound } = {}): Promise<TestPlayer & { link: string }> {
  const player = await shop.logIn(over.brand ? { brand: over.brand } : {});
  const { token } = await openSession(shop.db, {
    playerId: player.playerId,
    brandKey: player.brand as BrandKey,
    kind: 'sdk',
    authMethod: 'game',
    replaces: null,
    bound: over.bound ?? { client_id: '70021' },
    isAddressToken: true,
  });
  return { ...player, link: token };
}
const endToken = (token: string) =>
  shop.db.query('update session set revoked_at = now() where token_hash = $1', [hashToken(token)]);
const ELSEWHERE = { 'sec-fetch-site': 'cross-site' };

describe('a token in a page address', () => {
  test('becomes a session of its own; the address is clean at once', async () => {
    const player = await handOut();
    const browser = createBrowser(demo);
    const answer = await browser.open(`/selectGoods?oauth_token=${player.link}&client_id=70021`);
    expect([answer.statusCode, answer.headers.location]).toEqual([303, '/selectGoods?client_id=70021']);
    expect(answer.headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' });
    expect(answer.headers['set-cookie']).toMatch(
      /^refill-demo=rf1_[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    expect(browser.jar.get('refill-demo')).not.toBe(player.link);
    expect(await browser.who()).toBe(player.username);
    expect((await browser.open('/selectGoods')).body).not.toContain(player.link);
  });

  test('opens one session at a time, which ends with the token, and the token with its logout', async () => {
    const player = await handOut();
    const [one, two] = [createBrowser(demo), createBrowser(demo)];
    await one.open(`/?oauth_token=${player.link}`);
    expect(await one.who()).toBe(player.username);
    await two.open(`/?oauth_token=${player.link}`);
    expect([await one.who(), await two.who()]).toEqual([null, player.username]);
    expect((await two.call('/util/login/logout', {})).json()).toMatchObject({ code: 1 });
    await one.open(`/?oauth_token=${player.link}`);
    expect(await one.who()).toBeNull();
    // The other way round: revoked at its source.
    const other = await handOut();
    await two.open(`/?oauth_token=${other.link}`);
    expect(await two.who()).toBe(other.username);
    await endToken(other.link);
    expect(await two.who()).toBeNull();
  });

  test.each([
    ['made up', async () => `rf1_${'x'.repeat(43)}`],
    ['of another brand', async () => (await handOut({ brand: 'product' })).link],
    ['of a browser', async () => (await shop.logIn()).token],
    ['no token at all', async () => '%00%27'],
  ])('that is %s changes nothing', async (_name, make) => {
    const player = await shop.logIn();
    const browser = createBrowser(demo);
    browser.hold(player);
    const answer = await browser.open(`/my?oauth_token=${await make()}&x=1`);
    expect([answer.statusCode, answer.headers.location]).toEqual([303, '/my?x=1']);
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect(await browser.who()).toBe(player.username);
  });

  test('of the same account leaves the session that is there', async () => {
    const player = await shop.logIn();
    const browser = createBrowser(demo);
    browser.hold(player);
    const { token } = await openSession(shop.db, {
      playerId: player.playerId,
      brandKey: 'watt' as BrandKey,
      kind: 'sdk',
      authMethod: 'game',
      replaces: null,
      isAddressToken: true,
    });
    expect((await browser.open(`/?oauth_token=${token}`)).headers['set-cookie']).toBeUndefined();
    expect(browser.jar.get('refill-demo')).toBe(player.token);
  });

  test('never travels in clear: no cookie, no session', async () => {
    const player = await handOut();
    const answer = await createBrowser({ host: 'pay-demo.watt.example' }).open(`/?oauth_token=${player.link}`);
    expect([answer.statusCode, answer.headers.location, answer.headers['set-cookie']]).toEqual([303, '/', undefined]);
  });
});

describe('a link for another account', () => {
  const meet = async () => {
    const [mine, theirs] = [await shop.logIn(), await handOut()];
    const browser = createBrowser(demo);
    browser.hold(mine);
    const answer = await browser.open(`/my?client_id=70021&oauth_token=${theirs.link}`);
    expect([answer.statusCode, answer.headers.location]).toEqual([303, '/login-link']);
    return { mine, theirs, browser };
  };

  test('asks first, with both names, on a page that nobody frames and no script runs in', async () => {
    const { mine, theirs, browser } = await meet();
    expect(await browser.who()).toBe(mine.username);
    const page = await browser.open('/login-link');
    expect(page.statusCode).toBe(200);
    for (const name of [mine.username, theirs.username]) expect(page.body).toContain(`<bdi>${name}</bdi>`);
    expect(page.headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'nonce-[^']+'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/,
    );
    expect(page.body).not.toContain(theirs.link);
  });

  test('in the look of its shop', async () => {
    const { browser } = await meet();
    const { body } = await browser.open('/login-link');
    const { file } = shop.configuration.brands.get('watt' as BrandKey)!;
    expect(body).toContain(`<bdi>${file.name}</bdi>`);
    expect(body).toContain(writeTheme(file));
    expect(body).toContain(writeBarColours(file));
  });

  test('yes: goes on as the other one, the session before is over', async () => {
    const { mine, theirs, browser } = await meet();
    const answer = await browser.choose('switch');
    expect([answer.statusCode, answer.headers.location]).toEqual([303, '/my?client_id=70021']);
    expect(await browser.who()).toBe(theirs.username);
    expect((await shop.get(WHO, { session: mine })).code).toBe(-600);
  });

  test('no: stays, and the question is over', async () => {
    const { mine, browser } = await meet();
    const asked = browser.jar.get('refill-demo-link') ?? '';
    await browser.choose('stay');
    browser.jar.set('refill-demo-link', asked);
    await browser.choose('switch');
    expect(await browser.who()).toBe(mine.username);
  });

  test.each([
    ['from another site', { 'sec-fetch-site': 'cross-site' }],
    ['with neither Fetch Metadata nor Origin', {}],
    ['from another origin', { origin: 'https://evil.example' }],
  ])('an answer %s does not count', async (_name, headers) => {
    const { mine, browser } = await meet();
    await browser.choose('switch', headers as Record<string, string>);
    expect(await browser.who()).toBe(mine.username);
  });

  test('the right Origin stands in for Fetch Metadata', async () => {
    const { theirs, browser } = await meet();
    await browser.choose('switch', { origin: 'http://watt.demo.localhost' });
    expect(await browser.who()).toBe(theirs.username);
  });

  test('is of no use to a browser that was not asked', async () => {
    const { browser } = await meet();
    const stranger = createBrowser(demo);
    expect((await stranger.open('/login-link')).headers.location).toBe('/');
    await stranger.choose('switch');
    expect(await stranger.who()).toBeNull();
    // Ten minutes later the question is gone.
    await shop.db.query(`update login_link set expires_at = now() where kind = 'question'`);
    expect((await browser.open('/login-link')).headers.location).toBe('/');
  });

  test('that was for a token which ended meanwhile opens nothing', async () => {
    const { theirs, browser } = await meet();
    await endToken(theirs.link);
    await browser.choose('switch');
    expect(await browser.who()).toBeNull();
  });
});

describe('a link in a page of another site', () => {
  test.each([
    ['cross-site', ELSEWHERE],
    ['same-site', { 'sec-fetch-site': 'same-site' }],
    ['by its Referer, where a browser says nothing else', { referer: 'https://evil.example/win' }],
    ['by an opaque origin', { origin: 'null' }],
  ])('asks whoever is logged in nowhere: %s', async (_name, headers) => {
    const theirs = await handOut();
    const browser = createBrowser(demo);
    const answer = await browser.open(`/my?client_id=70021&oauth_token=${theirs.link}`, headers);
    expect([answer.statusCode, answer.headers.location]).toEqual([303, '/login-link']);
    expect(await browser.who()).toBeNull();
    const page = await browser.open('/login-link');
    expect(page.body).toContain('Go on with this account?');
    expect(page.body).toContain(`<bdi>${theirs.username}</bdi>`);
    expect(page.body).toContain('Not my account');
    const left = await browser.choose('stay');
    expect([left.headers.location, await browser.who()]).toEqual(['/my?client_id=70021', null]);
  });

  test('opens the account after a yes', async () => {
    const theirs = await handOut();
    const browser = createBrowser(demo);
    await browser.open(`/my?oauth_token=${theirs.link}`, ELSEWHERE);
    expect((await browser.choose('switch')).headers.location).toBe('/my');
    expect(await browser.who()).toBe(theirs.username);
  });

  test.each([
    ['from the game, or by hand', { 'sec-fetch-site': 'none' }],
    ['from a page of ours', { 'sec-fetch-site': 'same-origin' }],
    ['from a page of ours, by its Referer', { referer: 'http://watt.demo.localhost/my' }],
    ['from a view that says nothing', {}],
  ])('asks nobody who comes %s', async (_name, headers) => {
    const theirs = await handOut();
    const browser = createBrowser(demo);
    await browser.open(`/?oauth_token=${theirs.link}`, headers);
    expect(await browser.who()).toBe(theirs.username);
  });

  test('leaves a player alone who is logged in as the same one', async () => {
    const player = await handOut();
    const browser = createBrowser(demo);
    browser.hold(player);
    expect((await browser.open(`/my?oauth_token=${player.link}`, ELSEWHERE)).headers.location).toBe('/my');
    expect(browser.jar.get('refill-demo')).toBe(player.token);
  });

  test('in a frame that nobody allowed asks as well, on a page that no frame shows', async () => {
    const theirs = await handOut();
    const browser = createBrowser(overTls);
    const answer = await browser.open(`/?oauth_token=${theirs.link}`, { ...ELSEWHERE, 'sec-fetch-dest': 'iframe' });
    expect(answer.headers.location).toBe('/login-link');
    expect(await browser.who()).toBeNull();
  });
});

test.each([
  '//evil.example/x',
  '/\\evil.example',
  '/.//evil.example/x',
  '/x/..//evil.example/x',
  '/%2e//evil.example/x',
  '/my\r\nSet-Cookie:x',
])('a link to %j asks, and leads to a path of ours whatever the answer is', async (path) => {
  for (const choice of ['switch', 'stay']) {
    const theirs = await handOut();
    const browser = createBrowser(demo);
    await browser.open(
      `${encodeURI(path).replaceAll('%5C', '\\').replaceAll('%252e', '%2e')}?oauth_token=${theirs.link}`,
      ELSEWHERE,
    );
    const to = String((await browser.choose(choice)).headers.location);
    expect(new URL(to, 'http://watt.demo.localhost/login-link').host).toBe('watt.demo.localhost');
  }
});

test.each(['//evil.example', '/\\evil', '/a\\b', '/x/../y', '/.', '/./x', '/a b', 'x', '', '/\u0007', '/ü'])(
  'the database keeps no way back like %j',
  async (path) => {
    const { playerId } = await shop.logIn();
    const insert = shop.db.query(
      `insert into login_link (link_hash, kind, brand_key, player_id, return_to, expires_at)
        values (gen_random_uuid()::text::bytea, 'question', 'watt', $1, $2, now())`,
      [playerId, path],
    );
    await expect(insert).rejects.toThrow('login_link_return_to_check');
  },
);

let messages = 0;
/** Builds a call that a game's server sends. */
function callOf(
  body: object | string,
  over: { to?: string; id?: string; secret?: string; at?: Date; host?: string; client?: string; sent?: string } = {},
) {
  const host = over.host ?? 'watt.demo.localhost';
  const to = over.to ?? `${host}/service/tickets/${over.client ?? '70021'}`;
  const text = typeof body === 'string' ? body : JSON.stringify({ to, ...body });
  messages += 1;
  const id = over.id ?? `msg_ticket_${messages}`;
  const at = over.at ?? new Date();
  return app.inject({
    method: 'POST',
    url: `/service/tickets/${over.client ?? '70021'}`,
    headers: {
      host,
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(over.secret ?? SECRET).sign(id, at, text),
    },
    payload: over.sent ?? text,
  });
}
type Ticket = {
  status: string;
  reason?: string;
  ticket?: string;
  oauth_token?: string;
  expires_in: number;
  url: string;
};

describe('a ticket of a game', () => {
  let account: { username: string; suid: string };
  beforeAll(async () => {
    account = { username: 'Ticket Holder', suid: 'game-user-77' };
    await shop.services.accounts.saveAccount({ brandKey: 'watt' as BrandKey, ...account, password: 'correct horse' });
  });
  const ask = async (more: object = {}, over: Parameters<typeof callOf>[1] = {}) =>
    (await callOf({ user_id: account.suid, username: account.username, ...more }, over)).json<Ticket>();

  test('opens a session, once, within a minute', async () => {
    const answer = await ask();
    expect(answer).toMatchObject({ status: 'ok', expires_in: 60 });
    // Of the configured host, whatever was called: in a demo with the port that it listens on.
    expect(answer.url).toBe(`http://watt.demo.localhost:8080/?client_id=70021&ticket=${answer.ticket}`);
    const [browser, second] = [createBrowser(demo), createBrowser(demo)];
    const { pathname, search } = new URL(answer.url);
    const path = pathname + search;
    expect((await browser.open(path)).headers.location).toBe('/?client_id=70021');
    expect(await browser.who()).toBe(account.username);
    await second.open(path);
    expect(await second.who()).toBeNull();

    const late = await ask();
    await shop.db.query(`update login_link set expires_at = expires_at - interval '61 seconds' where used_at is null`);
    await second.open(`/?ticket=${late.ticket}`);
    expect(await second.who()).toBeNull();
  });

  test('two browsers at the same moment: one gets in', async () => {
    const { ticket } = await ask();
    const browsers = Array.from({ length: 8 }, () => createBrowser(demo));
    await Promise.all(browsers.map((browser) => browser.open(`/?ticket=${ticket}`)));
    const names = await Promise.all(browsers.map((browser) => browser.who()));
    expect(names.filter(Boolean)).toEqual([account.username]);
  });

  test('pays for the client and character it was asked for, for nothing else', async () => {
    const { ticket } = await ask({ server_id: 's1', role_id: 'r1' });
    const browser = createBrowser(demo);
    await browser.open(`/?ticket=${ticket}`);
    await showRoles(shop, { brand: 'watt', token: browser.jar.get('refill-demo') } as TestPlayer);
    const pay = async (over: object) =>
      (await browser.call('/api/pay/paypal_pay', { ...PAY_BODY, ...over })).json<{ code: number }>().code;
    expect(await pay({ role_id: 'r2' })).toBe(-1006);
    expect(await pay({ server_id: 's2' })).toBe(-1006);
    expect(await pay({ client_id: '70011', product_id: 'ember_60', price_minor: undefined })).toBe(-1006);
    expect(await pay({})).toBe(1);
    expect(shop.logLines.join('')).toContain('payment_out_of_bounds');
  });

  test('cannot change the account', async () => {
    const { ticket } = await ask();
    const browser = createBrowser(demo);
    await browser.open(`/?ticket=${ticket}`);
    const { password } = credentials('x', 'a new password 1');
    const change = await browser.call('/util/login/change_password', {
      old_password: password,
      new_password: password,
    });
    expect(change.json()).toMatchObject({ code: -1045 });
    expect((await browser.call('/util/login/end_other_sessions', {})).json()).toMatchObject({ code: -1045 });
  });

  test('is of this brand', async () => {
    const { ticket } = await ask();
    const there = createBrowser({ host: 'product.demo.localhost' });
    await there.open(`/?ticket=${ticket}`);
    expect(await there.who()).toBeNull();
    const browser = createBrowser(demo);
    await browser.open(`/?ticket=${ticket}`);
    expect(await browser.who()).toBe(account.username);
  });

  test('makes the account where the game keeps them', async () => {
    const answer = await ask(
      { user_id: 'g-501', username: 'Fresh <b>Face</b>' },
      { client: '70011', host: 'dragon.demo.localhost' },
    );
    expect(answer.status).toBe('ok');
    const browser = createBrowser({ host: 'dragon.demo.localhost' });
    await browser.open(`/?ticket=${answer.ticket}`);
    expect(await browser.who('/util/login/get_user_info?client_id=70011')).toBe('Fresh <b>Face</b>');
    expect(await browser.who('/util/login/get_user_info?client_id=70021')).toBeNull();
  });

  test('is declined for nobody, and for an account that is disabled', async () => {
    expect(await ask({ user_id: 'nobody' })).toEqual({ status: 'declined', reason: 'unknown_user' });
    const gone = { brandKey: 'watt' as BrandKey, username: 'Gone', suid: 'gone-1', password: 'correct horse' };
    await shop.services.accounts.saveAccount(gone);
    const { ticket } = await ask({ user_id: 'gone-1' });
    await shop.db.query(`update player set disabled_at = now() where suid = 'gone-1'`);
    const browser = createBrowser(demo);
    await browser.open(`/?ticket=${ticket}`);
    expect(await browser.who()).toBeNull();
    expect((await ask({ user_id: 'gone-1' })).reason).toBe('unknown_user');
  });

  test('as a token for the old way, only where the brand keeps that', async () => {
    expect(await ask({ kind: 'token' })).toEqual({ status: 'declined', reason: 'token_not_allowed' });
    const there = { brandKey: 'product' as BrandKey, username: 'Old Way', suid: 'old-1', password: 'correct horse' };
    await shop.services.accounts.saveAccount(there);
    const host = 'product.demo.localhost';
    const answer = await ask({ user_id: 'old-1', kind: 'token' }, { host });
    expect(answer).toMatchObject({ status: 'ok', expires_in: 7200 });
    const { code } = await shop.get(`${WHO}&oauth_token=${answer.oauth_token}`, { brand: 'product' });
    expect(code).toBe(1);
  });

  test.each([
    ['another secret', { secret: `whsec_${Buffer.alloc(32, 9).toString('base64')}` }, 401],
    ['the old secret, while it is changed', { secret: OLD_SECRET }, 200],
    ['a changed body', { sent: '{"user_id":"somebody-else","username":"x"}' }, 401],
    [
      'a call that was signed for another brand of the game',
      { to: 'joynet.demo.localhost/service/tickets/70021' },
      401,
    ],
    ['a call that was signed for another client', { to: 'watt.demo.localhost/service/tickets/70013' }, 401],
    ['the same names in capitals', { to: 'WATT.demo.localhost/service/tickets/70021' }, 200],
    ['a time of six minutes ago', { at: new Date(Date.now() - 360_000) }, 401],
    ['a time in six minutes', { at: new Date(Date.now() + 360_000) }, 401],
    ['an id that is none', { id: '' }, 401],
    ['a client nobody has', { client: '99999' }, 404],
    ['a client of a game this brand does not sell', { host: 'product.demo.localhost', client: '99998' }, 404],
    ['a host nobody has', { host: 'evil.example' }, 404],
    ['a host of the other environment', { host: 'pay.watt.example' }, 404],
  ])('%s: %o is answered %i', async (_name, over, status) => {
    const { statusCode, headers } = await callOf({ user_id: account.suid, username: 'x' }, over);
    expect(statusCode).toBe(status);
    expect(headers['cache-control']).toBe('no-store');
  });

  test('the same call again gives no second one', async () => {
    const [first, again] = [
      await callOf({ user_id: account.suid, username: 'x' }, { id: 'msg_repeated' }),
      await callOf({ user_id: account.suid, username: 'x' }, { id: 'msg_repeated' }),
    ];
    expect([first.statusCode, again.statusCode]).toEqual([200, 409]);
  });

  test.each([
    '',
    'null',
    '{',
    '[]',
    '{"user_id":7,"username":"x"}',
    '{"user_id":"u"}',
    '{"user_id":"u","username":"no to"}',
    '{"to":"x","user_id":"u\\u0000","username":"x"}',
    '{"__proto__":{"user_id":"u","username":"x"}}',
  ])('a signed body %j is no question', async (body) => expect((await callOf(body)).statusCode).toBe(400));

  test('more than a ticket can need is not read', async () => {
    expect((await callOf({ user_id: 'x'.repeat(5000), username: 'x' })).statusCode).toBe(413);
  });
});

describe('super mode', () => {
  const issue = (brand = 'watt') =>
    issueBetaKey(shop.db, { brandKey: brand as BrandKey, label: 'tester', days: 1, by: 'anna' });
  const logIn = async (browser: ReturnType<typeof createBrowser>, username: string) =>
    (await browser.call('/util/login/auth', credentials(username, 'correct horse'))).json<{ code: number }>().code;

  test('a browser with a key is a beta user beside the ordinary one, and pays as everybody does, until the key is laid down', async () => {
    await shop.services.accounts.saveAccount({
      brandKey: 'watt' as BrandKey,
      username: 'Beta Person',
      suid: 'beta-1',
      password: 'correct horse',
    });
    const browser = createBrowser(overTls);
    expect(await logIn(browser, 'Beta Person')).toBe(1);
    const ordinary = browser.jar.get('__Host-refill');
    const { key } = await issue();
    const answer = await browser.open(`/selectGoods?client_id=70021&beta_key=${key}`);
    expect([answer.statusCode, answer.headers.location]).toEqual([303, '/selectGoods?client_id=70021']);
    expect(browser.jar.get('__Host-refill-beta')).toBe(key);
    // Not logged in here yet: the ordinary session does not count.
    expect(await browser.who()).toBeNull();
    expect((await browser.open('/selectGoods')).body).toContain('"isBeta":true');
    expect(await logIn(browser, 'Beta Person')).toBe(1);
    expect(browser.jar.get('__Host-refill')).toBe(ordinary);
    expect(await browser.who()).toBe('Beta Person');

    await browser.open('/api/system/allRoleList?client_id=70021');
    const paid = (await browser.call('/api/pay/paypal_pay', PAY_BODY)).json<{
      code: number;
      content: { billing_no: string };
    }>();
    expect(paid.code).toBe(1);
    const { rows: players } = await shop.db.query(`select player_id from player where suid = 'beta-1'`);
    expect(players).toHaveLength(2);
    expect(shop.paypal.calls.create.at(-1)?.notifyUrl).toBe('https://pay-demo.watt.example/callback/paypal');

    // Goods marked beta are sold to beta users, at their price, and to nobody else.
    const early = { ...PAY_BODY, product_id: 'star_120', price_minor: 229 };
    expect((await browser.call('/api/pay/paypal_pay', early)).json()).toMatchObject({ code: 1 });
    expect((await browser.open('/api/pay/getGoodsList?client_id=70021')).body).toContain('"star_120"');

    await browser.open('/?beta_key=off');
    expect((await browser.call('/api/pay/paypal_pay', early)).json()).toMatchObject({ code: -1007 });
    expect((await browser.open('/api/pay/getGoodsList?client_id=70021')).body).not.toContain('star_120');
    for (const path of ['calculatePrice', 'getPayChannelList'])
      expect((await browser.open(`/api/pay/${path}?client_id=70021&product_id=star_120`)).json()).toMatchObject({
        code: -1007,
      });
    expect(browser.jar.get('__Host-refill-beta')).toBeUndefined();
    expect(await browser.who()).toBe('Beta Person');
    expect((await browser.open('/selectGoods')).body).toContain('"isBeta":false');
    const after = (await browser.open(`/api/pay/getOrderInfo?billing_no=${paid.content.billing_no}`)).json();
    expect(after).toMatchObject({ code: -1005 });
  });

  test('a revoked key ends its sessions, and the browser is an ordinary one again', async () => {
    const browser = createBrowser(demo);
    const { id, key } = await issue();
    await browser.open(`/?beta_key=${key}`);
    await logIn(browser, 'Beta Person');
    expect(browser.jar.get('refill-demo-beta-user')).toMatch(/^rf1_/);
    expect(await browser.who()).toBe('Beta Person');
    const stolen = browser.jar.get('refill-demo-beta-user') ?? '';
    expect(await revokeBetaKey(shop.db, 'product' as BrandKey, id)).toBe(false);
    expect(await revokeBetaKey(shop.db, 'watt' as BrandKey, id)).toBe(true);
    expect(await browser.who()).toBeNull();
    // Outside of super mode its session is none.
    expect((await shop.get(WHO, { headers: { authorization: `Bearer ${stolen}` } })).code).toBe(-600);
  });

  test.each([
    ['made up', async () => `rb1_${'x'.repeat(43)}`],
    ['of another brand', async () => (await issue('product')).key],
  ])('a key that is %s does nothing', async (_name, make) => {
    const browser = createBrowser(overTls);
    await browser.open(`/?beta_key=${await make()}`);
    expect(browser.jar.get('__Host-refill-beta')).toBeUndefined();
    expect((await browser.open('/')).body).toContain('"isBeta":false');
  });
});

test('no secret of a link stands in the log or in the database', async () => {
  const logged = shop.logLines.join('');
  expect(logged).toContain('"security":"login_link_opened"');
  expect(logged).not.toMatch(/r[fbt]1_[\w-]{20}/);
  const { rows } = await shop.db.query(
    'select (select json_agg(e)::text from login_link e) || (select json_agg(b)::text from beta_key b) as stored',
  );
  expect(rows[0].stored).not.toMatch(/r[fbt]1_/);
});
