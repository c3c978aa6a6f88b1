// Which host a call goes to, and what goes with it: a backup hears only what anybody may ask.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { accountRoutes } from '#contracts/accounts.ts';
import type { PageData } from '#contracts/boot.ts';
import { catalogueRoutes } from '#contracts/catalogue.ts';
import { payRoutes } from '#contracts/payments.ts';
import { call } from './api.ts';
import { setBoot } from './boot.ts';
import { currentHost, goToNextHost } from './hosts.ts';

const asked: { url: string; init: RequestInit }[] = [];
beforeEach(() => {
  asked.length = 0;
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  });
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    asked.push({ url, init });
    return Response.json({ code: 1, msg: '', content: {} });
  });
  setBoot({ language: 'en', brand: { backupHosts: ['b1.example'] } } as unknown as PageData);
  goToNextHost();
});
afterEach(() => vi.unstubAllGlobals());

test('a backup host is asked what anybody may read, without a cookie', async () => {
  expect(currentHost()).toBe('https://b1.example');
  await call(catalogueRoutes.goods, { client_id: '70021' });
  expect(asked[0]?.url).toMatch(/^https:\/\/b1\.example\/api\//);
  expect(asked[0]?.init).toMatchObject({ method: 'GET', credentials: 'omit' });
  expect(asked[0]?.init.headers).toBeUndefined();
});

test.each([
  ['who is logged in', () => call(accountRoutes.getUserInfo, {})],
  ['a login', () => call(accountRoutes.login, { username: 'x', password: 'y', client_id: '70021' })],
  [
    'a payment',
    () => call(payRoutes.paypal_pay, { client_id: '70021', server_id: 's', role_id: 'r', product_id: 'p' }),
  ],
])('%s is our own host’s business', async (_name, send) => {
  await send();
  expect(asked[0]?.url).toMatch(/^\/(?:api|util)\//);
  expect(asked[0]?.init.credentials).toBe('same-origin');
});
