// Promo codes and first-purchase bonuses through HTTP: the price that is asked is the price that is paid, reasons are
// told in the player's language, guessing ends, and the bonus is promised to who can have it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { catalogueRoutes } from '#contracts/catalogue.ts';
import { couponRoutes } from '#contracts/coupons.ts';
import { orderRoutes } from '#contracts/orders.ts';
import type { BillingNo } from '#kernel/ids.ts';
import { money } from '#kernel/money.ts';
import { giveTestCoupon } from '#testing/coupons.ts';
import { deliver } from '#testing/events.ts';
import { report } from '#testing/orders.ts';
import { pay, showRoles } from '#testing/pay.ts';
import { type TestPlayer, type TestShop, createTestShop } from '#testing/shop.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await createTestShop();
});
afterAll(async () => {
  const { rows } = await shop.db.query('select * from invariant_breach where breaches > 0');
  await shop.close();
  if (rows.length > 0) throw new Error(`invariants are broken: ${JSON.stringify(rows)}`);
});

const ready = async (): Promise<TestPlayer> => {
  const player = await shop.logIn();
  await showRoles(shop, player);
  return player;
};
const GOODS = { client_id: '70021', product_id: 'star_540' };
type Price = {
  price_minor: number;
  promo_code: string;
  promo_off_shown: string;
  off_shown: string;
  goes_with_coupon: boolean;
};
const priceOf = (player: TestPlayer, over: Record<string, string>, language = 'en') =>
  shop.get<Price>(
    `${couponRoutes.price.path}?${new URLSearchParams({ ...GOODS, ...over, bcp47_lang: language }).toString()}`,
    { session: player },
  );
const orderOf = async (billingNo: string) =>
  (await shop.db.query('select * from orders where billing_no = $1', [billingNo])).rows[0];

test('what the page is told is what the order costs, alone and beside a coupon, and the key is the code', async () => {
  const player = await ready();
  expect((await priceOf(player, { promo_code: ' kestrel' })).content).toMatchObject({
    price_minor: 949,
    promo_code: 'KESTREL',
    promo_off_shown: '$0.50',
    off_shown: '',
    goes_with_coupon: true,
  });
  const coupon_code = await giveTestCoupon(shop.db, player.playerId);
  const both = { promo_code: 'kestrel', coupon_code };
  expect((await priceOf(player, both)).content).toMatchObject({
    price_minor: 759,
    off_shown: '$2.00',
    promo_off_shown: '$0.40',
  });
  const body = { product_id: 'star_540', price_minor: 759, ...both };
  const placed = await pay(shop, player, { key: 'promo-key-1', body });
  expect(placed.code).toBe(1);
  const { billing_no: billingNo } = placed.content;
  expect(await orderOf(billingNo)).toMatchObject({
    amount_minor: 759,
    discount_minor: 240,
    promo_code: 'KESTREL',
    coupon_code,
    creator: 'kestrel',
    share_minor: 37,
  });
  // The order holds both: the page is told the same again, also for the code alone what it would be then.
  expect((await priceOf(player, { ...both, server_id: 's1', role_id: 'r1' })).content).toMatchObject({
    price_minor: 759,
  });
  expect(
    (await pay(shop, player, { key: 'promo-key-1', body: { ...body, promo_code: 'KESTREL ' } })).content.billing_no,
  ).toBe(billingNo);
  expect((await pay(shop, player, { key: 'promo-key-1', body: { ...body, promo_code: '' } })).code).toBe(-1018);
  const shown = await shop.get<object>(`${orderRoutes.getOrderInfo.path}?billing_no=${billingNo}&simple=1`, {
    session: player,
  });
  expect(shown.content).toMatchObject({ promo_code: 'KESTREL', off_shown: '$2.40' });
});

test.each([
  ['that there is not', { promo_code: 'NOSUCH' }, 'There is no such code. Please check the spelling.'],
  ['of another game', { promo_code: 'EMBER10' }, 'This code does not work for this product.'],
  ['of other regions', { promo_code: 'WELCOME', domain_area: 'sea' }, 'This code does not work for this product.'],
  ['beside a coupon', { promo_code: 'WELCOME', coupon_code: 'coupon' }, 'This code does not go with a coupon.'],
  ['for dearer goods', { promo_code: 'WELCOME', product_id: 'star_50' }, 'The price is too low for this code.'],
])('a code %s is refused by price and order alike, with the reason', async (_name, asked, words) => {
  const player = await ready();
  const coupon = 'coupon_code' in asked ? { coupon_code: await giveTestCoupon(shop.db, player.playerId) } : {};
  const fields = { ...asked, ...coupon };
  expect(await priceOf(player, fields)).toMatchObject({ code: -1023, msg: words });
  const body = { product_id: 'star_540', ...fields };
  expect(await pay(shop, player, { key: 'promo-key-2', body })).toMatchObject({ code: -1023, msg: words });
});

test('a reason is told in the language of the page', async () => {
  const answer = await shop.get(
    `${couponRoutes.price.path}?${new URLSearchParams({ ...GOODS, promo_code: 'NOSUCH', spec_lang: 'ja' }).toString()}`,
    { session: await ready() },
  );
  expect(answer).toMatchObject({ msg: 'そのコードはありません。つづりをご確認ください。' });
});

test('guessing ends, for a right code too, and others go on', async () => {
  const player = await ready();
  for (let n = 0; n < 20; n += 1) expect((await priceOf(player, { promo_code: `GUESS${n}` })).code).toBe(-1023);
  expect((await priceOf(player, { promo_code: 'KESTREL' })).code).toBe(-1003);
  expect(
    (await pay(shop, player, { key: 'promo-key-3', body: { product_id: 'star_540', promo_code: 'KESTREL' } })).code,
  ).toBe(-1003);
  expect((await priceOf(await ready(), { promo_code: 'KESTREL' })).code).toBe(1);
});

test('the first-purchase bonus is on the card, in the order and its receipt, and then no more', async () => {
  const player = await ready();
  const list = await shop.get<{ list: { value: string; price_minor: number; first?: object }[] }>(
    `${catalogueRoutes.goods.path}?client_id=70021`,
  );
  const goods = list.content.list.find(({ value }) => value === 'star_2900');
  expect(goods?.first).toEqual({ times: 0, shown: '+1,000 Bonus lumens' });
  const used = async (role = 'r1') =>
    (
      await shop.get<{ used: string[] }>(
        `${catalogueRoutes.firstBonus.path}?client_id=70021&server_id=s1&role_id=${role}`,
        { session: player },
      )
    ).content.used;
  expect(await used()).toEqual([]);
  const body = { product_id: 'star_2900', price_minor: goods?.price_minor ?? 0, first_bonus: '1' };
  const placed = await pay(shop, player, { key: 'bonus-key-1', body });
  expect(placed.code).toBe(1);
  // This character's own unpaid order holds it; another character would go without.
  expect(await used()).toEqual([]);
  expect(await used('r2')).toEqual(['star_2900']);
  const order = { billingNo: placed.content.billing_no as BillingNo, attemptNo: 1 };
  const amount = money(body.price_minor, 'USD');
  await report(shop.db, order, { amount });
  await deliver(shop.db, { playerId: player.playerId, ...order, amount });
  expect(await used()).toEqual(['star_2900']);
  const shown = await shop.get<object>(`${orderRoutes.getOrderInfo.path}?billing_no=${order.billingNo}&simple=1`, {
    session: player,
  });
  expect(shown.content).toMatchObject({ first_bonus: '+1,000 Bonus lumens', promo_code: '', off_shown: '' });
  const again = await pay(shop, player, { key: 'bonus-key-2', body });
  expect(again).toMatchObject({ code: -1022, content: null });
  expect((await pay(shop, player, { key: 'bonus-key-3', body: { ...body, first_bonus: '' } })).code).toBe(1);
});
