// Goods, prices, limits and countries over HTTP, on the shipped configuration.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Goods, LimitProductInfo, Shelf, ThirdGift } from '#contracts/catalogue.ts';
import type { BrandKey } from '#kernel/ids.ts';
import { issueBetaKey } from '#server/platform/http/beta.ts';
import { type TestPlayer, type TestShop, createTestShop } from '#testing/shop.ts';

const EMBERFALL = '70013';
let shop: TestShop;
let player: TestPlayer;
beforeAll(async () => {
  shop = await createTestShop();
  player = await shop.logIn();
});
afterAll(() => shop.close());

type GoodsList = { currency: string; country: string; shelves: Shelf[]; list: Goods[] };
const goods = (query: string, brand = 'watt') => shop.get<GoodsList>(`/api/pay/getGoodsList?${query}`, { brand });

describe('goods', () => {
  test('are seen before login, in order of shelf and place, with a price in one currency', async () => {
    const { content } = await goods(`client_id=${EMBERFALL}`);
    expect(content).toMatchObject({ currency: 'USD', country: 'US' });
    expect(new Set(content.list.map(({ currency }) => currency))).toEqual(new Set(['USD']));
    const order = content.list.map(({ typeSort, goodsSort }) => [typeSort, goodsSort]);
    expect(order).toEqual(order.toSorted(([a = 0, b = 0], [c = 0, d = 0]) => a - c || b - d));
    expect(content.shelves.map(({ typeSort }) => typeSort)).toEqual(
      content.shelves.map(({ typeSort }) => typeSort).toSorted((a, b) => a - b),
    );
    expect(new Set(content.list.map(({ typeKey }) => typeKey))).toEqual(
      new Set(content.shelves.map(({ typeKey }) => typeKey)),
    );
  });

  test.each([
    ['universal', '', 'USD', '0.99', 99],
    ['universal', 'IN', 'USD', '0.89', 89],
    ['universal', 'DE', 'EUR', '0.99', 99],
    ['universal', 'XX', 'USD', '0.99', 99],
    ['ja', '', 'JPY', '160', 160],
    ['ja', 'US', 'JPY', '160', 160],
    ['sea', 'PH', 'USD', '0.89', 89],
    ['sea', 'VN', 'VND', '25000', 25_000],
    ['twhk', 'TW', 'TWD', '33.00', 3300],
  ])('in %s %s cost %s %s', async (region, country, currency, price, minor) => {
    const { content } = await goods(`client_id=${EMBERFALL}&domain_area=${region}&country=${country}`);
    const first = content.list.find(({ value }) => value === 'ember_60') ?? content.list[0];
    expect([content.currency, first?.price, first?.price_minor]).toEqual([currency, price, minor]);
  });

  test('a reduced price shows the one before; limits and stock are marked; names follow the language', async () => {
    const { content } = await goods(`client_id=${EMBERFALL}&spec_lang=ja`);
    const newcomer = content.list.find(({ value }) => value === 'ember_newcomer');
    expect(newcomer).toMatchObject({ list_price_shown: expect.stringContaining('4.99'), isLimit: true });
    expect(content.list.find(({ value }) => value === 'ember_phoenix')?.isLimit).toBe(true);
    expect(content.shelves[0]?.display).toMatch(/[\u3040-\u30ff\u4e00-\u9fff]/);
  });

  test('each pack says its price per hundred; the best of the shelf is marked, and a bundle is opened', async () => {
    const { content } = await goods(`client_id=${EMBERFALL}`);
    const of = (id: string) => content.list.find(({ value }) => value === id);
    expect(of('ember_60')?.offer).toMatchObject({
      per_shown: '$1.65',
      per_count: 100,
      more_percent: 0,
      next_shown: '$4.00',
      next_count: 280,
    });
    expect(of('ember_6880')).toMatchObject({
      flag: 'best_value',
      offer: { total: 8160, more_percent: 34, share_percent: 100, next_shown: '' },
    });
    expect(content.list.filter(({ flag }) => flag !== '')).toHaveLength(1);
    // A thousand crystals at the price of 740 for $9.99, and twenty keys at ten for $3.99; nobody sells the banner.
    expect(of('ember_season')).toMatchObject({
      amount: 0,
      bundle: {
        parts: [
          { name: 'Ember Crystals', count: 1000, worth_shown: '$13.50' },
          { count: 20, worth_shown: '$7.98' },
          { count: 1, worth_shown: '' },
        ],
        worth_shown: '$21.48',
        off_percent: 30,
      },
    });
    expect(of('ember_pass')).not.toHaveProperty('bundle');
  });

  test('in a country with a price of its own, offers follow that price', async () => {
    const { content } = await goods(`client_id=${EMBERFALL}&domain_area=universal&country=IN`);
    expect(content.list.find(({ value }) => value === 'ember_60')?.offer?.per_shown).toBe('$1.48');
  });

  test('marked beta are for beta users alone: on the shelf, among the gifts and in the page', async () => {
    const { key } = await issueBetaKey(shop.db, { brandKey: 'watt' as BrandKey, label: 'x', days: 1, by: 'anna' });
    const as = (cookie?: string) => ({ headers: cookie ? { cookie } : {} });
    const idsOf = async (sent: object) =>
      (await shop.get<GoodsList>('/api/pay/getGoodsList?client_id=70021', sent)).content.list.map(({ value }) => value);
    const everybody = await idsOf(as());
    expect(everybody).not.toContain('star_120');
    const beta = await idsOf(as(`refill-demo-beta=${key}`));
    expect(beta.filter((id) => !everybody.includes(id))).toEqual(['star_120']);
    expect(await idsOf(as(`refill-demo-beta=rb1_${'x'.repeat(43)}`))).toEqual(everybody);
  });

  test('no such game, or no such region', async () => {
    expect((await goods('client_id=99999')).code).toBe(-3001);
    expect((await goods(`client_id=${EMBERFALL}&domain_area=ru`)).code).toBe(-3014);
    expect((await goods(`client_id=${EMBERFALL}&domain_area=nowhere`)).code).toBe(-3014);
  });

  test('every game of every brand has goods in every region and country, in the currency charged there', async () => {
    for (const brand of shop.configuration.brands.values()) {
      for (const id of brand.file.games) {
        const game = shop.configuration.games.get(id as never);
        for (const [region, { countries }] of brand.regions) {
          for (const { code, currency } of countries) {
            const { content } = await goods(
              `client_id=${game?.file.clients.web}&domain_area=${region}&country=${code}`,
              brand.key,
            );
            expect([brand.key, id, region, code, content.currency]).toEqual([brand.key, id, region, code, currency]);
            expect(content.list.length).toBeGreaterThan(0);
          }
        }
      }
    }
  });

  test('bonus items come by product', async () => {
    const { content } = await shop.get<{ list: ThirdGift[] }>(`/api/pay/getThirdGift?client_id=70021&spec_lang=ja`);
    expect(content.list).toContainEqual({
      product_id: 'star_260',
      id: 'star_bonus',
      name: 'おまけルーメン',
      count: 15,
    });
    expect((await shop.get('/api/pay/getThirdGift?client_id=99999')).code).toBe(-3001);
  });
});

describe('limits', () => {
  const limits = async (query = 'server_id=s1&role_id=r1') =>
    Object.fromEntries(
      (
        await shop.get<{ list: LimitProductInfo[] }>(`/api/pay/getLimitProductInfo?client_id=${EMBERFALL}&${query}`, {
          session: player,
        })
      ).content.list.map((info) => [info.product_id, info]),
    );
  const use = (productId: string, subject: string, period: string, used: number) =>
    shop.db.query(
      `insert into limit_counter values ($1, 'emberfall', $2, $3, ${period}, $4, 9)
        on conflict (account_id, game_id, product_id, subject, period) do update set used = excluded.used`,
      [player.playerId, productId, subject, used],
    );
  const role = 'role:70013//s1/r1';

  test('are for players', async () => {
    expect((await shop.get(`/api/pay/getLimitProductInfo?client_id=${EMBERFALL}&server_id=s1&role_id=r1`)).code).toBe(
      -600,
    );
  });

  test('nothing bought: all is left, and nothing to wait for', async () => {
    const all = await limits();
    expect(all.ember_weekly).toMatchObject({
      limit_type: 'time',
      frequency: 3,
      day_info: 7,
      extra_pay_times: 3,
      next_pay_time: 0,
    });
    expect(all.ember_newcomer).toMatchObject({ limit_type: 'game', extra_pay_times: 1 });
    expect(all.ember_phoenix).toMatchObject({ limit_type: 'stock', frequency: 500, extra_pay_times: 500 });
  });

  test('a used window says when the next one opens: a local midnight of the brand', async () => {
    await use('ember_weekly', role, `limit_period(7, 'Etc/UTC', now())`, 2);
    expect((await limits()).ember_weekly).toMatchObject({ extra_pay_times: 1, next_pay_time: 0 });
    await use('ember_weekly', role, `limit_period(7, 'Etc/UTC', now())`, 3);
    const { extra_pay_times: left, next_pay_time: next } = (await limits()).ember_weekly!;
    expect(left).toBe(0);
    expect(next % 86_400).toBe(0);
    expect(next * 1000).toBeGreaterThan(Date.now());
    expect(next * 1000).toBeLessThan(Date.now() + 7 * 86_400_000 + 60_000);
    // Last week's purchases do not count.
    await shop.db.query(`delete from limit_counter where product_id = 'ember_weekly'`);
    await use('ember_weekly', role, `limit_period(7, 'Etc/UTC', now() - interval '7 days')`, 3);
    expect((await limits()).ember_weekly?.extra_pay_times).toBe(3);
  });

  test('of a character do not touch another; of the account they do', async () => {
    const limited = [...shop.configuration.games.get('emberfall' as never)!.products.values()].find(
      ({ file }) => file.limit?.type === 'role',
    )!;
    await use(limited.id, role, `'ever'`, 1);
    await use('ember_newcomer', 'game', `'ever'`, 1);
    expect((await limits())[limited.id]?.extra_pay_times).toBe(0);
    const other = await limits('server_id=s1&role_id=r2');
    expect(other[limited.id]?.extra_pay_times).toBe(1);
    expect(other.ember_newcomer).toMatchObject({ extra_pay_times: 0, next_pay_time: 0 });
  });

  test('a stock that is nearly gone', async () => {
    await shop.db.query(`update product_stock set used = 499 where product_id = 'ember_phoenix'`);
    expect((await limits()).ember_phoenix?.extra_pay_times).toBe(1);
    await shop.db.query(`update product_stock set used = 500 where product_id = 'ember_phoenix'`);
    expect((await limits()).ember_phoenix?.extra_pay_times).toBe(0);
  });
});

test('countries of a region, the first one assumed', async () => {
  const countries = (query: string) =>
    shop.get<{ country: string; list: { value: string; display: string }[] }>(`/api/pay/getCountryList?${query}`);
  const sea = (await countries('domain_area=sea')).content;
  expect(sea.country).toBe('SG');
  expect(sea.list).toContainEqual({ display: 'Philippines', value: 'PH' });
  expect((await countries('')).content.country).toBe('US');
  expect((await countries('domain_area=ru')).code).toBe(-3014);
});
