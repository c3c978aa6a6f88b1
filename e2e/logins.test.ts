// Every kind of login, from the shop's own calls through the provider's simulator over real HTTP and back:
// what works, and what must not.
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Simulators, startSimulators } from '#simulators/start.ts';
import { type Answered, type TestPlayer, type TestShop, createTestShop } from '#testing/shop.ts';
import { type Landing, walkLogin } from './walk-login.ts';

const CLIENT = '70021';
const AUTH = {
  google: 'google_auth',
  ios: 'apple_auth',
  facebook: 'facebook_auth',
  twitter: 'twitter_auth',
  vk: 'vk_auth',
  huawei: 'huawei_auth',
};
type LoginKind = keyof typeof AUTH;
const KINDS = Object.keys(AUTH) as LoginKind[];
const NAMES = { google: 'google', ios: 'apple', facebook: 'facebook', twitter: 'twitter', vk: 'vk', huawei: 'huawei' };
type UserInfo = { username: string; suid: string; oauth_token: string; gp_id: string };
type LoginStart = { url: string; state: string; redirect_uri: string };
type LoginMessage = { state: string; error: string | null; fields: Record<string, string> };
const WHO = `/util/login/get_user_info?client_id=${CLIENT}`;

let dataDir: string;
let simulators: Simulators;
let shop: TestShop;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'refill-logins-'));
  simulators = await startSimulators({ port: 0, dataDir, shopUrl: 'http://127.0.0.1:1', durable: false });
  shop = await createTestShop({
    environment: { ...simulators.environment, REFILL_LOGIN_VK_DEMO_TOKEN_LOGIN: '1' },
  });
}, 60_000);
afterAll(async () => {
  await shop.close();
  await simulators.close();
  rmSync(dataDir, { recursive: true });
});
beforeEach(async () => {
  for (const name of Object.values(NAMES))
    await fetch(`${simulators.url}/control/login/${name}/faults`, { method: 'DELETE' });
});

/** One browser at the shop: its attempt cookie and its session. */
type Browser = { attempt: string; session: string; brand: string };
const newBrowser = (brand = 'watt'): Browser => ({ attempt: '', session: '', brand });

async function post<Content>(browser: Browser, path: string, body: object): Promise<Answered<Content>> {
  const cookie = [
    browser.attempt && `refill-demo-login=${browser.attempt}`,
    browser.session && `refill-demo=${browser.session}`,
  ].filter(Boolean);
  const answer = await shop.post<Content>(path, body, { brand: browser.brand, headers: { cookie: cookie.join('; ') } });
  for (const { name, value } of answer.cookies as { name: string; value: string }[]) {
    if (name === 'refill-demo-login') browser.attempt = value;
    if (name === 'refill-demo') browser.session = value;
  }
  return answer;
}

const start = (browser: Browser, kind: LoginKind, more: object = {}) =>
  post<LoginStart>(browser, '/util/login/start', { kind, client_id: CLIENT, ...more });

/** Opens the callback page after the provider has sent the player to it, and reads its message. */
async function openCallback({ url, form }: Landing): Promise<{
  message: LoginMessage;
  display: string;
  returnTo: string;
  authPath: string;
  headers: Record<string, unknown>;
}> {
  const { host, pathname, search } = new URL(url);
  const answer = await shop.app.inject({
    method: form ? 'POST' : 'GET',
    url: pathname + search,
    headers: {
      host,
      ...(form
        ? {
            'content-type': 'application/x-www-form-urlencoded',
            origin: 'https://appleid.apple.com',
            'sec-fetch-site': 'cross-site',
          }
        : {}),
    },
    ...(form ? { payload: new URLSearchParams(form).toString() } : {}),
  });
  expect(answer.statusCode).toBe(200);
  const block = /<script type="application\/json" id="login">(.*?)<\/script>/s.exec(answer.body)?.[1] ?? '';
  return { ...JSON.parse(block), headers: answer.headers };
}

/** From the button to the message that the page gets. */
async function walk(browser: Browser, kind: LoginKind, name: string | null, more: object = {}) {
  const begun = await start(browser, kind, more);
  expect(begun).toMatchObject({ status: 200, code: 1 });
  const landing = await walkLogin(begun.content.url, name);
  return { begun: begun.content, ...(await openCallback(landing)) };
}

const finish = (browser: Browser, kind: LoginKind, fields: object) =>
  post<UserInfo>(browser, `/util/login/${AUTH[kind]}`, fields);

async function logIn(kind: LoginKind, name: string, brand = 'watt') {
  const browser = newBrowser(brand);
  const { message } = await walk(browser, kind, name);
  return { browser, answer: await finish(browser, kind, message.fields) };
}
const who = ({ session, brand }: Browser) =>
  shop.get<UserInfo>(WHO, { session: { token: session, brand } as TestPlayer });
const failing = (kind: LoginKind, on: string, fault: string) =>
  fetch(`${simulators.url}/control/login/${NAMES[kind]}/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ on, fault, times: 1 }),
  });
const refused = { status: 200, code: -1041, content: null };
const lastReason = () => shop.logLines.findLast((line) => line.includes('login_refused')) ?? '';

test('the configuration shows all six where the brand has them', async () => {
  const { content } = await shop.get<Record<string, unknown>>('/util/login/login_config');
  expect(content).toMatchObject({
    json_type: ['google', 'ios', 'facebook', 'twitter', 'vk', 'huawei'],
    fb_id: '100000000001',
    gg_id: 'watt-web.apps.googleusercontent.com',
    ios_id: 'example.watt.shop',
    vk_id: '51000001',
    twitterHtml: 'http://watt.demo.localhost:8080/util/login/callback/twitter',
  });
  const ru = await shop.get<Record<string, unknown>>('/util/login/login_config', { brand: 'ru' });
  expect(ru.content).toMatchObject({ json_type: ['vk', 'google'], fb_id: '', twitterHtml: '' });
});

describe.each(KINDS)('%s', (kind) => {
  test('logs a player in, the same one every time', async () => {
    const first = await logIn(kind, 'Ada Lovelace');
    expect(first.answer).toMatchObject({ status: 200, code: 1 });
    expect(first.answer.content.gp_id).toBe(CLIENT);
    expect(first.answer.content.suid).toMatch(new RegExp(`^${NAMES[kind]}-.{5,}$`));
    // Apple is not asked for a name.
    expect(first.answer.content.username).toMatch(kind === 'ios' ? /^Player \d{4}$/ : /^Ada Lovelace$/);
    expect(first.answer.text).not.toContain('rf1_');
    expect((await who(first.browser)).content).toEqual(first.answer.content);
    const again = await logIn(kind, 'ada lovelace');
    expect(again.answer.content.suid).toBe(first.answer.content.suid);
    expect(again.answer.content.oauth_token).not.toBe(first.answer.content.oauth_token);
    expect((await logIn(kind, 'Somebody Else')).answer.content.suid).not.toBe(first.answer.content.suid);
  });

  test('a player who presses Cancel comes back without anything', async () => {
    const { message } = await walk(newBrowser(), kind, null);
    expect(message).toMatchObject({ type: 'refill-login', kind, error: 'cancelled', fields: {} });
  });

  test('an attempt is good once, in the browser that began it, of its kind, in its time', async () => {
    const mine = newBrowser();
    const { message } = await walk(mine, kind, 'Once');
    // Somebody else's browser, with an attempt of its own or none.
    const theirs = newBrowser();
    expect(await finish(theirs, kind, message.fields)).toMatchObject(refused);
    await start(theirs, kind);
    expect(await finish(theirs, kind, message.fields)).toMatchObject(refused);
    expect(theirs.session).toBe('');
    expect((await finish(mine, kind, message.fields)).code).toBe(1);
    const { session } = mine;
    expect(await finish(mine, kind, message.fields)).toMatchObject(refused);
    expect(mine.session).toBe(session);

    const late = await walk(mine, kind, 'Late');
    await shop.db.query(`update login_attempt set expires_at = now() where used_at is null`);
    expect(await finish(mine, kind, late.message.fields)).toMatchObject(refused);
  });

  test('a code of another login, or used before, opens nothing', async () => {
    const used = newBrowser();
    const first = await walk(used, kind, 'Replay');
    expect((await finish(used, kind, first.message.fields)).code).toBe(1);
    const other = newBrowser();
    const second = await walk(other, kind, 'Victim');
    const { state, oauth_token: token } = second.message.fields;
    // The attacker's answer under the victim's own attempt: login CSRF.
    const mixed = { ...first.message.fields, ...(state ? { state } : {}), ...(token ? { oauth_token: token } : {}) };
    expect(await finish(other, kind, mixed)).toMatchObject(refused);
    expect(other.session).toBe('');
  });

  test('a provider that is away, silent for a moment or babbling is not waited for, and the answer says no more than usual', async () => {
    for (const fault of ['error500', 'html', 'reset']) {
      const browser = newBrowser();
      const { message } = await walk(browser, kind, 'Down');
      await failing(kind, 'token', fault);
      expect(await finish(browser, kind, message.fields)).toMatchObject(refused);
    }
  });

  test('under /api/ingame it takes game_id and lives a day', async () => {
    const browser = newBrowser();
    const begun = await post<LoginStart>(browser, '/api/ingame/start', { kind, game_id: 'starlane' });
    expect(begun.code).toBe(1);
    const { message, authPath } = await openCallback(await walkLogin(begun.content.url, 'Ingame'));
    expect(authPath).toBe(`/api/ingame/${AUTH[kind]}`);
    // Begun for a make-up payment, it ends nowhere else.
    const copy = { ...browser };
    expect(await finish(copy, kind, message.fields)).toMatchObject(refused);
    const second = await post<LoginStart>(browser, '/api/ingame/start', { kind, game_id: 'starlane' });
    const landed = await openCallback(await walkLogin(second.content.url, 'Ingame'));
    const answer = await post<UserInfo>(browser, authPath, { ...landed.message.fields, game_id: 'starlane' });
    expect(answer.code).toBe(1);
    expect(answer.headers['set-cookie']).toContain('Max-Age=86400');
    const { rows } = await shop.db.query('select kind, auth_method from session where public_id = $1', [
      answer.content.oauth_token,
    ]);
    expect(rows).toEqual([{ kind: 'replenish', auth_method: NAMES[kind] }]);
  });
});

describe('the answer of the browser', () => {
  test.each([
    ['no state', { state: undefined }],
    ['an invented state', { state: 'A'.repeat(43) }],
    ['another redirect_uri', { redirect_uri: 'http://watt.demo.localhost/elsewhere' }],
    ['another game', { client_id: '70011' }],
    ['the package of another brand', { pkg: 'example.dragon.shop' }],
    ['the issuer of another provider (mix-up)', { iss: 'https://issuer.example' }],
  ])('%s is refused', async (_name, change) => {
    const browser = newBrowser();
    const { message } = await walk(browser, 'google', 'Tampered');
    expect(await finish(browser, 'google', { ...message.fields, ...change })).toMatchObject(refused);
    expect(browser.session).toBe('');
  });

  test('what the specification sends along fits', async () => {
    const browser = newBrowser();
    const { message, begun } = await walk(browser, 'google', 'Fits');
    const more = { pkg: 'example.watt.shop', client_id: CLIENT, redirect_uri: begun.redirect_uri };
    expect((await finish(browser, 'google', { ...message.fields, ...more })).code).toBe(1);
  });

  test('an attempt of one kind does not end at the route of another', async () => {
    const browser = newBrowser();
    const { message } = await walk(browser, 'google', 'Mixed');
    expect(await finish(browser, 'huawei', message.fields)).toMatchObject(refused);
    expect((await finish(browser, 'google', message.fields)).code).toBe(1);
  });

  test('an attempt of one brand does not end at another', async () => {
    const browser = newBrowser();
    const { message } = await walk(browser, 'google', 'Brands');
    expect(await finish({ ...browser, brand: 'brandEn' }, 'google', message.fields)).toMatchObject(refused);
  });

  test('a foreign page can neither begin nor end a login', async () => {
    const foreign = { 'sec-fetch-site': 'cross-site' };
    const begin = await shop.post('/util/login/start', { kind: 'google', client_id: CLIENT }, { headers: foreign });
    expect(begin).toMatchObject({ status: 403, code: -1015 });
    const end = await shop.post(
      '/util/login/twitter_auth',
      { oauth_token: 'rf1_x', oauth_verifier: 'x' },
      { headers: foreign },
    );
    expect(end).toMatchObject({ status: 403, code: -1015 });
    expect((await shop.get('/util/login/google_auth?authorization_code=x')).status).toBe(404);
  });

  test('without TLS nothing begins on a host on the net', async () => {
    const sent = { host: 'pay-demo.watt.example' };
    const answer = await shop.post('/util/login/start', { kind: 'google', client_id: CLIENT }, sent);
    expect(answer).toMatchObject({ status: 403, code: -1015 });
  });
});

describe('tokens', () => {
  const faults = [
    'other-audience',
    'other-issuer',
    'other-nonce',
    'no-subject',
    'expired',
    'old',
    'bad-signature',
    'unsigned',
  ];
  test.each((['google', 'ios', 'huawei'] as const).flatMap((kind) => faults.map((fault) => [kind, fault] as const)))(
    'of %s: %s is refused',
    async (kind, fault) => {
      const browser = newBrowser();
      const { message } = await walk(browser, kind, 'Tokens');
      await failing(kind, 'token', fault);
      expect(await finish(browser, kind, message.fields)).toMatchObject(refused);
      expect(lastReason()).not.toMatch(/eyJ[\w-]{20}/);
    },
  );

  test('of Apple: code and identity_token of two players are refused, and a token that was changed on the way', async () => {
    const browser = newBrowser();
    const one = await walk(browser, 'ios', 'One');
    await failing('ios', 'token', 'other-subject');
    expect(await finish(browser, 'ios', one.message.fields)).toMatchObject(refused);
    expect(lastReason()).toContain('two players');
    const two = await walk(browser, 'ios', 'Two');
    const token = two.message.fields['identity_token'] ?? '';
    const changed = { ...two.message.fields, identity_token: `${token.slice(0, -6)}AAAAAA` };
    expect(await finish(browser, 'ios', changed)).toMatchObject(refused);
  });

  test.each(['other-app', 'not-valid', 'expired'])('of Facebook: %s is refused', async (fault) => {
    const browser = newBrowser();
    const { message } = await walk(browser, 'facebook', 'Token');
    await failing('facebook', 'debug', fault);
    expect(await finish(browser, 'facebook', message.fields)).toMatchObject(refused);
  });

  test.each(['facebook', 'vk'] as const)('of %s: an owner that differs is refused', async (kind) => {
    const browser = newBrowser();
    const { message } = await walk(browser, kind, 'Owner');
    await failing(kind, kind === 'vk' ? 'info' : 'me', 'other-player');
    expect(await finish(browser, kind, message.fields)).toMatchObject(refused);
  });

  test('the same subject at two providers is two players, and a demo player is none of production', async () => {
    const { rows } = await shop.db.query<{ provider: string }>(
      'select distinct provider from player_identity order by 1',
    );
    expect(rows.map(({ provider }) => provider)).toEqual(['apple', 'facebook', 'google', 'huawei', 'twitter', 'vk']);
  });
});

describe('X', () => {
  test('twitter_redirect is the start by its own name; another callback than ours is refused', async () => {
    const browser = newBrowser();
    const path = '/util/login/twitter_redirect';
    const callback = 'http://watt.demo.localhost:8080/util/login/callback/twitter';
    const begun = await post<LoginStart>(browser, path, { client_id: CLIENT, callback });
    expect(begun).toMatchObject({ code: 1, content: { redirect_uri: callback } });
    const { message } = await openCallback(await walkLogin(begun.content.url, 'By X'));
    expect((await finish(browser, 'twitter', message.fields)).code).toBe(1);
    const elsewhere = await post(browser, path, { client_id: CLIENT, callback: 'https://evil.example/' });
    expect(elsewhere).toMatchObject(refused);
  });

  test('its oauth_token is never read as a session, at its route or on the callback page', async () => {
    const trusting = await createTestShop({
      brands: { watt: { legacyQueryToken: true } },
      environment: simulators.environment,
    });
    try {
      const player = await trusting.logIn();
      const body = { oauth_token: player.token, oauth_verifier: 'x' };
      const headers = { 'x-refill': undefined, 'sec-fetch-site': 'cross-site' };
      // A token of ours would lift the rule for changing calls; here it must not.
      expect((await trusting.post('/util/login/twitter_auth', body, { headers })).code).toBe(-1015);
      expect((await trusting.post(`/util/login/logout`, { oauth_token: player.token }, { headers })).code).toBe(1);
    } finally {
      await trusting.close();
    }
    const opened = await shop.app.inject({
      url: '/util/login/callback/twitter?oauth_token=abc&oauth_verifier=def',
      headers: { host: 'watt.demo.localhost' },
    });
    expect(opened.headers['set-cookie']).toBeUndefined();
  });
});

describe('tokens that a page brings by itself', () => {
  const tokenOfCode = async (url: string, form: Record<string, string>) => {
    const answer = await fetch(url, { method: 'POST', body: new URLSearchParams(form) });
    return (await answer.json()) as { access_token: string; user_id?: number };
  };
  const env = (name: string) => simulators.environment[`REFILL_LOGIN_${name}`] ?? '';

  test('fb_access_token of our app logs in by its attempt; of another app, or invented, it does not', async () => {
    const get = async (clientId: string) => {
      const browser = newBrowser();
      const { content } = await start(browser, 'facebook');
      const dialog = new URL(content.url);
      dialog.searchParams.set('client_id', clientId);
      const landed = new URL((await walkLogin(dialog.href, 'By SDK')).url);
      const { access_token: token } = await tokenOfCode(`${env('FACEBOOK_DEMO_GRAPH_BASE')}/v24.0/oauth/access_token`, {
        client_id: clientId,
        client_secret: env('FACEBOOK_DEMO_APP_SECRET'),
        redirect_uri: content.redirect_uri,
        code: landed.searchParams.get('code') ?? '',
      });
      return { browser, fields: { state: content.state, fb_access_token: token } };
    };
    const ours = await get('100000000001');
    expect(ours.fields.fb_access_token).toMatch(/^EAA/);
    expect((await finish(newBrowser(), 'facebook', ours.fields)).code).toBe(-1041);
    expect((await finish(ours.browser, 'facebook', ours.fields)).code).toBe(1);
    const theirs = await get('666666666666');
    expect(await finish(theirs.browser, 'facebook', theirs.fields)).toMatchObject(refused);
    expect(lastReason()).toContain('another app');
    const none = newBrowser();
    const { content } = await start(none, 'facebook');
    expect(await finish(none, 'facebook', { state: content.state, fb_access_token: 'EAAinvented' })).toMatchObject(
      refused,
    );
    expect(await finish(none, 'facebook', { state: content.state })).toMatchObject(refused);
  });

  test('vk_access_token counts where the operator allows it, and only with the uid of its owner', async () => {
    // The verifier never leaves the shop, so the token is fetched by a page that has a challenge of its own.
    const get = async (from: TestShop) => {
      const browser = newBrowser();
      const answer = await from.post<LoginStart>('/util/login/start', { kind: 'vk', client_id: CLIENT });
      browser.attempt = (answer.cookies as { value: string }[])[0]?.value ?? '';
      const address = new URL(answer.content.url);
      const verifier = 'v'.repeat(50);
      address.searchParams.set('code_challenge', createHash('sha256').update(verifier).digest('base64url'));
      const landed = new URL((await walkLogin(address.href, 'Token Of')).url).searchParams;
      const { access_token: token, user_id: uid } = await tokenOfCode(`${env('VK_DEMO_BASE')}/oauth2/auth`, {
        grant_type: 'authorization_code',
        code: landed.get('code') ?? '',
        code_verifier: verifier,
        device_id: landed.get('device_id') ?? '',
        client_id: address.searchParams.get('client_id') ?? '',
        redirect_uri: answer.content.redirect_uri,
        state: answer.content.state,
      });
      return { browser, fields: { state: answer.content.state, vk_access_token: token, uid: String(uid) } };
    };
    const mine = await get(shop);
    expect((await finish(mine.browser, 'vk', mine.fields)).code).toBe(1);
    const other = await get(shop);
    expect(await finish(other.browser, 'vk', { ...other.fields, uid: '1' })).toMatchObject(refused);
    const careful = await createTestShop({ environment: simulators.environment });
    try {
      const { browser, fields } = await get(careful);
      const cookie = `refill-demo-login=${browser.attempt}`;
      expect(await careful.post('/util/login/vk_auth', fields, { headers: { cookie } })).toMatchObject(refused);
    } finally {
      await careful.close();
    }
  });
});

describe('links', () => {
  const list = (browser: Browser) =>
    shop.get<{ linked: { kind: string; isFounding: boolean }[]; free: string[]; canUnlink: boolean; isFresh: boolean }>(
      '/util/login/identities',
      {
        session: { token: browser.session, brand: browser.brand } as TestPlayer,
      },
    );
  const link = async (browser: Browser, kind: LoginKind, name: string) => {
    const { message } = await walk(browser, kind, name, { purpose: 'link' });
    return finish(browser, kind, message.fields);
  };

  test('a second identity opens the same account; the last one stays; what is unlinked ends its sessions', async () => {
    const { browser, answer } = await logIn('google', 'Linker');
    expect((await list(browser)).content).toMatchObject({
      linked: [{ kind: 'google' }],
      canUnlink: false,
      isFresh: true,
    });
    expect(await post(browser, '/util/login/unlink', { kind: 'google' })).toMatchObject({ code: -1044 });

    const linked = await link(browser, 'vk', 'Linker of VK');
    expect(linked).toMatchObject({ code: 1, cookies: [], content: { suid: answer.content.suid } });
    const byVk = await logIn('vk', 'Linker of VK');
    expect(byVk.answer.content.suid).toBe(answer.content.suid);
    expect((await list(browser)).content).toMatchObject({
      canUnlink: true,
      free: ['ios', 'facebook', 'twitter', 'huawei'],
    });

    expect((await post(browser, '/util/login/unlink', { kind: 'vk' })).code).toBe(1);
    expect((await who(byVk.browser)).code).toBe(-600);
    expect((await who(browser)).code).toBe(1);
    expect((await logIn('vk', 'Linker of VK')).answer.content.suid).not.toBe(answer.content.suid);
  });

  test('an identity of another account, or a second one of the same kind, is not taken', async () => {
    const owner = await logIn('facebook', 'Taken');
    const other = await logIn('google', 'Taker');
    expect(await link(other.browser, 'facebook', 'Taken')).toMatchObject({ code: -1043, content: null });
    expect((await logIn('facebook', 'Taken')).answer.content.suid).toBe(owner.answer.content.suid);
    expect(await start(other.browser, 'google', { purpose: 'link' })).toMatchObject({ code: -1043 });
    // Two attempts begun side by side: the second finds the first one's link.
    const [one, two] = [
      await walk(other.browser, 'huawei', 'H1', { purpose: 'link' }),
      await walk(other.browser, 'huawei', 'H2', { purpose: 'link' }),
    ];
    expect((await finish(other.browser, 'huawei', one.message.fields)).code).toBe(1);
    expect((await finish(other.browser, 'huawei', two.message.fields)).code).toBe(-1043);
  });

  test('asks for a login of the last half hour, of a person and not of a card', async () => {
    expect((await start(newBrowser(), 'google', { purpose: 'link' })).code).toBe(-600);
    const { browser, answer } = await logIn('google', 'Stale');
    const begun = await walk(browser, 'vk', 'Stale', { purpose: 'link' });
    const change = (text: string) =>
      shop.db.query(`update session set ${text} where public_id = $1`, [answer.content.oauth_token]);
    await change(`created_at = now() - interval '31 minutes'`);
    expect((await start(browser, 'facebook', { purpose: 'link' })).code).toBe(-1045);
    expect((await post(browser, '/util/login/unlink', { kind: 'google' })).code).toBe(-1045);
    expect((await finish(browser, 'vk', begun.message.fields)).code).toBe(-1045);
    await change(`created_at = now(), auth_method = 'card'`);
    expect((await start(browser, 'facebook', { purpose: 'link' })).code).toBe(-1045);
  });

  test('ends with who began it: another account in the same browser meanwhile gets nothing', async () => {
    const { browser } = await logIn('google', 'Began');
    const { message } = await walk(browser, 'vk', 'Began', { purpose: 'link' });
    const second = await walk(browser, 'facebook', 'Meanwhile');
    expect((await finish(browser, 'facebook', second.message.fields)).code).toBe(1);
    expect((await finish(browser, 'vk', message.fields)).code).toBe(-600);
  });

  test('the identity that the user id was made of stays linked; what was linked later can go', async () => {
    const { browser, answer } = await logIn('google', 'Founder');
    expect((await link(browser, 'facebook', 'Later')).code).toBe(1);
    expect((await list(browser)).content).toMatchObject({
      linked: [
        { kind: 'google', isFounding: true },
        { kind: 'facebook', isFounding: false },
      ],
      canUnlink: true,
    });
    expect(await post(browser, '/util/login/unlink', { kind: 'google' })).toMatchObject({ code: -1047, content: null });
    expect((await logIn('google', 'Founder')).answer.content.suid).toBe(answer.content.suid);
    expect((await post(browser, '/util/login/unlink', { kind: 'facebook' })).code).toBe(1);
    const { rows } = await shop.db.query('select from player where suid = $1', [answer.content.suid]);
    expect(rows).toHaveLength(1);
  });

  test('taken away by an earlier version, it leads back to its player: limits, pause and block go on', async () => {
    const { browser, answer } = await logIn('google', 'Mallory');
    const { suid } = answer.content;
    expect((await post(browser, '/api/spending/pause', { days: 30 })).code).toBe(1);
    const { rows: players } = await shop.db.query<{ player_id: string }>(
      'select player_id from player where suid = $1',
      [suid],
    );
    const mallory = players[0]?.player_id;
    expect((await link(browser, 'facebook', 'Throwaway')).code).toBe(1);
    const takeAway = () =>
      shop.db.query(`delete from player_identity where player_id = $1 and provider = 'google'`, [mallory]);
    await takeAway();
    // Nobody else can have it meanwhile.
    const other = await logIn('vk', 'Stranger to Mallory');
    expect((await link(other.browser, 'google', 'Mallory')).code).toBe(-1043);
    const again = await logIn('google', 'Mallory');
    expect(again.answer.content.suid).toBe(suid);
    const state = await shop.get<{ paused_until: number }>('/api/spending/state', {
      session: { token: again.browser.session, brand: 'watt' } as TestPlayer,
    });
    expect(state.content.paused_until).toBeGreaterThan(Date.now() / 1000);
    await takeAway();
    await shop.db.query('update player set disabled_at = now() where player_id = $1', [mallory]);
    expect((await logIn('google', 'Mallory')).answer).toMatchObject(refused);
    expect((await shop.db.query('select from player where suid = $1', [suid])).rows).toHaveLength(1);
  });

  test('a password account may link and let go; a disabled one is let in by nothing', async () => {
    const player = await shop.logIn();
    await shop.db.query(`insert into player_identity values ('watt', 'builtin', $1, $2)`, [
      player.username,
      player.playerId,
    ]);
    const browser: Browser = { ...newBrowser(), session: player.token };
    expect((await link(browser, 'huawei', 'Password')).content.suid).toBe(player.suid);
    expect((await list(browser)).content).toMatchObject({ linked: [{ kind: 'huawei' }], canUnlink: true });
    await shop.db.query('update player set disabled_at = now() where player_id = $1', [player.playerId]);
    expect((await logIn('huawei', 'Password')).answer).toMatchObject(refused);
  });
});

describe('brands whose games keep the accounts', () => {
  const begin = async (name: string) => {
    const browser = newBrowser('dragon');
    const client = shop.configuration.games.get('emberfall' as never)?.file.clients.web;
    const begun = await post<LoginStart>(browser, '/util/login/start', { kind: 'google', client_id: client });
    const { message } = await openCallback(await walkLogin(begun.content.url, name));
    return { browser, message };
  };

  test('ask the game whose identity it is; one that knows none says so', async () => {
    const stranger = await begin('Stranger');
    expect((await finish(stranger.browser, 'google', stranger.message.fields)).code).toBe(-1042);
    shop.game.script.identify = (provider, subject) => ({
      kind: 'ok',
      userId: `g-${provider}-${subject.length}`,
      username: 'Of the game',
    });
    const known = await begin('Known');
    const answer = await finish(known.browser, 'google', known.message.fields);
    expect(answer).toMatchObject({ code: 1, content: { suid: 'g-google-21', username: 'Of the game' } });
    const again = await begin('Known');
    expect((await finish(again.browser, 'google', again.message.fields)).content.suid).toBe('g-google-21');
    const { rowCount } = await shop.db.query(`select from player where suid = 'g-google-21'`);
    expect(rowCount).toBe(1);
    shop.game.script.isDown = true;
    const down = await begin('Known');
    expect(await finish(down.browser, 'google', down.message.fields)).toMatchObject(refused);
    shop.game.reset();
  });
});

describe('the callback page', () => {
  test('keeps its opener, runs its own script only, and shows nothing of what came in its code', async () => {
    const browser = newBrowser();
    const { headers, display, returnTo } = await walk(browser, 'google', 'Page', {
      display: 'page',
      return_to: '/my?client_id=70021&oauth_token=rf1_x',
    });
    expect({ display, returnTo }).toEqual({ display: 'page', returnTo: '/my?client_id=70021' });
    expect(headers['cross-origin-opener-policy']).toBe('unsafe-none');
    expect(headers['content-security-policy']).toMatch(
      /default-src 'none'; script-src 'nonce-[^']+';.*frame-ancestors 'none'/,
    );
    expect(headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' });
    expect(headers['set-cookie']).toBeUndefined();
  });

  test.each(['//evil.example/', 'https://evil.example/', '/\\evil.example', 'javascript:alert(1)'])(
    'never leads to %s',
    async (returnTo) => {
      const { returnTo: kept } = await walk(newBrowser(), 'vk', 'Away', { display: 'page', return_to: returnTo });
      expect(new URL(kept, 'http://watt.demo.localhost').origin).toBe('http://watt.demo.localhost');
      expect(kept).not.toContain('evil.example/');
    },
  );

  test('of an unknown kind, of a host that is nobody’s, or posted to where nothing is posted, is not found', async () => {
    const ask = (url: string, method: 'GET' | 'POST' = 'GET', host = 'watt.demo.localhost') =>
      shop.app.inject({ method, url, headers: { host, 'content-type': 'application/x-www-form-urlencoded' } });
    expect((await ask('/util/login/callback/myspace')).statusCode).toBe(404);
    expect((await ask('/util/login/callback/google', 'GET', 'nobody.example')).statusCode).toBe(404);
    expect((await ask('/util/login/callback/google', 'POST')).statusCode).toBe(404);
    const odd = await ask(
      `/util/login/callback/google?code=${encodeURIComponent('</script><script>alert(1)')}&state=x`,
    );
    expect(odd.body).not.toContain('</script><script>alert');
  });
});

test('no log line holds a code, a token, a state or a secret', async () => {
  const browser = newBrowser();
  const { message } = await walk(browser, 'ios', 'Logged');
  await failing('ios', 'token', 'bad-signature');
  await finish(browser, 'ios', message.fields);
  const all = shop.logLines.join('\n');
  for (const secret of [...Object.values(message.fields), browser.attempt]) expect(all).not.toContain(secret);
});

test('an address begins thirty logins a minute at most', async () => {
  const limited = await createTestShop({ environment: { ...simulators.environment, REFILL_LOGINS_PER_MINUTE: '20' } });
  try {
    const codes: number[] = [];
    for (let n = 0; n < 32; n += 1) {
      codes.push((await limited.post('/util/login/start', { kind: 'facebook', client_id: CLIENT })).code);
    }
    expect(codes).toEqual([...Array<number>(30).fill(1), -1003, -1003]);
  } finally {
    await limited.close();
  }
});
