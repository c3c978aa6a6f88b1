// One number for a request: in the answer, in every line of the log that it brings about, and in its own line.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PAY, PAY_BODY } from '#testing/pay.ts';
import { type TestShop, createTestShop } from '#testing/shop.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await createTestShop({ environment: { REFILL_ACCESS_LOG: 'on' } });
});
afterAll(() => shop.close());

const ID = '0af7651916cd43dd8448eb211c80319c';
const linesOf = (id: string) =>
  shop.logLines.map((line) => JSON.parse(line) as Record<string, unknown>).filter((line) => line['request'] === id);

test('the number that a page gives is kept, and made up when it gives none or another text', async () => {
  const ask = (id?: string) => shop.get('/api/system/getGameListV2', { headers: { 'x-request-id': id } });
  expect((await ask(ID)).headers['x-request-id']).toBe(ID);
  for (const other of [undefined, 'x', ID.toUpperCase(), `${ID}0`, '0'.repeat(32)]) {
    const made = (await ask(other)).headers['x-request-id'];
    expect(made).toMatch(/^[0-9a-f]{32}$/);
    expect(made).not.toBe(other);
  }
});

test('a refused call, whose body was read, names its request in its line', async () => {
  const id = ID.replaceAll('0', '1');
  await shop.post(PAY, PAY_BODY, { headers: { 'x-request-id': id, 'sec-fetch-site': 'cross-site' } });
  expect(linesOf(id).map((line) => line['security'] ?? line['msg'])).toContain('change_refused');
});

test('the access log has method, host, path, status and time; no query, no address', async () => {
  const id = ID.replaceAll('a', 'b');
  await shop.get('/api/system/getGameListV2?oauth_token=rf1_secret&x=1', {
    headers: { 'x-request-id': id },
    remoteAddress: '203.0.113.77',
  });
  const [line] = linesOf(id).filter((one) => one['msg'] === 'answered');
  expect(line?.['access']).toEqual({
    method: 'GET',
    host: 'watt.demo.localhost',
    path: '/api/system/getGameListV2',
    status: expect.any(Number),
    ms: expect.any(Number),
  });
  expect(JSON.stringify(line)).not.toMatch(/rf1_secret|203\.0\.113\.77|x=1/);
});

test('there is no such line unless it is wanted', async () => {
  const quiet = await createTestShop();
  await quiet.get('/api/system/getGameListV2');
  expect(quiet.logLines.filter((line) => line.includes('"answered"'))).toEqual([]);
  await quiet.close();
});
