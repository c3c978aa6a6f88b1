// One function prices a coupon, for the question of the page and for the order: the same table for both.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { BrandKey, GameId, PlayerId } from '#kernel/ids.ts';
import { type Currency, money } from '#kernel/money.ts';
import { giveTestCoupon } from '#testing/coupons.ts';
import { openTestDatabase } from '#testing/database.ts';
import { makePlayer, placeInput, placeTestOrder, report } from '#testing/orders.ts';
import { type PlaceInput, placeOrder } from '#server/modules/orders/store.ts';
import { giveCoupons, withdrawCoupon } from './service.ts';
import { type PricedGoods, listCoupons, priceWithCoupon } from './store.ts';

let database: Awaited<ReturnType<typeof openTestDatabase>>;
let playerId: PlayerId;
beforeAll(async () => {
  database = await openTestDatabase(8);
});
afterAll(() => database.drop());
beforeEach(async () => {
  playerId = await makePlayer(database.db);
});

const WATT = 'watt' as BrandKey;
const HERE = { client_id: '70021', server_id: 's1', area_id: '', role_id: 'r1' };
const goodsAt = (amountMinor: number, currency: Currency = 'USD'): PricedGoods => ({
  gameId: 'starlane',
  productId: 'star_260',
  price: money(amountMinor, currency),
  receiver: HERE,
});
const priceOf = (code: string, goods: PricedGoods, whose = playerId) =>
  priceWithCoupon(database.db, { playerId: whose, brandKey: WATT, code, goods });
const orderOf = (code: string, { price, productId }: PricedGoods): PlaceInput =>
  placeInput(playerId, {
    game_id: 'starlane' as GameId,
    product_id: productId,
    amount_minor: price.amountMinor,
    currency: price.currency,
    coupon: { code, min_charge_minor: 1, quoted_minor: null },
  });
const stateOf = async (code: string) =>
  (await database.db.query('select state from coupon where code = $1', [code])).rows[0]?.state;

describe('L121 L75 the price that is told is the price that is ordered', () => {
  test.each([
    ['a fifth off', {}, goodsAt(499), 399],
    ['half a cent goes up', { discountRate: '0.5' }, goodsAt(499), 250],
    ['won have no cents', { discountRate: '0.85' }, goodsAt(5900, 'KRW'), 5015],
    ['the game it is for', { games: ['starlane'] }, goodsAt(499), 399],
    ['another game', { games: ['emberfall'] }, goodsAt(499), null],
    ['the product it is for', { products: ['star_260'] }, goodsAt(499), 399],
    ['another product', { products: ['star_50'] }, goodsAt(499), null],
    ['exactly the least price', { minSpend: { USD: 499 } }, goodsAt(499), 399],
    ['a cent below it', { minSpend: { USD: 500 } }, goodsAt(499), null],
    ['a currency it says nothing of', { minSpend: { JPY: 1 } }, goodsAt(499), null],
    ['nothing left to pay', { discountRate: '0.01' }, goodsAt(1, 'JPY'), null],
    ['not claimed yet', { isClaimable: true }, goodsAt(499), null],
    ['not begun', { validFrom: Date.now() + 1e6 }, goodsAt(499), null],
    ['over', { validEnd: Date.now() - 1e6 }, goodsAt(499), null],
    ['of another brand', { brandKey: 'product' as BrandKey }, goodsAt(499), null],
  ])('%s', async (_name, over, goods, expected) => {
    const code = await giveTestCoupon(database.db, playerId, over);
    expect(await priceOf(code, goods)).toBe(expected);
    expect(await placeOrder(database.db, orderOf(code, goods))).toMatchObject(
      expected === null ? { outcome: 'coupon_refused' } : { outcome: 'placed', amount_minor: expected },
    );
  });

  test("another player's works for nobody else", async () => {
    const code = await giveTestCoupon(database.db, await makePlayer(database.db));
    expect(await priceOf(code, goodsAt(499))).toBeNull();
  });
});

describe('a coupon that an unpaid order holds', () => {
  const listed = async (goods: PricedGoods) =>
    (await listCoupons(database.db, { playerId, brandKey: WATT, gameId: 'starlane', goods, limit: 9 }))[0]?.price_minor;

  test('stays with these goods and this character, and with nothing else', async () => {
    const goods = goodsAt(499);
    const code = await giveTestCoupon(database.db, playerId);
    await placeTestOrder(database.db, orderOf(code, goods));
    expect([await priceOf(code, goods), await listed(goods)]).toEqual([399, 399]);
    expect(await priceOf(code, { ...goods, receiver: null })).toBe(399);
    expect(await priceOf(code, { ...goods, receiver: { ...HERE, role_id: 'r2' } })).toBeNull();
    expect(await priceOf(code, { ...goods, productId: 'star_540' })).toBeNull();
    expect(await priceOf(code, goodsAt(599))).toBeNull();
  });

  test.each([
    ['paid: it works for nothing any more', { amount: money(399, 'USD') }, null],
    ['failed: it is free', { status: 'failed' as const }, 399],
  ])('and the order is %s', async (_name, end, expected) => {
    const code = await giveTestCoupon(database.db, playerId);
    const order = await placeTestOrder(database.db, orderOf(code, goodsAt(499)));
    await report(database.db, order, end);
    expect(await priceOf(code, goodsAt(499))).toBe(expected);
  });
});

test('what was given under a key is not had again once it was taken back', async () => {
  const give = () =>
    giveCoupons(database.db, [
      {
        playerId,
        brandKey: WATT,
        name: { en: 'Spring' },
        discountRate: '0.9',
        validFrom: Date.now(),
        validEnd: Date.now() + 1e6,
        source: 'spring',
        issueKey: 'spring/2026',
      },
    ]);
  const [code = ''] = await give();
  expect(await give()).toEqual([]);
  expect(await withdrawCoupon(database.db, playerId, code)).toBe(true);
  expect(await give()).toEqual([]);
  expect(await stateOf(code)).toBe('void');
});
