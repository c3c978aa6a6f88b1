// Which host a call goes to, and what goes with it: a backup hears what anybody may ask, and of a
// player what a token stands for.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { accountRoutes } from '#contracts/accounts.ts';
import type { PageData } from '#contracts/boot.ts';
import { catalogueRoutes } from '#contracts/catalogue.ts';
import { CODES } from '#contracts/errors.ts';
import { payRoutes } from '#contracts/payments.ts';
import { sessionRoutes } from '#contracts/sessions.ts';
import { call } from './api.ts';
import { setBoot } from '../boot.ts';
import { backupToken, currentHost, goToNextHost, keepBackupToken } from './hosts.ts';

const asked: { url: string; init: RequestInit }[] = [];
let answer: () => Response;
beforeEach(() => {
  asked.length = 0;
  answer = () => Response.json({ code: 1, msg: '', content: {} });
  keepBackupToken(null);
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  });
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    asked.push({ url, init });
    return answer();
  });
  setBoot({ language: 'en', brand: { backupOrigins: ['https://b1.example'] } } as unknown as PageData);
  vi.stubGlobal('location', { search: '' });
  goToNextHost();
});
afterEach(() => vi.unstubAllGlobals());

test('a backup host is asked what anybody may read, without a cookie', async () => {
  expect(currentHost()).toBe('https://b1.example');
  await call(catalogueRoutes.goods, { client_id: '70021' });
  expect(asked[0]?.url).toMatch(/^https:\/\/b1\.example\/api\//);
  expect(asked[0]?.init).toMatchObject({ method: 'GET', credentials: 'omit' });
  expect(asked[0]?.init.headers).toEqual({});
});

test.each([
  ['who is logged in', () => call(accountRoutes.getUserInfo, {})],
  ['a login', () => call(accountRoutes.login, { username: 'x', password: 'y', client_id: '70021' })],
  [
    'a payment',
    () => call(payRoutes.paypal_pay, { client_id: '70021', server_id: 's', role_id: 'r', product_id: 'p' }),
  ],
])('%s is our own host’s business while no token stands for the player', async (_name, send) => {
  await send();
  expect(asked[0]?.url).toMatch(/^\/(?:api|util)\//);
  expect(asked[0]?.init.credentials).toBe('same-origin');
});

const payment = () =>
  call(
    payRoutes.paypal_pay,
    { client_id: '70021', server_id: 's', role_id: 'r', product_id: 'p' },
    { idempotencyKey: 'key-of-the-order' },
  );

test('with a token a player’s calls go to the backup host, by Bearer and without a cookie', async () => {
  keepBackupToken('rh1_x', 60);
  await call(accountRoutes.getUserInfo, {});
  await payment();
  expect(asked.map(({ url }) => new URL(url).origin)).toEqual(['https://b1.example', 'https://b1.example']);
  expect(asked[0]?.init).toMatchObject({
    method: 'GET',
    credentials: 'omit',
    headers: { Authorization: 'Bearer rh1_x' },
  });
  expect(asked[1]?.init).toMatchObject({
    method: 'POST',
    credentials: 'omit',
    headers: {
      Authorization: 'Bearer rh1_x',
      'X-Refill': '1',
      'Content-Type': 'application/json',
      'Idempotency-Key': 'key-of-the-order',
    },
  });
});

test('what needs a cookie, and the token itself, stay with our own host all the same', async () => {
  keepBackupToken('rh1_x', 60);
  await call(accountRoutes.login, { username: 'x', password: 'y', client_id: '70021' });
  await call(accountRoutes.logout, {});
  await call(sessionRoutes.backupToken, {});
  expect(asked.map(({ url }) => url)).toEqual(['/util/login/auth', '/util/login/logout', '/util/login/backup_token']);
  for (const { init } of asked) expect(new Headers(init.headers).get('Authorization')).toBeNull();
});

test('a token that is over is not shown, and none ever to our own host', async () => {
  keepBackupToken('rh1_x', -1);
  expect(backupToken()).toBeNull();
  await call(accountRoutes.getUserInfo, {});
  goToNextHost();
  keepBackupToken('rh1_x', 60);
  await call(accountRoutes.getUserInfo, {});
  for (const { url, init } of asked) {
    expect(url).toMatch(/^\/util\//);
    expect(init.headers).toEqual({ 'X-Request-Id': expect.stringMatching(/^[0-9a-f]{32}$/) });
  }
});

test('a backup host that only the browser’s storage names is none', async () => {
  localStorage.setItem(
    'refill.backup_api',
    JSON.stringify({ value: 'https://evil.example', until: Date.now() + 60_000 }),
  );
  keepBackupToken('rh1_x', 60);
  await call(accountRoutes.getUserInfo, {});
  await call(catalogueRoutes.goods, { client_id: '70021' });
  for (const { url } of asked) expect(url).toMatch(/^\//);
});

const lost = { code: CODES.notLoggedIn.code, msg: 'log in', content: null };
test.each([
  ['"not logged in"', () => Response.json(lost)],
  ['a 401', () => Response.json({ code: -9999, msg: '', content: null }, { status: 401 })],
])('%s of a backup host is no lost login: the token goes, the player stays', async (_name, said) => {
  keepBackupToken('rh1_x', 60);
  answer = said;
  expect(await payment()).toMatchObject({ kind: 'network' });
  expect(backupToken()).toBeNull();
});

test('of our own host it is one', async () => {
  answer = () => Response.json(lost);
  expect(await call(accountRoutes.getUserInfo, {})).toMatchObject({ kind: 'code', name: 'notLoggedIn' });
});

test.each([
  ['?idfv=IDFV-1&client_id=70021', 'IDFV-1'],
  ['?idfv=first&idfv=last', 'last'],
  [`?idfv=${'x'.repeat(128)}`, 'x'.repeat(128)],
  // One more is more than any call takes: better none than a call refused.
  [`?idfv=${'x'.repeat(129)}`, null],
  ['?idfv=', null],
  ['', null],
])('L139 every call carries the language, and idfv when the address has one: %s', async (search, idfv) => {
  vi.stubGlobal('location', { search });
  await call(catalogueRoutes.goods, { client_id: '70021' });
  await payment();
  const [read, change] = asked;
  const query = new URL(read?.url ?? '', 'https://own.example').searchParams;
  const body = JSON.parse(String(change?.init.body)) as Record<string, string>;
  expect([query.get('spec_lang'), body.spec_lang]).toEqual(['en', 'en']);
  expect([query.get('idfv'), body.idfv ?? null]).toEqual([idfv, idfv]);
});

test('L139 the session goes with every call of the page, as the cookie that stands for oauth_token', async () => {
  setBoot({ language: 'en', brand: { backupOrigins: [] as string[] } } as unknown as PageData);
  await call(catalogueRoutes.goods, { client_id: '70021' });
  await payment();
  expect(asked.map(({ init }) => init.credentials)).toEqual(['same-origin', 'same-origin']);
  expect(asked.some(({ url }) => url.includes('oauth_token'))).toBe(false);
});

test('a call that got no answer names its request, each another, and none at a backup host', async () => {
  answer = () => new Response('<h1>Bad gateway</h1>', { status: 502 });
  const atBackup = await call(catalogueRoutes.goods, { client_id: '70021' });
  expect(atBackup).toEqual({ kind: 'network', path: catalogueRoutes.goods.path, status: 502 });
  goToNextHost();
  const [one, two] = [await call(accountRoutes.getUserInfo, {}), await call(accountRoutes.getUserInfo, {})];
  const sent = asked.slice(1).map(({ init }) => new Headers(init.headers).get('X-Request-Id'));
  expect([one, two].map((outcome) => outcome.kind === 'network' && outcome.request)).toEqual(sent);
  expect(new Set(sent).size).toBe(2);
});
