// Coupons on the wire: the list in its tabs, claiming, and the price with one.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Coupon } from '#contracts/coupons.ts';
import { giveTestCoupon } from '#testing/coupons.ts';
import { type TestPlayer, type TestShop, createTestShop } from '#testing/shop.ts';
import { giveCoupons } from './service.ts';

let shop: TestShop;
let player: TestPlayer;
beforeAll(async () => {
  shop = await createTestShop();
  player = await shop.logIn();
});
afterAll(() => shop.close());

const HOUR = 3_600_000;
const list = (who: TestPlayer, query: string) =>
  shop.get<{ list: Coupon[] }>(`/api/coupons/couponList?client_id=70021&${query}`, { session: who });
const codes = async (who: TestPlayer, query: string) => (await list(who, query)).content.list.map(({ code }) => code);
const price = (query: string, session: TestPlayer | null = player) =>
  shop.get<Record<string, unknown>>(`/api/pay/calculatePrice?client_id=70021&${query}`, { session });

describe('the list', () => {
  test('is parted in tabs, the best first', async () => {
    const who = await shop.logIn();
    const give = (over: Parameters<typeof giveTestCoupon>[2]) => giveTestCoupon(shop.db, who.playerId, over);
    const tenth = await give({ discountRate: '0.9' });
    const half = await give({ discountRate: '0.5' });
    const claimable = await give({ isClaimable: true });
    const tomorrow = await give({ validFrom: Date.now() + HOUR });
    const over = await give({ validEnd: Date.now() - HOUR });
    await give({ games: ['emberfall'] });
    expect(await codes(who, 'use_category=avail')).toEqual([half, tenth]);
    expect(await codes(who, 'use_category=claim')).toEqual([claimable]);
    expect(await codes(who, 'use_category=lock')).toEqual([tomorrow]);
    expect(await codes(who, 'use_category=history')).toEqual([over]);
    expect((await codes(who, 'use_category=avail, lock,history,nonsense')).toSorted()).toEqual(
      [half, tenth, tomorrow, over].toSorted(),
    );
  });

  test('L72 has the shape of the specification, its name in the language asked for, and says what fits a product', async () => {
    const who = await shop.logIn();
    await giveTestCoupon(shop.db, who.playerId, { minSpend: { USD: 500 }, products: ['star_540', 'star_260'] });
    const shown = (await list(who, 'use_category=avail&spec_lang=ja&product_id=star_260')).content.list[0];
    expect(shown).toMatchObject({
      name: JSON.stringify({ en: 'A fifth off', ja: '2割引' }),
      name_shown: '2割引',
      use_category: 'avail',
      is_used: false,
      used_time: 0,
      discount_rate: '0.8',
      time_zone: shop.configuration.brands.get('watt' as never)?.file.timeZone,
      min_spend_shown: { USD: '$5.00' },
      products: ['star_540', 'star_260'],
      is_applicable: false,
      billing_no: '',
    });
    const other = (await list(who, 'use_category=avail&product_id=star_540')).content.list[0];
    expect(other).toMatchObject({ is_applicable: true });
  });

  test("L53 without a game it is the whole shop's, and names the games that a coupon is for", async () => {
    const who = await shop.logIn();
    const own = await giveTestCoupon(shop.db, who.playerId, { discountRate: '0.5' });
    const other = await giveTestCoupon(shop.db, who.playerId, { games: ['emberfall'] });
    expect(await codes(who, 'use_category=avail')).toEqual([own]);
    const all = await shop.get<{ list: Coupon[] }>('/api/coupons/couponList?use_category=avail', { session: who });
    expect(all.content.list).toMatchObject([
      { code: own, games_shown: [] },
      { code: other, games_shown: ['Emberfall'], is_applicable: false },
    ]);
  });

  test('of the whole shop names what each can be used on, in the money of the visitor', async () => {
    const who = await shop.logIn();
    const ember = { games: ['emberfall'] };
    await giveTestCoupon(shop.db, who.playerId, { ...ember, discountRate: '0.5' });
    await giveTestCoupon(shop.db, who.playerId, { ...ember, discountRate: '0.6', minSpend: { USD: 4000 } });
    await giveTestCoupon(shop.db, who.playerId, { ...ember, discountRate: '0.7', products: ['ember_60'] });
    const ask = async (query: string) =>
      (await shop.get<{ list: Coupon[] }>(`/api/coupons/couponList?use_category=avail${query}`, { session: who }))
        .content.list;
    const [all, dear, none] = (await ask('&country=US')).map(({ goods }) => goods);
    expect(all?.[0]).toEqual({
      gp_id: '7001',
      product_id: 'ember_680',
      name: '680 Ember Crystals',
      price_shown: '$9.99',
    });
    expect(dear?.map(({ product_id: id }) => id)).toEqual(['ember_3280', 'ember_6880']);
    // Takes no coupon.
    expect(none).toEqual([]);
    // Of one game nothing is named: there the goods are chosen.
    expect((await ask('&client_id=70013')).map(({ goods }) => goods)).toEqual([[], [], []]);
  });

  test("is nobody else's, and empty where coupons have no place", async () => {
    await giveTestCoupon(shop.db, player.playerId);
    expect(await codes(await shop.logIn(), 'use_category=avail')).toEqual([]);
    expect((await shop.get('/api/coupons/couponList?client_id=70021&use_category=avail')).code).toBe(-600);
    expect((await list(player, 'use_category=avail&client_id=99999')).code).toBe(-3001);
    const classic = await shop.logIn({ brand: 'ssgame' });
    await giveTestCoupon(shop.db, classic.playerId, { brandKey: 'ssgame' as never });
    expect(await codes(classic, 'use_category=avail')).toEqual([]);
  });
});

describe('claiming', () => {
  const claim = (who: TestPlayer, code: string) =>
    shop.post('/api/coupons/receiveCoupons', { client_id: '70021', code }, { session: who });

  test('makes it usable, also when tapped twice', async () => {
    const who = await shop.logIn();
    const code = await giveTestCoupon(shop.db, who.playerId, { isClaimable: true });
    expect((await price(`product_id=star_260&coupon_code=${code}`, who)).code).toBe(-3062);
    expect((await Promise.all([claim(who, code), claim(who, code)])).map((answer) => answer.code)).toEqual([1, 1]);
    expect(await codes(who, 'use_category=avail')).toEqual([code]);
  });

  test("is refused for another player's, for one that is over, and for nothing", async () => {
    const who = await shop.logIn();
    const code = await giveTestCoupon(shop.db, player.playerId, { isClaimable: true });
    const over = await giveTestCoupon(shop.db, who.playerId, { isClaimable: true, validEnd: Date.now() - HOUR });
    for (const tried of [code, over, 'NONE']) expect((await claim(who, tried)).code).toBe(-1030);
    expect(await codes(player, 'use_category=claim')).toContain(code);
  });
});

describe('the price of one product', () => {
  test('is the one of the list, with the points it earns', async () => {
    const { content } = await shop.get<{ list: { value: string; price: string }[] }>(
      '/api/pay/getGoodsList?client_id=70021&domain_area=ja',
    );
    expect((await price('product_id=star_260&domain_area=ja')).content).toMatchObject({
      discountPrice: content.list.find(({ value }) => value === 'star_260')?.price,
      currency: 'JPY',
      points: expect.any(Number),
    });
  });

  test('is less with a coupon, rounded half up to the minor unit', async () => {
    const code = await giveTestCoupon(shop.db, player.playerId, { discountRate: '0.85' });
    expect((await price(`product_id=star_540&coupon_code=${code}`)).content).toMatchObject({
      price_minor: 849,
      discountPrice: '8.49',
      discount_price_shown: '$8.49',
      off_shown: '$1.50',
      currency: 'USD',
    });
  });

  test('is refused to strangers, for unknown goods, and with a coupon that does not fit', async () => {
    expect((await price('product_id=star_260', null)).code).toBe(-600);
    expect((await price('product_id=ember_60')).code).toBe(-1007);
    expect((await price('product_id=__proto__')).code).toBe(-1007);
    expect((await price('product_id=star_260&coupon_code=FREE')).code).toBe(-3062);
    expect((await price('product_id=star_260&domain_area=ru')).code).toBe(-3014);
    const code = await giveTestCoupon(shop.db, player.playerId);
    // 50 Lumens take no coupons.
    expect((await price(`product_id=star_50&coupon_code=${code}`)).code).toBe(-3062);
    expect((await price(`product_id=star_540&coupon_code=${code}`, await shop.logIn())).code).toBe(-3062);
  });
});

test('what is to be given once only is given once, by however many hands', async () => {
  const who = await shop.logIn();
  const gift = {
    playerId: who.playerId,
    brandKey: 'watt' as never,
    name: { en: 'Level 3' },
    discountRate: '0.9',
    validFrom: Date.now(),
    validEnd: Date.now() + HOUR,
    source: 'test',
    issueKey: 'level-3/2026-11',
  };
  const given = await Promise.all(Array.from({ length: 10 }, () => giveCoupons(shop.db, [gift])));
  expect(given.flat()).toHaveLength(1);
  for (const rate of ['0', '1', '1.5', '-0.5', 'half'])
    await expect(giveCoupons(shop.db, [{ ...gift, discountRate: rate }])).rejects.toThrow(RangeError);
});
