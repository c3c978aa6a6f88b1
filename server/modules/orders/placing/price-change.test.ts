// A price that comes into force by itself: every server shows it by the database's time, and the database decides which
// of two prices an order has.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { GoodsList } from '#server/modules/catalogue/service.ts';
import { createShopDatabase } from '#testing/database.ts';
import { pay, showRoles } from '#testing/pay.ts';
import { createTestShop, type TestShop } from '#testing/shop.ts';

const HOUR = 3_600_000;
const started = Date.now();
let clock = started;
let shop: TestShop;

beforeAll(async () => {
  const database = await createShopDatabase();
  const shopOf = await createTestShop({ database });
  const iso = (beside: number) => new Date(started + beside).toISOString().replace(/\.\d+Z$/, 'Z');
  const { rows } = await shopOf.db.query<{ body: { goods: { id: string; priceChanges?: object[] }[] } }>(
    `select body from configuration_file where kind = 'game' and key = 'starlane'`,
  );
  const body = rows[0]!.body;
  const change = (id: string, changes: object[]) =>
    Object.assign(
      body.goods.find((one) => one.id === id)!,
      { priceChanges: changes },
    );
  change('star_50', [{ from: iso(HOUR), prices: { USD: '1.49' } }]);
  change('star_260', [{ from: iso(-HOUR), prices: { USD: '5.99' } }]);
  await shopOf.db.query(`update configuration_file set body = $1 where kind = 'game' and key = 'starlane'`, [
    JSON.stringify(body),
  ]);
  await shopOf.app.close();
  await shopOf.services.outbound.close();
  await shopOf.db.end();
  shop = await createTestShop({ database, now: () => clock });
});
afterAll(() => shop.close());
beforeEach(() => {
  clock = started;
});

async function priceOf(product: string): Promise<number | undefined> {
  const { content } = await shop.get<GoodsList>(
    '/api/pay/getGoodsList?client_id=70021&domain_area=universal&country=US',
  );
  return content.list.find(({ value }) => value === product)?.price_minor;
}

async function order(product: string, price: number) {
  const player = await shop.logIn();
  await showRoles(shop, player);
  return (await pay(shop, player, { body: { product_id: product, price_minor: price, country: 'US' } })).code;
}

test('the goods of a page change at the moment and not before', async () => {
  expect([await priceOf('star_50'), await priceOf('star_260')]).toEqual([99, 599]);
  clock = started + 2 * HOUR;
  expect([await priceOf('star_50'), await priceOf('star_260')]).toEqual([149, 599]);
  clock = started - 2 * HOUR;
  expect([await priceOf('star_50'), await priceOf('star_260')]).toEqual([99, 499]);
});

test('orders have the price of their moment; who saw the one before is told', async () => {
  expect(await order('star_50', 99)).toBe(1);
  expect(await order('star_260', 599)).toBe(1);
  expect(await order('star_260', 499)).toBe(-1020);
  expect(await order('star_50', 149)).toBe(-1020);
});

test('a server whose clock is wrong sells at no price of another time', async () => {
  clock = started + 2 * HOUR;
  expect(await order('star_50', 149)).toBe(-1020);
  clock = started - 2 * HOUR;
  expect(await order('star_260', 499)).toBe(-1020);
  const { rows } = await shop.db.query(
    `select product_id, amount_minor from orders where amount_minor in (149, 499) or amount_minor is null`,
  );
  expect(rows).toEqual([]);
});
