// A promo code in the life of an order: as often as it may be used and never more, given back by what closes, kept by
// what is delivered; the share of its creator follows the money. One price for the page and the order.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { BrandKey, PlayerId } from '#kernel/ids.ts';
import { type Currency, money } from '#kernel/money.ts';
import { giveTestCoupon } from '#testing/coupons.ts';
import { openTestDatabase } from '#testing/database.ts';
import { deliver } from '#testing/events.ts';
import {
  addTestRoles,
  makePlayer,
  type PlaceChanges,
  placeInput,
  placeTestOrder,
  promoOf,
  report,
} from '#testing/orders.ts';
import { placeOrder } from '#server/modules/orders/store.ts';
import { listCreatorSums, priceWithPromo } from './store.ts';
import type { PromoTerms } from './types.ts';

let database: Awaited<ReturnType<typeof openTestDatabase>>;
let playerId: PlayerId;
beforeAll(async () => {
  database = await openTestDatabase(16);
});
afterAll(() => database.drop());
beforeEach(async () => {
  playerId = await makePlayer(database.db);
});
afterEach(async () => {
  const { rows } = await database.db.query('select * from invariant_breach where breaches > 0');
  if (rows.length > 0) throw new Error(`invariants are broken: ${JSON.stringify(rows)}`);
});

const WATT = 'watt' as BrandKey;
const usedOf = async (code: string) =>
  (await database.db.query('select used from promo_code where code = $1', [code])).rows[0]?.used;
const priceOf = (
  promo: PromoTerms,
  minor: number,
  over: { currency?: Currency; dueMinor?: number; couponCode?: string } = {},
) =>
  priceWithPromo(database.db, {
    playerId,
    brandKey: WATT,
    promo,
    goods: {
      gameId: 'starlane',
      productId: 'star_60',
      price: money(minor, over.currency ?? 'USD'),
      dueMinor: over.dueMinor ?? minor,
      couponCode: over.couponCode ?? null,
      receiver: { client_id: '70021', server_id: 's1', area_id: '', role_id: 'r1' },
    },
  });
const order = (promo: PromoTerms, over: PlaceChanges = {}, who = playerId) =>
  placeInput(who, { promo: promoOf(promo), ...over });
const daysFromNow = (days: number) => new Date(Date.now() + days * 864e5).toISOString();

describe('the price that is told is the price that is ordered', () => {
  test.each<[string, PromoTerms, number, Currency, number]>([
    ['a tenth off', { code: 'TENTH', rate: '0.9' }, 499, 'USD', 449],
    ['half a cent goes up', { code: 'HALF', rate: '0.5' }, 499, 'USD', 250],
    ['won have no cents', { code: 'WON', rate: '0.85' }, 5900, 'KRW', 5015],
    ['a dollar off', { code: 'DOLLAR', off_minor: 100 }, 499, 'USD', 399],
    ['nothing off: a creator', { code: 'NONE', creator: 'kestrel', share_bp: 500 }, 499, 'USD', 499],
    ['the least itself', { code: 'LEAST2', rate: '0.9', min_spend_minor: 499 }, 499, 'USD', 449],
  ])('%s', async (_name, promo, minor, currency, due) => {
    expect(await priceOf(promo, minor, { currency })).toEqual({ amount_minor: due });
    const placed = await placeOrder(database.db, order(promo, { amount_minor: minor, currency }));
    expect(placed).toMatchObject({ outcome: 'placed', amount_minor: due });
    // The unpaid order holds it: the same price again, also where the code is good for once.
    expect(await priceOf({ ...promo, per_player: 1, total: 1 }, minor, { currency })).toEqual({ amount_minor: due });
  });

  test.each<[string, PromoTerms, number, Currency, string]>([
    ['more off than it costs', { code: 'FREE', off_minor: 499 }, 499, 'USD', 'too_small'],
    ['a price below the least', { code: 'LEAST', rate: '0.9', min_spend_minor: 500 }, 499, 'USD', 'too_small'],
    ['tomorrow', { code: 'SOON', rate: '0.9', valid_from: daysFromNow(1) }, 499, 'USD', 'not_begun'],
    ['yesterday', { code: 'OVER', rate: '0.9', valid_end: daysFromNow(-1) }, 499, 'USD', 'over'],
    ['no use at all', { code: 'ZERO', rate: '0.9', total: 0 }, 499, 'USD', 'used_up'],
  ])('not for %s', async (_name, promo, minor, currency, reason) => {
    expect(await priceOf(promo, minor, { currency })).toEqual({ reason });
    const placed = await placeOrder(database.db, order(promo, { amount_minor: minor, currency }));
    expect(placed).toEqual({ outcome: 'promo_refused', reason });
  });

  test('beside a coupon the code is for what the coupon leaves', async () => {
    const coupon = await giveTestCoupon(database.db, playerId);
    const promo = { code: 'BESIDE', rate: '0.9' };
    expect(await priceOf(promo, 1000, { dueMinor: 800, couponCode: coupon })).toEqual({ amount_minor: 720 });
    const both = order(promo, {
      amount_minor: 1000,
      coupon: { code: coupon, min_charge_minor: 1, quoted_minor: null },
    });
    expect(await placeOrder(database.db, both)).toMatchObject({ outcome: 'placed', amount_minor: 720 });
    expect(await priceOf({ ...promo, per_player: 1 }, 1000, { dueMinor: 800, couponCode: coupon })).toEqual({
      amount_minor: 720,
    });
  });

  test('a code that is to leave less than the channel takes is refused', async () => {
    const promo = { ...promoOf({ code: 'CHANNEL', off_minor: 100 }), min_charge_minor: 400 };
    expect(await placeOrder(database.db, placeInput(playerId, { promo }))).toEqual({
      outcome: 'promo_refused',
      reason: 'too_small',
    });
  });

  test('another price than the player was told, and the same goods with another code, are other prices', async () => {
    const withPromo = (quoted_minor: number) => ({
      promo: { ...promoOf({ code: 'TOLD', rate: '0.9' }), quoted_minor },
    });
    expect(await placeOrder(database.db, placeInput(playerId, withPromo(448)))).toEqual({ outcome: 'price_changed' });
    const { billingNo } = await placeTestOrder(database.db, placeInput(playerId, withPromo(449)));
    for (const promo of [null, promoOf({ code: 'OTHER', rate: '0.9' })])
      expect(
        await placeOrder(database.db, placeInput(playerId, { promo, provider: 'adyen', channel_key: 'other' })),
      ).toEqual({ outcome: 'other_price', billing_no: billingNo });
    expect(
      await placeOrder(database.db, { ...placeInput(playerId, withPromo(449)), channel_key: 'other' }),
    ).toMatchObject({
      outcome: 'placed',
      attempt_no: 2,
    });
    expect(await usedOf('TOLD')).toBe(1);
  });
});

describe('limits', () => {
  test('500 orders at once use a code exactly as often as it may be used', async () => {
    const players = await Promise.all(Array.from({ length: 50 }, () => makePlayer(database.db)));
    for (const player of players) await addTestRoles(database.db, player, 10);
    const promo = { code: 'RUSH', rate: '0.9', total: 37, per_player: 2 };
    const outcomes = await Promise.all(
      players.flatMap((player) =>
        Array.from({ length: 10 }, (_, n) =>
          placeOrder(database.db, order(promo, { role_id: `role-${n + 1}` }, player)),
        ),
      ),
    );
    expect(outcomes.filter(({ outcome }) => outcome === 'placed')).toHaveLength(37);
    expect(await usedOf('RUSH')).toBe(37);
    const { rows } = await database.db.query(
      `select max(uses)::integer as most
        from (select count(*) as uses from orders where promo_code = 'RUSH' group by player_id) u`,
    );
    expect(rows[0]?.most).toBeLessThanOrEqual(2);
  });

  test('a use is given back by what closes or is refunded before its goods went out, and stays with what was delivered', async () => {
    const promo = { code: 'ONCE', rate: '0.5', total: 1 };
    const other = await makePlayer(database.db);
    const refused = () => placeOrder(database.db, order(promo, {}, other));
    for (const end of ['failed', 'expired'] as const) {
      const open = await placeTestOrder(database.db, order(promo));
      expect(await refused()).toEqual({ outcome: 'promo_refused', reason: 'used_up' });
      await report(database.db, open, { status: end });
      expect(await usedOf('ONCE')).toBe(0);
    }
    const gone = await placeTestOrder(database.db, order(promo));
    await report(database.db, gone, { amount: money(250, 'USD') });
    await report(database.db, gone, { status: 'refunded', amount: money(250, 'USD') });
    expect(await usedOf('ONCE')).toBe(0);
    const kept = await placeTestOrder(database.db, order(promo));
    await report(database.db, kept, { amount: money(250, 'USD') });
    await deliver(database.db, { playerId, ...kept, amount: money(250, 'USD') });
    await report(database.db, kept, { status: 'refunded', amount: money(250, 'USD') });
    expect(await refused()).toEqual({ outcome: 'promo_refused', reason: 'used_up' });
  });

  test('late money takes the use again, or goes back where others have used the code up', async () => {
    const promo = { code: 'LATE', rate: '0.5', total: 1 };
    const late = await placeTestOrder(database.db, order(promo));
    await report(database.db, late, { status: 'expired' });
    const other = await makePlayer(database.db);
    const holder = await placeTestOrder(database.db, order(promo, {}, other));
    expect(await report(database.db, late, { amount: money(250, 'USD') })).toMatchObject({ outcome: 'late_refused' });
    await report(database.db, holder, { status: 'failed' });
    expect(await report(database.db, holder, { amount: money(250, 'USD') })).toMatchObject({ outcome: 'late_paid' });
    expect(await usedOf('LATE')).toBe(1);
  });

  test('late money of a first purchase goes back where another order has been it since', async () => {
    const promo = { code: 'FIRSTLATE', rate: '0.5', is_first: true };
    const late = await placeTestOrder(database.db, order(promo));
    await report(database.db, late, { status: 'expired' });
    const second = await placeTestOrder(database.db, order(promo));
    await report(database.db, second, { amount: money(250, 'USD') });
    expect(await report(database.db, late, { amount: money(250, 'USD') })).toMatchObject({ outcome: 'late_refused' });
    expect(await usedOf('FIRSTLATE')).toBe(1);
    // Nothing else was bought meanwhile: then the price that was agreed holds.
    const other = await makePlayer(database.db);
    const alone = await placeTestOrder(database.db, order(promo, {}, other));
    await report(database.db, alone, { status: 'expired' });
    expect(await report(database.db, alone, { amount: money(250, 'USD') })).toMatchObject({ outcome: 'late_paid' });
  });

  test('a code for a first purchase is for nobody who has bought, and for one open order', async () => {
    await addTestRoles(database.db, playerId, 2);
    const promo = { code: 'FIRST', rate: '0.5', is_first: true };
    const first = await placeTestOrder(database.db, order(promo));
    expect(await placeOrder(database.db, order(promo, { role_id: 'role-1' }))).toEqual({
      outcome: 'promo_refused',
      reason: 'not_first',
    });
    await report(database.db, first, { status: 'failed' });
    const plain = await placeTestOrder(database.db, placeInput(playerId, { role_id: 'role-2' }));
    await report(database.db, plain, { amount: money(499, 'USD') });
    expect(await placeOrder(database.db, order(promo))).toEqual({ outcome: 'promo_refused', reason: 'not_first' });
    // Its goods never went out: it was no purchase.
    await report(database.db, plain, { status: 'refunded', amount: money(499, 'USD') });
    expect(await placeOrder(database.db, order(promo))).toMatchObject({ outcome: 'placed' });
  });
});

test('who bought by an order that lies in files has bought', async () => {
  const buyer = await makePlayer(database.db);
  const promo = { code: 'FIRST-FILED', rate: '0.5', is_first: true };
  await database.db.query('insert into archived_buyer (player_id, orders) values ($1, 1)', [buyer]);
  expect(await placeOrder(database.db, order(promo, {}, buyer))).toMatchObject({ reason: 'not_first' });
});

test('a first purchase is decided when the order is placed: an order that stood unpaid beside it may be paid too', async () => {
  await addTestRoles(database.db, playerId, 2);
  const plain = await placeTestOrder(database.db, placeInput(playerId, { role_id: 'role-2' }));
  const promo = { code: 'FIRST-BESIDE', rate: '0.5', is_first: true };
  const withCode = await placeTestOrder(database.db, order(promo));
  await report(database.db, plain, { amount: money(499, 'USD') });
  // The code is not for this player any more, and yet the price that was agreed to stands.
  expect(await placeOrder(database.db, order(promo, { role_id: 'role-1' }))).toMatchObject({ reason: 'not_first' });
  expect(await report(database.db, withCode, { amount: money(250, 'USD') })).toMatchObject({ outcome: 'paid' });
  expect(await usedOf('FIRST-BESIDE')).toBe(1);
});

describe('the share of a creator', () => {
  const promo = { code: 'KESTREL', rate: '0.9', creator: 'kestrel', share_bp: 1250 };
  const sums = () =>
    listCreatorSums(database.db, { brandKey: WATT, timeZone: 'UTC', creator: 'kestrel', from: null, until: null });

  test('is of what was paid, booked with the delivery, lowered by refunds, and gone with a chargeback', async () => {
    // 449 of 499, an eighth: 56.
    const buy = async () => {
      const placed = await placeTestOrder(database.db, order(promo));
      await report(database.db, placed, { amount: money(449, 'USD') });
      return { playerId, ...placed, amount: money(449, 'USD') };
    };
    const first = await buy();
    expect(await sums()).toEqual([]);
    await deliver(database.db, first);
    expect(await sums()).toMatchObject([{ currency: 'USD', orders: 1, earned_minor: 56, share_minor: 56 }]);
    // Half of it, 225 of 449: 27 are left, rounded down.
    await report(database.db, first, { status: 'refunded', amount: money(225, 'USD') });
    expect(await sums()).toMatchObject([{ earned_minor: 56, taken_back_minor: -29, share_minor: 27 }]);
    await report(database.db, first, { status: 'chargeback', amount: money(449, 'USD') });
    expect(await sums()).toMatchObject([{ orders: 1, taken_back_minor: -56, share_minor: 0 }]);
    const second = await buy();
    await deliver(database.db, second);
    await report(database.db, second, { status: 'refunded', amount: money(449, 'USD') });
    expect(await sums()).toMatchObject([{ orders: 2, earned_minor: 112, share_minor: 0 }]);
  });
});

describe('the bonus of a first purchase', () => {
  const gifts = [{ id: 'crystals', name: 'Crystals', count: 60, isCurrency: true }];
  const withBonus = (over: PlaceChanges = {}, is_told = false) =>
    placeInput(playerId, { first_bonus: { season: 'ever', gifts, is_told }, ...over });
  const giftsOf = async (billingNo: string) =>
    (await database.db.query('select product -> $2 as gifts from orders where billing_no = $1', [billingNo, 'gifts']))
      .rows[0]?.gifts;

  test('is sold with one of many orders at once, freed by what closes, and never given again', async () => {
    await addTestRoles(database.db, playerId, 12);
    const placed = await Promise.all(
      Array.from({ length: 12 }, (_, n) => placeTestOrder(database.db, withBonus({ role_id: `role-${n + 1}` }))),
    );
    const sold = await Promise.all(placed.map(({ billingNo }) => giftsOf(billingNo)));
    expect(sold.filter((list) => list.length > 0)).toEqual([[{ ...gifts[0], isFirst: true }]]);
    expect(await placeOrder(database.db, withBonus({}, true))).toEqual({ outcome: 'bonus_gone' });

    const holder = placed[sold.findIndex((list) => list.length > 0)];
    if (!holder) throw new Error('nobody has it');
    await report(database.db, holder, { status: 'expired' });
    const next = await placeTestOrder(database.db, withBonus({}, true));
    expect(await giftsOf(next.billingNo)).toHaveLength(1);
    // The player was promised what another order has now: the late money goes back.
    expect(await report(database.db, holder, { amount: money(499, 'USD') })).toMatchObject({ outcome: 'late_refused' });

    await report(database.db, next, { amount: money(499, 'USD') });
    await deliver(database.db, { playerId, ...next, amount: money(499, 'USD') });
    await report(database.db, next, { status: 'refunded', amount: money(499, 'USD') });
    const again = await placeTestOrder(database.db, withBonus());
    expect(await giftsOf(again.billingNo)).toEqual([]);
    const anew = withBonus({
      role_id: 'role-9',
      first_bonus: { season: 'winter', gifts, is_told: true },
      product_id: 'star_61',
    });
    expect(await giftsOf((await placeTestOrder(database.db, anew)).billingNo)).toHaveLength(1);
  });
});
