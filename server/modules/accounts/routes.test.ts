// Login and logout over HTTP: neutral answers, limits, rotation, and a cookie only where one is safe.
import { hash } from '@node-rs/argon2';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { UserInfo } from '#contracts/accounts.ts';
import { encodeCredential } from '#contracts/credentials.ts';
import type { BrandKey, PlayerId } from '#kernel/ids.ts';
import { createLoginLimits } from '#server/platform/limits/login-limits.ts';
import { openSession } from '#server/platform/http/session.ts';
import { type TestPlayer, type TestShop, createTestShop, credentials } from '#testing/shop.ts';

const LOGIN = '/util/login/auth';
const WHO = '/util/login/get_user_info';
const PROXY = '10.0.0.1';
/** A request that came by TLS through the proxy in front. */
const overTls = { host: 'pay-demo.watt.example', remoteAddress: PROXY, headers: { 'x-forwarded-proto': 'https' } };

let shop: TestShop;
beforeAll(async () => {
  shop = await createTestShop({ environment: { REFILL_TRUSTED_PROXIES: PROXY } });
});
afterAll(() => shop.close());

let names = 0;
async function makeAccount(password = 'correct horse', brand = 'watt') {
  names += 1;
  const username = `Account ${names}`;
  await shop.services.accounts.saveAccount({ brandKey: brand as BrandKey, username, suid: `suid-${names}`, password });
  return { username, suid: `suid-${names}`, password };
}
const cookiesOf = (answer: { headers: { 'set-cookie'?: string | string[] | undefined } }) =>
  [answer.headers['set-cookie'] ?? []].flat();
const tokenOf = (answer: { cookies: { value: string }[] }) => answer.cookies[0]?.value ?? '';
/** A browser that holds this cookie. */
const holding = (token: string, brand = 'watt') => ({ brand, token }) as TestPlayer;
const whoIs = (token: string) => shop.get<UserInfo>(`${WHO}?client_id=70021`, { session: holding(token) });

describe('the password', () => {
  test('right: a session, the player, the game product of the client, and no secret in the body', async () => {
    const account = await makeAccount();
    const answer = await shop.post<UserInfo>(LOGIN, credentials(account.username, account.password));
    expect(answer).toMatchObject({ status: 200, code: 1 });
    expect(answer.content).toMatchObject({ username: account.username, suid: account.suid, gp_id: '70021' });
    expect(answer.text).not.toContain('rf1_');
    expect((await whoIs(tokenOf(answer))).content).toEqual(answer.content);
  });

  test('the name is compared without case and outer blanks, the password without outer blanks only', async () => {
    const account = await makeAccount('Pass Word');
    const log = (name: string, password: string) => shop.post(LOGIN, credentials(name, password));
    expect((await log(`  ${account.username.toUpperCase()} `, ' Pass Word ')).code).toBe(1);
    expect((await log(account.username, 'pass word')).code).toBe(-1002);
    expect((await log(account.username, 'PassWord')).code).toBe(-1002);
  });

  test.each(['ünïcode 🔑 пароль', 'x'.repeat(64), 'y'.repeat(1024)])('%s works as it is', async (password) => {
    const account = await makeAccount(password);
    expect((await shop.post(LOGIN, credentials(account.username, password))).code).toBe(1);
  });

  test('wrong, unknown account, over-long and broken encodings all answer the same', async () => {
    const account = await makeAccount();
    const answers = await Promise.all([
      shop.post(LOGIN, credentials(account.username, 'wrong')),
      shop.post(LOGIN, credentials('nobody at all', 'wrong')),
      shop.post(LOGIN, credentials(account.username, 'z'.repeat(1025))),
      shop.post(LOGIN, { ...credentials(account.username, 'x'), password: '!!not base64!!' }),
      shop.post(LOGIN, { ...credentials(account.username, 'x'), username: 'AAAA' }),
      shop.post(LOGIN, credentials('nul\0byte', 'wrong')),
      // Grows to eighteen times its length when it is normalised.
      shop.post(LOGIN, credentials('\u{fdfa}'.repeat(90), 'wrong')),
    ]);
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 200, code: -1002, content: null, cookies: [] });
      expect(answer.text).toBe(answers[0]?.text);
    }
  });

  test('the account of another brand is unknown here, and so is a game the brand does not sell', async () => {
    const account = await makeAccount('correct horse', 'product');
    const body = credentials(account.username, account.password);
    expect((await shop.post(LOGIN, body, { brand: 'watt' })).code).toBe(-1002);
    expect((await shop.post(LOGIN, body, { brand: 'product' })).code).toBe(1);
    expect((await shop.post(LOGIN, { ...body, client_id: '99999' }, { brand: 'product' })).code).toBe(-3001);
  });

  test('a password of a brand whose game keeps the accounts is asked of the game', async () => {
    const client = shop.configuration.games.get('emberfall' as never)?.file.clients.web;
    shop.game.script.authenticate = (username, password) =>
      password === 'from the game' ? { kind: 'ok', userId: 'g-7', username } : { kind: 'wrong_credentials' };
    const at = { brand: 'dragon' };
    const right = await shop.post<UserInfo>(LOGIN, credentials('Dragonfly', 'from the game', client), at);
    expect(right).toMatchObject({ code: 1, content: { username: 'Dragonfly', suid: 'g-7' } });
    expect((await shop.post(LOGIN, credentials('Dragonfly', 'other', client), at)).code).toBe(-1002);
    shop.game.script.isDown = true;
    expect(await shop.post(LOGIN, credentials('Dragonfly', 'from the game', client), at)).toMatchObject({
      status: 503,
      code: -1503,
    });
    shop.game.reset();
  });
});

describe('the cookie', () => {
  test('__Host- and Secure behind a proxy with TLS', async () => {
    const account = await makeAccount();
    const answer = await shop.post(LOGIN, credentials(account.username, account.password), overTls);
    expect(answer.code).toBe(1);
    expect(cookiesOf(answer)[0]).toMatch(
      /^__Host-refill=rf1_[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    const cookie = `__Host-refill=${tokenOf(answer)}`;
    expect((await shop.get(WHO, { ...overTls, headers: { ...overTls.headers, cookie } })).code).toBe(1);
    // The same token under the demo's name is not looked at.
    const other = `refill-demo=${tokenOf(answer)}`;
    expect((await shop.get(WHO, { ...overTls, headers: { ...overTls.headers, cookie: other } })).code).toBe(-600);
  });

  test('under another name, without Secure, on a plain-http demo of this machine', async () => {
    const account = await makeAccount();
    const answer = await shop.post(LOGIN, credentials(account.username, account.password));
    expect(cookiesOf(answer)[0]).toMatch(
      /^refill-demo=rf1_[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    expect(cookiesOf(answer)[1]).toMatch(
      /^refill-demo-device=[\w-]{43}; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Strict$/,
    );
  });

  test.each([
    ['a demo host on the net without TLS', { host: 'pay-demo.watt.example' }],
    ['TLS claimed by somebody who is no proxy', { ...overTls, remoteAddress: '203.0.113.5' }],
  ])('%s gets none, and no session either', async (_name, sent) => {
    const account = await makeAccount();
    const before = await countSessions();
    const answer = await shop.post(LOGIN, credentials(account.username, account.password), sent);
    expect(answer).toMatchObject({ status: 403, code: -1015, content: null });
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect(await countSessions()).toBe(before);
  });
});

const countSessions = async () => (await shop.db.query('select from session')).rowCount;

describe('a session', () => {
  test('is new with every login; the one before dies', async () => {
    const account = await makeAccount();
    const first = tokenOf(await shop.post(LOGIN, credentials(account.username, account.password)));
    const again = await shop.post(LOGIN, credentials(account.username, account.password), { session: holding(first) });
    expect(tokenOf(again)).not.toBe(first);
    expect((await whoIs(first)).code).toBe(-600);
    expect((await whoIs(tokenOf(again))).code).toBe(1);
  });

  test('L100 ends with logout as cookie and as Bearer, and the cookie is cleared', async () => {
    const account = await makeAccount();
    const token = tokenOf(await shop.post(LOGIN, credentials(account.username, account.password)));
    const answer = await shop.post('/util/login/logout', {}, { session: holding(token) });
    expect(answer.code).toBe(1);
    expect(answer.headers['set-cookie']).toMatch(/^refill-demo=; .*Path=\/; Expires=Thu, 01 Jan 1970/);
    // "storage" would take language, area and draft along. @source specification section 4: "clears user info"
    expect(answer.headers['clear-site-data']).toBe('"cache"');
    expect((await whoIs(token)).code).toBe(-600);
    expect((await shop.get(WHO, { headers: { authorization: `Bearer ${token}` } })).code).toBe(-600);
  });

  test('named by Bearer ends with a logout by Bearer', async () => {
    const player = await shop.logIn();
    const headers = { authorization: `Bearer ${player.token}` };
    expect((await shop.get(WHO, { headers })).code).toBe(1);
    expect((await shop.post('/util/login/logout', {}, { headers })).code).toBe(1);
    expect((await shop.get(WHO, { headers })).code).toBe(-600);
  });

  test('belongs to one brand', async () => {
    const player = await shop.logIn({ brand: 'watt' });
    const cookie = `refill-demo=${player.token}`;
    expect((await shop.get(WHO, { brand: 'watt', headers: { cookie } })).code).toBe(1);
    expect((await shop.get(WHO, { brand: 'product', headers: { cookie } })).code).toBe(-600);
  });

  test('of a disabled account ends with the next request, and there is no way back in', async () => {
    const account = await makeAccount();
    const token = tokenOf(await shop.post(LOGIN, credentials(account.username, account.password)));
    expect((await whoIs(token)).code).toBe(1);
    await shop.db.query('update player set disabled_at = now() where suid = $1', [account.suid]);
    expect((await whoIs(token)).code).toBe(-600);
    expect((await shop.post(LOGIN, credentials(account.username, account.password))).code).toBe(-1002);
  });
});

describe('a device that logged in well before', () => {
  const device = (value: string) => ({ headers: { cookie: `refill-demo-device=${value}` } });
  /** Wrong passwords until the account is made to wait. */
  const annoy = async (username: string, from: object = {}) => {
    for (let failure = 1; failure <= 8; failure += 1) {
      await shop.db.query('update login_guard set blocked_until = now()');
      await shop.post(LOGIN, credentials(username, 'wrong'), from);
    }
  };

  test('gets in while a stranger keeps failing; a stranger with a made-up one does not', async () => {
    const account = await makeAccount();
    const first = await shop.post(LOGIN, credentials(account.username, account.password));
    const known = first.cookies[1]?.value ?? '';
    await annoy(account.username);
    const right = credentials(account.username, account.password);
    expect((await shop.post(LOGIN, right)).code).toBe(-1003);
    expect((await shop.post(LOGIN, right, device('x'.repeat(43)))).code).toBe(-1003);
    expect((await shop.post(LOGIN, right, device(known))).code).toBe(1);
  });

  test('is known for its own account only, and not for ever', async () => {
    const [mine, theirs] = [await makeAccount(), await makeAccount()];
    const known = (await shop.post(LOGIN, credentials(mine.username, mine.password))).cookies[1]?.value ?? '';
    await annoy(theirs.username);
    const right = credentials(theirs.username, theirs.password);
    expect((await shop.post(LOGIN, right, device(known))).code).toBe(-1003);
    // It has ten failures of its own, then it waits like everybody.
    for (let failure = 1; failure <= 10; failure += 1)
      expect((await shop.post(LOGIN, credentials(mine.username, 'wrong'), device(known))).code).toBe(-1002);
    await annoy(mine.username);
    expect((await shop.post(LOGIN, credentials(mine.username, mine.password), device(known))).code).toBe(-1003);
  });

  test('is kept as a hash', async () => {
    const account = await makeAccount();
    const known = (await shop.post(LOGIN, credentials(account.username, account.password))).cookies[1]?.value ?? '';
    const { rows } = await shop.db.query('select d::text as row from known_device d');
    expect(JSON.stringify(rows)).not.toContain(Buffer.from(known).toString('hex'));
    expect(JSON.stringify(rows)).not.toContain(known);
  });
});

test('a hash with other parameters is made anew at the next login, and nothing else changes', async () => {
  const account = await makeAccount();
  const old = await hash(account.password, { memoryCost: 8192, timeCost: 1, parallelism: 1 });
  await shop.db.query(
    'update player_password set hash = $1 where player_id = (select player_id from player where suid = $2)',
    [old, account.suid],
  );
  expect((await shop.post(LOGIN, credentials(account.username, 'wrong'))).code).toBe(-1002);
  const stored = async () =>
    (
      await shop.db.query<{ hash: string }>(
        'select hash from player_password join player using (player_id) where suid = $1',
        [account.suid],
      )
    ).rows[0]?.hash ?? '';
  expect(await stored()).toBe(old);
  expect((await shop.post(LOGIN, credentials(account.username, account.password))).code).toBe(1);
  expect(await stored()).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect((await shop.post(LOGIN, credentials(account.username, account.password))).code).toBe(1);
});

describe('a new password', () => {
  const CHANGE = '/util/login/change_password';
  const change = (token: string, from: string, to: string) =>
    shop.post(
      CHANGE,
      { old_password: encodeCredential(from, 'aB3'), new_password: encodeCredential(to, 'x9Z') },
      { session: holding(token) },
    );
  const enter = async (account: { username: string }, password: string) =>
    tokenOf(await shop.post(LOGIN, credentials(account.username, password)));

  test('counts from now on, and every other session is over', async () => {
    const account = await makeAccount();
    const [here, there] = [await enter(account, account.password), await enter(account, account.password)];
    expect((await change(here, account.password, 'quiet green river')).code).toBe(1);
    expect([(await whoIs(here)).code, (await whoIs(there)).code]).toEqual([1, -600]);
    expect((await shop.post(LOGIN, credentials(account.username, account.password))).code).toBe(-1002);
    expect((await shop.post(LOGIN, credentials(account.username, 'quiet green river'))).code).toBe(1);
  });

  test('makes strangers of all browsers but the one that asked', async () => {
    const account = await makeAccount();
    const logInWith = (cookie: string, password: string) =>
      shop.post(LOGIN, credentials(account.username, password), { headers: { cookie } });
    const deviceOf = (answer: Awaited<ReturnType<typeof logInWith>>) =>
      `refill-demo-device=${(answer.cookies as { name: string; value: string }[]).find(({ name }) => name.endsWith('-device'))?.value}`;
    const [here, there] = [await logInWith('', account.password), await logInWith('', account.password)];
    const sent = { headers: { cookie: `refill-demo=${tokenOf(here)}; ${deviceOf(here)}` } };
    const words = {
      old_password: encodeCredential(account.password, 'aB3'),
      new_password: encodeCredential('quiet green river', 'x9Z'),
    };
    expect((await shop.post(CHANGE, words, sent)).code).toBe(1);
    // A stranger fails until the account waits: only the browser that is known is let through.
    for (let n = 0; n < 8; n += 1) await shop.post(LOGIN, credentials(account.username, 'wrong'));
    expect((await logInWith(deviceOf(there), 'quiet green river')).status).toBe(429);
    expect((await logInWith(deviceOf(here), 'quiet green river')).code).toBe(1);
  });

  test('needs the old one, and will not be a weak one; the old one stays', async () => {
    const account = await makeAccount();
    const token = await enter(account, account.password);
    expect((await change(token, 'wrong', 'quiet green river')).code).toBe(-1002);
    for (const weak of ['short77', 'password123', `${account.username}!!`, 'x'.repeat(1025)])
      expect((await change(token, account.password, weak)).code).toBe(-1046);
    expect((await shop.post(LOGIN, credentials(account.username, account.password))).code).toBe(1);
  });

  test('cannot be used to guess the old one', async () => {
    const account = await makeAccount();
    const token = await enter(account, account.password);
    const codes: number[] = [];
    for (let n = 1; n <= 8; n += 1) codes.push((await change(token, `wrong ${n}`, 'quiet green river')).code);
    expect(codes.slice(0, 6)).toEqual(Array<number>(6).fill(-1002));
    expect(codes.slice(6)).toEqual([-1003, -1003]);
  });

  test('is offered where it is kept here and the session may change it', async () => {
    const isOffered = async (session: TestPlayer) =>
      (await shop.get<{ canChangePassword: boolean }>('/util/login/identities', { session })).content.canChangePassword;
    const account = await makeAccount();
    const token = await enter(account, account.password);
    expect(await isOffered(holding(token))).toBe(true);
    // Somebody of another company.
    expect(await isOffered(await shop.logIn())).toBe(false);
    const openAnother = async (brand: string, more: Pick<Parameters<typeof openSession>[1], 'kind' | 'bound'>) => {
      const { suid } = await makeAccount('correct horse', brand);
      const { rows } = await shop.db.query<{ player_id: PlayerId }>('select player_id from player where suid = $1', [
        suid,
      ]);
      const [owner] = rows;
      if (!owner) throw new Error('no account was made');
      const { token: another } = await openSession(shop.db, {
        playerId: owner.player_id,
        brandKey: brand as BrandKey,
        authMethod: 'password',
        replaces: null,
        ...more,
      });
      return holding(another, brand);
    };
    expect(await isOffered(await openAnother('watt', { kind: 'web' }))).toBe(true);
    expect(await isOffered(await openAnother('watt', { kind: 'sdk' }))).toBe(false);
    expect(await isOffered(await openAnother('watt', { kind: 'web', bound: { client_id: '70021' } }))).toBe(false);
    // The game is asked at this brand, whatever an earlier time has left in our table.
    expect(await isOffered(await openAnother('dragon', { kind: 'web' }))).toBe(false);
  });

  test('is the business of whoever keeps the account', async () => {
    const player = await shop.logIn();
    expect((await change(player.token, 'correct horse', 'quiet green river')).code).toBe(-1015);
    expect((await shop.post(CHANGE, {})).status).toBe(400);
    const { old_password: from, new_password: to } = {
      old_password: encodeCredential('a', 'aB3'),
      new_password: encodeCredential('b', 'aB3'),
    };
    expect((await shop.post(CHANGE, { old_password: from, new_password: to })).code).toBe(-600);
  });
});

describe('the old way by GET', () => {
  test('is there for brands that keep it, and not for a link on another site', async () => {
    const old = await createTestShop({ brands: { watt: { legacyGet: true } } });
    try {
      const account = { brandKey: 'watt' as BrandKey, username: 'Old Way', suid: 'old-1', password: 'correct horse' };
      await old.services.accounts.saveAccount(account);
      const url = `${LOGIN}?${new URLSearchParams(credentials('Old Way', 'correct horse')).toString()}`;
      const answer = await old.get(url);
      expect(answer.code).toBe(1);
      expect(tokenOf(answer)).toMatch(/^rf1_/);
      // Old browsers do not send the first, so what they send counts as well.
      for (const headers of [
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': undefined, referer: 'https://evil.example/page' },
        { 'sec-fetch-site': undefined, origin: 'https://evil.example' },
      ])
        expect((await old.get(url, { headers })).status).toBe(405);
      expect((await old.get(url, { brand: 'product' })).status).toBe(404);
      // Logins only: nothing else that is POST has another way.
      expect((await old.get('/util/login/logout')).status).toBe(404);
      expect(old.logLines.join('')).not.toContain(credentials('Old Way', 'correct horse').password);
    } finally {
      await old.close();
    }
  });
});

test('L137 L163 L164 the other logins are there by GET as well, for brands that keep it', async () => {
  const old = await createTestShop({ brands: { watt: { legacyGet: true } } });
  onTestFinished(old.close);
  const kinds = ['google_auth', 'apple_auth', 'facebook_auth', 'twitter_auth', 'vk_auth', 'huawei_auth'];
  const paths = ['/util/login', '/api/ingame'].flatMap((base) =>
    [...kinds, 'twitter_redirect'].map((name) => `${base}/${name}`),
  );
  const keys = new URLSearchParams({ client_id: '70021', game_id: '70021', authorization_code: 'x', identity_token: 'x', oauth_token: 'x', oauth_verifier: 'x' }); /* a row a line */ // prettier-ignore
  const statuses = async (more: object) =>
    Promise.all(paths.map(async (path) => (await old.get(`${path}?${keys.toString()}`, more)).status));
  expect(new Set(await statuses({}))).toEqual(new Set([200]));
  expect(new Set(await statuses({ brand: 'product' }))).toEqual(new Set([404]));
  expect(new Set(await statuses({ headers: { 'sec-fetch-site': 'cross-site' } }))).toEqual(new Set([405]));
  // Ours alone stay POST.
  for (const path of ['/util/login/start?kind=google&client_id=70021', '/util/login/own_auth?authorization_code=x'])
    expect((await old.get(path)).status).toBe(404);
});

test('a login by GET at a brand that keeps query tokens answers one: for calls under /api/, an hour, and as long as its session', async () => {
  const old = await createTestShop({ brands: { watt: { legacyGet: true, legacyQueryToken: true } } });
  onTestFinished(old.close);
  const account = { brandKey: 'watt' as BrandKey, username: 'Old Way', suid: 'old-1', password: 'correct horse' };
  await old.services.accounts.saveAccount(account);
  const words = credentials('Old Way', 'correct horse');
  const answer = await old.get<UserInfo>(`${LOGIN}?${new URLSearchParams(words).toString()}`);
  const token = answer.content.oauth_token;
  expect(token).toMatch(/^rf1_/);
  expect(token).not.toBe(tokenOf(answer));
  const history = () => old.get(`/api/orders/history?oauth_token=${token}`);
  expect((await history()).code).toBe(1);
  const who = await old.get<UserInfo>(`${WHO}?client_id=70021&oauth_token=${token}`);
  expect(who).toMatchObject({ code: 1, content: { username: 'Old Way' } });
  // Neither for the account itself, nor in any other place.
  for (const path of ['/util/login/sessions?x=1', '/util/login/identities?client_id=70021'])
    expect((await old.get(`${path}&oauth_token=${token}`)).code).toBe(-600);
  expect((await old.get('/api/orders/history', { headers: { authorization: `Bearer ${token}` } })).code).toBe(-600);
  expect((await old.get('/api/orders/history', { headers: { cookie: `refill-demo=${token}` } })).code).toBe(-600);
  const { rows } = await old.db.query(
    `select extract(epoch from absolute_until - created_at)::integer as seconds from session where kind = 'api'`,
  );
  expect(rows).toEqual([{ seconds: 3600 }]);
  // Our own page logs in by POST, and keeps a public id.
  expect((await old.post<UserInfo>(LOGIN, words)).content.oauth_token).not.toMatch(/^rf1_/);
  await old.post('/util/login/logout', {}, { headers: { cookie: `refill-demo=${tokenOf(answer)}` } });
  expect((await history()).code).toBe(-600);
});

describe('limits', () => {
  test('many tries at one moment are no more than one after the other', async () => {
    const account = await makeAccount();
    const codes = await Promise.all(
      Array.from(
        { length: 30 },
        async (_, n) => (await shop.post(LOGIN, credentials(account.username, `wrong ${n}`))).code,
      ),
    );
    // Six, and one more for every second that a busy machine takes.
    const tried = codes.filter((code) => code === -1002).length;
    expect(tried).toBeGreaterThanOrEqual(6);
    expect(tried).toBeLessThanOrEqual(8);
    expect(codes.filter((code) => code === -1003)).toHaveLength(30 - tried);
  });

  test('an address has so many failures a day; whoever is right does not count', async () => {
    const limits = createLoginLimits(shop.db, 1000, { perDay: 4 });
    const ip = '203.0.113.77';
    for (let n = 1; n <= 6; n += 1) await (await limits.ask(ip, `right/${n}`)).succeeded();
    for (let n = 1; n <= 4; n += 1) {
      const permit = await limits.ask(ip, `daily/${n}`);
      expect(permit.isAllowed).toBe(true);
      await permit.failed();
    }
    const refused = await limits.ask(ip, 'daily/5');
    expect(refused.isAllowed).toBe(false);
    // The lockout lasts for the rest of the day.
    expect(refused.waitSeconds).toBeGreaterThan(86_000);
    expect((await limits.ask('203.0.113.78', 'daily/5')).isAllowed).toBe(true);
  });

  test('a try that nobody could decide does not count', async () => {
    const limits = createLoginLimits(shop.db, 1000);
    for (let n = 1; n <= 12; n += 1) {
      const permit = await limits.ask('203.0.113.79', 'undecided/1');
      expect(permit.isAllowed).toBe(true);
      await permit.undecided();
    }
  });

  test('an account waits longer after each failure beyond the fifth; success forgets them', async () => {
    const account = await makeAccount();
    const attempt = (password: string) => shop.post(LOGIN, credentials(account.username, password));
    for (let failure = 1; failure <= 6; failure += 1) expect((await attempt('wrong')).code).toBe(-1002);
    // In the delay even the right password does not help, whatever address it comes from.
    const refused = await attempt(account.password);
    expect(refused).toMatchObject({ status: 429, code: -1003, msg: 'Too many attempts. Try again in 1 min.' });
    expect(refused.headers['retry-after']).toBe('1');
    await new Promise((resolve) => setTimeout(resolve, 1100));
    expect((await attempt(account.password)).code).toBe(1);
    expect((await attempt('wrong')).code).toBe(-1002);
    expect((await attempt(account.password)).code).toBe(1);
  });

  test('an address has twenty a minute over all accounts and processes, whatever X-Forwarded-For it invents', async () => {
    const limited = await createTestShop({ environment: { REFILL_LOGINS_PER_MINUTE: '20' } });
    try {
      const codes: number[] = [];
      for (let n = 1; n <= 25; n += 1) {
        const answer = await limited.post(LOGIN, credentials(`name ${n}`, 'wrong'), {
          remoteAddress: '203.0.113.9',
          headers: { 'x-forwarded-for': `198.51.100.${n}` },
        });
        codes.push(answer.code);
        expect(answer.headers['retry-after'] !== undefined).toBe(answer.status === 429);
      }
      expect(codes).toEqual([...Array<number>(20).fill(-1002), ...Array<number>(5).fill(-1003)]);
      const elsewhere = await limited.post(LOGIN, credentials('name 26', 'wrong'), { remoteAddress: '203.0.113.10' });
      expect(elsewhere.code).toBe(-1002);
    } finally {
      await limited.close();
    }
  });
});

test('the login configuration names the public ids of what the brand offers and the shop is set up for', async () => {
  const path = '/util/login/login_config?client_id=70021';
  expect((await shop.get(`${path}&domain_area=universal`)).code).toBe(1);
  for (const area of ['ru', 'atlantis', '__proto__'])
    expect(await shop.get(`${path}&domain_area=${area}`)).toMatchObject({ code: -3014, content: null });
  const blank = { fb_id: '', gg_id: '', gg_pkg: '', ios_id: '', vk_id: '', json_type: [], twitterHtml: '' };
  expect((await shop.get(path)).content).toEqual({ ...blank, client_id: 'watt-shop' });
  const set = await createTestShop({
    environment: { REFILL_LOGIN_GOOGLE_DEMO_CLIENT_SECRET: 's', REFILL_LOGIN_VK_DEMO_ON: '1' },
  });
  try {
    const { content } = await set.get<Record<string, unknown>>(path);
    const ids = { gg_id: 'watt-web.apps.googleusercontent.com', gg_pkg: 'example.watt.shop', vk_id: '51000001' };
    expect(content).toEqual({ ...blank, ...ids, client_id: 'watt-shop', json_type: ['google', 'vk'] });
  } finally {
    await set.close();
  }
});
