// Who may read the answers of a backup host: pages of the same brand and mode, exactly; and never with a cookie.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestShop, createTestShop } from '#testing/shop.ts';
import { readPageOrigin } from './backup-host.ts';

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
  const backup = { host: 'pay2.watt.example' };
  const page = { origin: 'https://pay.watt.example', 'sec-fetch-site': 'cross-site' };
  let shop: TestShop;
  beforeAll(async () => {
    shop = await createTestShop({ brands: { watt: { backupHosts: ['pay2.watt.example', 'pay-demo.watt.example'] } } });
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
    const headers = { origin: 'http://watt.demo.localhost:8080' };
    const answer = await shop.get(READ, { host: 'pay-demo.watt.example', headers });
    expect(answer.headers['access-control-allow-origin']).toBe(headers.origin);
  });

  test('takes a change from a stranger no more than any host, and by Bearer as everywhere', async () => {
    const player = await shop.logIn();
    const pay = { client_id: '70021', server_id: 's1', role_id: 'r1', product_id: 'none' };
    const cookie = { ...page, cookie: `__Host-refill=${player.token}` };
    expect((await shop.post('/api/pay/paypal_pay', pay, { ...backup, headers: cookie })).code).toBe(-1015);
    const bearer = { ...page, authorization: `Bearer ${player.token}` };
    expect((await shop.post('/api/pay/paypal_pay', pay, { ...backup, headers: bearer })).code).toBe(-1007);
  });

  test('is the only one: the brand’s own hosts name no other origin, whoever asks', async () => {
    for (const host of ['pay.watt.example', 'watt.demo.localhost'])
      for (const origin of [page.origin, 'https://pay2.watt.example', 'https://evil.example']) {
        const { headers } = await shop.get(READ, { host, headers: { origin } });
        expect(headers['access-control-allow-origin']).toBeUndefined();
      }
  });
});
