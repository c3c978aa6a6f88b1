// Pictures over HTTP on the shipped configuration: named by what they hold, kept by browsers for ever.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Goods } from '#contracts/catalogue.ts';
import type { GameListItem } from '#contracts/games.ts';
import { type TestShop, createTestShop } from '#testing/shop.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await createTestShop();
});
afterAll(() => shop.close());

const load = (url: string, headers: Record<string, string> = {}) =>
  shop.app.inject({ method: 'GET', url, headers: { host: 'watt.demo.localhost:8080', ...headers } });
const addresses = (srcset: string) => srcset.split(', ').map((entry) => entry.split(' ')[0] ?? '');

test('goods and games carry addresses that answer', async () => {
  const { content: goods } = await shop.get<{ list: Goods[] }>('/api/pay/getGoodsList?client_id=70013');
  const { content: games } = await shop.get<{ list: GameListItem[] }>('/api/pay/getGameListV2');
  const product = goods.list.find(({ value }) => value === 'ember_60');
  const game = games.list.find(({ client_id: id }) => id === '70013');
  expect(game?.hero?.focus).toMatch(/^\d+% \d+%$/);
  const all = [product?.picture, game?.hero, game?.currency].flatMap((one) => [
    ...addresses(one?.avif ?? ''),
    ...addresses(one?.webp ?? ''),
  ]);
  expect(all).toHaveLength(12);
  for (const url of all) {
    const answer = await load(url);
    expect([url, answer.statusCode]).toEqual([url, 200]);
    expect(answer.headers['content-type']).toBe(url.endsWith('.avif') ? 'image/avif' : 'image/webp');
    expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
    expect(answer.rawPayload.length).toBeGreaterThan(100);
  }
});

test('phones stay inside the budgets: 38 kB of key art, 9 kB a card', async () => {
  const sizes = [...shop.configuration.games.values()].flatMap((game) => [
    { srcset: game.art.hero?.avif, most: 38_000 },
    ...[...game.products.values()].map(({ picture }) => ({ srcset: picture?.avif, most: 9000 })),
  ]);
  const shown = sizes.filter(({ srcset }) => srcset !== undefined);
  expect(shown.length).toBeGreaterThan(20);
  for (const { srcset = '', most } of shown) {
    const [small = ''] = addresses(srcset);
    expect((await load(small)).rawPayload.length).toBeLessThanOrEqual(most);
  }
});

test('a browser that has one is told so, and nothing else is sent', async () => {
  const { content } = await shop.get<{ list: Goods[] }>('/api/pay/getGoodsList?client_id=70013');
  const [url = ''] = addresses(content.list.find(({ picture }) => picture)?.picture?.avif ?? '');
  const { headers } = await load(url);
  const again = await load(url, { 'if-none-match': String(headers.etag) });
  expect([again.statusCode, again.rawPayload.length]).toEqual([304, 0]);
  expect((await load(url.replace('.avif', '.webp'))).statusCode).toBe(404);
});

test.each([
  '/pictures/AAAAAAAAAAAAAAAA.avif',
  '/pictures/x.avif',
  '/pictures/..%2f..%2fetc',
  '/pictures/AAAAAAAAAAAAAAAA.svg',
])('there is no %s', async (url) => {
  const answer = await load(url);
  expect([answer.statusCode, answer.headers['cache-control']]).toEqual([404, 'no-store']);
});
