// The VIP programme on the wire, and one truth about points from the shelf to the ledger.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Coupon } from '#contracts/coupons.ts';
import type { VipBasicInfo, VipInfo } from '#contracts/vip.ts';
import { attemptRef } from '#kernel/ids.ts';
import { money } from '#kernel/money.ts';
import { giveTestCoupon } from '#testing/coupons.ts';
import { DONE, deliver } from '#testing/dumps/fill-acts.ts';
import { callBack, eventOn, pay, showRoles } from '#testing/pay.ts';
import { type TestPlayer, type TestShop, createTestShop } from '#testing/shop.ts';
import { operatePoints, readPoints } from './store.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await createTestShop();
});
afterAll(() => shop.close());

const basicInfo = (query: string, brand = 'watt') =>
  shop.get<VipBasicInfo>(`/api/coupons/vipBasicInfo?${query}`, { brand });
const info = (session: TestPlayer, query = '') => shop.get<VipInfo>(`/api/coupons/vipInfo?${query}`, { session });
const list = async (session: TestPlayer, tabs: string) =>
  (await shop.get<{ list: Coupon[] }>(`/api/coupons/couponList?client_id=70021&use_category=${tabs}`, { session }))
    .content.list;
const claim = (session: TestPlayer, code: string) =>
  shop.post('/api/coupons/receiveCoupons', { client_id: '70021', code }, { session });

/** Buys star_540 for 9.99 dollars, with a coupon if there is one, and has it delivered. */
async function buy(player: TestPlayer, price_minor: number, coupon_code?: string) {
  await showRoles(shop, player);
  const body = { product_id: 'star_540', price_minor, ...(coupon_code && { coupon_code }) };
  const { code, content } = await pay(shop, player, { body });
  expect(code).toBe(1);
  const reference = attemptRef(content.billing_no as never, 1);
  await callBack(shop, eventOn({ reference }, 'paid', { amount: money(price_minor, 'USD') }));
  await deliver(shop, DONE);
  return content.billing_no;
}

describe('L157 the programme', () => {
  test('L71 levels, their coupons, questions and what money earns, in the language and currency of the visitor', async () => {
    const { content } = await basicInfo('domain_area=ja&spec_lang=ja');
    expect(content.point_to_coin[0]).toEqual({ currency: 'JPY', coin: '100', coin_shown: '¥100.00', points: 7 });
    expect(content.faq_title).toBe('VIPについて');
    expect(content.vip_level_infos.map(({ need_points }) => need_points)).toEqual([0, 50, 500, 3000]);
    expect(content.vip_level_infos[1]).toMatchObject({ level_id: 'silver', level_name: 'シルバー', level_show: 'V2' });
    const types = content.vip_level_infos.flatMap(({ coupons_list: coupons }) => coupons.map(({ type }) => type));
    expect(new Set(types)).toEqual(new Set(['permanent', 'week', 'month']));
  });

  test('L70 a new player has the first level and no points', async () => {
    const player = await shop.logIn();
    expect((await info(player, 'spec_lang=de')).content).toMatchObject({
      vip_level: 'bronze',
      vip_level_name: 'Bronze',
      vip_level_show: 'V1',
      total_points: 0,
    });
    expect((await shop.get('/api/coupons/vipInfo')).code).toBe(-600);
  });

  test('L134 nothing of it is there without the version flag', async () => {
    const player = await shop.logIn({ brand: 'ssgame' });
    expect(await basicInfo('', 'ssgame')).toMatchObject({ code: -1004, status: 404 });
    expect((await info(player)).code).toBe(-1004);
  });
});

test('L64 L75 L151 points of the shelf, of productPoints, of calculatePrice and of the ledger are the same', async () => {
  const player = await shop.logIn();
  const { content: goods } = await shop.get<{ list: { value: string; couponPoints: number }[] }>(
    '/api/pay/getGoodsList?client_id=70021',
  );
  const shelf = goods.list.find(({ value }) => value === 'star_540')?.couponPoints;
  const { content: points } = await shop.get<{ list: unknown[] }>(
    '/api/pay/productPoints?client_id=70021&product_id=star_540',
  );
  expect(points.list).toEqual([{ product_id: 'star_540', points: shelf }]);
  const price = async (query = '') =>
    (
      await shop.get<{ points: number; price_minor: number }>(
        `/api/pay/calculatePrice?client_id=70021&product_id=star_540${query}`,
        { session: player },
      )
    ).content;
  const full = await price();
  expect([full.points, full.price_minor, shelf]).toEqual([99, 999, 99]);
  await buy(player, 999);
  expect(await readPoints(shop.db, player.playerId)).toBe(full.points);

  const code = await giveTestCoupon(shop.db, player.playerId);
  const reduced = await price(`&coupon_code=${code}`);
  expect([reduced.points, reduced.price_minor]).toEqual([79, 799]);
  await buy(player, 799, code);
  expect(await readPoints(shop.db, player.playerId)).toBe(full.points + reduced.points);
  // A currency of another size, and a brand without points.
  const { content: yen } = await shop.get<{ list: { value: string; price: string; couponPoints: number }[] }>(
    '/api/pay/getGoodsList?client_id=70021&domain_area=ja',
  );
  for (const one of yen.list) expect(one.couponPoints).toBe(Math.floor((Number(one.price) * 7) / 100));
  expect((await shop.get('/api/pay/productPoints?client_id=70021&product_id=ember_60')).code).toBe(-1007);
});

test('L108 a level reached: its coupons stand under claim, are claimed once, bought with, and lost with the level', async () => {
  const player = await shop.logIn();
  expect(await list(player, 'claim')).toEqual([]);
  await buy(player, 999);
  expect((await info(player)).content).toMatchObject({ vip_level: 'silver', total_points: 99 });
  const claimable = await list(player, 'claim');
  expect(claimable.map(({ code }) => code.split('.')[0]).toSorted()).toEqual(['silver-gift', 'silver-week']);
  const week = claimable.find(({ code }) => code.startsWith('silver-week'))?.code ?? '';
  expect(
    (
      await shop.get(`/api/pay/calculatePrice?client_id=70021&product_id=star_540&coupon_code=${week}`, {
        session: player,
      })
    ).code,
  ).toBe(-3062);
  expect((await Promise.all([claim(player, week), claim(player, week)])).map(({ code }) => code)).toEqual([1, 1]);
  expect((await claim(player, 'silver-gift')).code).toBe(1);
  expect((await claim(player, 'gold-gift')).code).toBe(-1030);
  expect((await claim(player, 'silver-week.2020-01-06')).code).toBe(-1030);
  expect((await info(player)).content.level_coupons.filter(({ state }) => state === 'claimed')).toHaveLength(2);

  const order = await buy(player, 949, week);
  await operatePoints(shop.db, player.playerId, -190);
  // Used coupons stay used, unused ones are withdrawn.
  expect((await list(player, 'claim,avail,lock,history')).map(({ code, billing_no }) => [code, billing_no])).toEqual([
    [week, order],
  ]);
  await operatePoints(shop.db, player.playerId, 100);
  expect((await list(player, 'avail')).map(({ code }) => code)).toEqual(['silver-gift']);
});
