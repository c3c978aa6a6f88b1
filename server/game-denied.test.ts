// A game that refuses our signature is noticed: by a line of the log, `cannot_sell` and the metric.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { metricsPart } from '#server/operator/metrics-part.ts';
import { createOperatorServer } from '#server/operator/operator-server.ts';
import { type TestShop, createTestShop, credentials } from '#testing/shop.ts';

const TOKEN = 'operator-token-of-many-letters';
const EMBERFALL = '70013';
let status = 401;
let answer = '{}';
const game = createServer((request, reply) => {
  request.resume();
  reply.writeHead(status, { 'content-type': 'application/json' }).end(answer);
});
let shop: TestShop;
beforeAll(async () => {
  await new Promise<void>((resolve) => {
    game.listen(0, '127.0.0.1', resolve);
  });
  shop = await createTestShop({
    hasOwnGames: true,
    environment: {
      REFILL_OPERATOR_TOKEN: TOKEN,
      REFILL_GAME_EMBERFALL_DEMO_URL: `http://127.0.0.1:${(game.address() as AddressInfo).port}`,
      REFILL_GAME_EMBERFALL_DEMO_SECRETS: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
    },
  });
});
afterAll(async () => {
  await shop.close();
  game.close();
});

const logIn = () => shop.post('/util/login/auth', credentials('anna', 'a password', EMBERFALL), { brand: 'dragon' });
const reasons = () =>
  (shop.services.cannotSell().find(({ brand }) => brand === 'dragon')?.reasons ?? []).filter((reason) =>
    reason.startsWith('game emberfall '),
  );
const scrape = async () => {
  const app = createOperatorServer(shop.services, [metricsPart(shop.services)]);
  const { body } = await app.inject({ url: '/metrics', headers: { authorization: `Bearer ${TOKEN}` } });
  await app.close();
  return (name: string) =>
    body
      .split('\n')
      .find((line) => line.startsWith(name))
      ?.split(' ')
      .at(-1);
};

test('the first refused call is enough, and the first accepted one ends it', async () => {
  expect(reasons()).toEqual([]);
  expect(await logIn()).toMatchObject({ status: 503 });
  expect(reasons()).toEqual(['game emberfall refuses our signature (401 or 403)']);
  const lines = () => shop.logLines.filter((line) => line.includes('the game did not answer a login'));
  expect(lines()).toHaveLength(1);
  expect(JSON.parse(lines()[0] ?? '')).toMatchObject({
    game: 'emberfall',
    reason: 'the game answered 401 to authenticate',
  });
  const read = await scrape();
  expect(read('refill_game_unreachable{game="emberfall"}')).toBe('1');
  expect(Number(read('refill_brand_cannot_sell{brand="dragon"}'))).toBeGreaterThan(0);
  for (let n = 0; n < 8; n += 1) await logIn();
  expect(lines()).toHaveLength(5);

  [status, answer] = [200, '{"ok":true,"user_id":"u1","username":"Anna"}'];
  await logIn();
  expect(reasons()).toEqual([]);
  expect((await scrape())('refill_game_unreachable{game="emberfall"}')).toBe('0');
});
