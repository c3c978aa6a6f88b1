// Short addresses of the shipped brands' games, on each platform.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHttp } from '#server/platform/http/http.ts';
import { createTestShop, type TestShop } from '#testing/shop.ts';
import { findGameCode } from './game-code.ts';

let shop: TestShop;
let app: ReturnType<typeof createHttp>;
beforeAll(async () => {
  shop = await createTestShop();
  app = createHttp(shop.services);
  app.get('/*', (request) => ({ found: findGameCode(shop.services, request) }));
});
afterAll(async () => {
  await app.close();
  await shop.close();
});

const ANDROID = 'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/153.0.0.0 Mobile Safari/537.36';
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Safari/604.1';
const DESKTOP = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/153.0.0.0 Safari/537.36';

async function find(brand: string, url: string, userAgent: string): Promise<string | null> {
  const headers = { host: `${brand.toLowerCase()}.demo.localhost`, 'user-agent': userAgent };
  return (await app.inject({ url, headers })).json<{ found: string | null }>().found;
}

test.each([
  ['watt', '/@ember', DESKTOP, '/?client_id=70013'],
  ['watt', '/@ember', ANDROID, '/?client_id=70011'],
  ['watt', '/@ember', IPHONE, '/?client_id=70012'],
  // A game with one client, and an edition, have the same one everywhere.
  ['watt', '/@pitch?utm_source=card', IPHONE, '/?utm_source=card&client_id=70031'],
  ['watt', '/@nomads', IPHONE, '/?client_id=70022'],
  // Whoever names a client means that one.
  ['watt', '/@70011', IPHONE, '/?client_id=70011'],
])('L142 in %s %s on the platform of "%s" is %s', async (brand, url, userAgent, found) => {
  expect(await find(brand, url, userAgent)).toBe(found);
});

test.each([
  ['ssgame', '/@nomads', DESKTOP, '/?client_id=70022&domain_area=hk'],
  ['ssgame', '/@ember', ANDROID, '/?client_id=70011&domain_area=twhk'],
  ['ssgame', '/@ember', IPHONE, '/?client_id=70012&domain_area=hk'],
  // None is tied to this client: the visitor's own area stays.
  ['ssgame', '/@ember', DESKTOP, '/?client_id=70013'],
  ['watt', '/@nomads', DESKTOP, '/?client_id=70022'],
  // The address goes before the code.
  ['ssgame', '/@nomads?domain_area=twhk', DESKTOP, '/?domain_area=twhk&client_id=70022'],
])('L32 in %s %s sets the area that the brand ties to the client', async (brand, url, userAgent, found) => {
  expect(await find(brand, url, userAgent)).toBe(found);
});

test('L32 a code of no game of this brand is unknown, and other addresses are no codes', async () => {
  expect(await find('watt', '/@nosuchcode', DESKTOP)).toBe('unknown');
  expect(await find('acenetJp', '/@70031', DESKTOP)).toBe('unknown');
  expect(await find('watt', '/my', DESKTOP)).toBeNull();
});
