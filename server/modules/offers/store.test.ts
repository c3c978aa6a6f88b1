// Offers in the database: open when and for whom the files say, taken like a coupon, once under any crowd, given back.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { BrandKey, GameId, PlayerId } from '#kernel/ids.ts';
import { money } from '#kernel/money.ts';
import { openTestDatabase } from '#testing/database.ts';
import { deliver } from '#testing/events.ts';
import { addTestRoles, makePlayer, placeInput, placeTestOrder, report } from '#testing/orders.ts';
import { type PlaceInput, placeOrder } from '#server/modules/orders/store.ts';
import { givePersonalOffer, listOpenOffers, type OfferRun, type PersonalOffer, takeOffer } from './store.ts';

let database: Awaited<ReturnType<typeof openTestDatabase>>;
let playerId: PlayerId;
beforeAll(async () => {
  database = await openTestDatabase(12);
});
afterAll(() => database.drop());
beforeEach(async () => {
  playerId = await makePlayer(database.db);
});

const WATT = 'watt' as BrandKey;
const STARLANE = 'starlane' as GameId;
const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
const runOf = (over: Partial<OfferRun> = {}): OfferRun => ({
  run: 'starlane/flash.2026-11-23',
  times: 1,
  game_id: STARLANE,
  product_id: 'star_260',
  name: { en: 'Flash' },
  prices: { USD: 299 },
  valid_from: at(-60),
  valid_end: at(60),
  after: null,
  ...over,
});
const open = (runs: readonly OfferRun[], over: Partial<Parameters<typeof listOpenOffers>[1]> = {}) =>
  listOpenOffers(database.db, {
    playerId,
    brandKey: WATT,
    gameId: STARLANE,
    runs,
    amounts: { star_260: 499, star_540: 999 },
    currency: 'USD',
    receiver: null,
    ...over,
  });
const CODE = 'offer:starlane/flash.2026-11-23:1';
const take = (run: OfferRun, code = CODE) => takeOffer(database.db, { playerId, brandKey: WATT, run, code });
const orderBy = (code: string, over: Parameters<typeof placeInput>[1] = {}): PlaceInput =>
  placeInput(playerId, {
    product_id: 'star_260',
    amount_minor: 499,
    coupon: { code, min_charge_minor: 1, quoted_minor: 299 },
    ...over,
  });

test.each<[string, Partial<OfferRun>, [string, number][]]>([
  ['in its window', {}, [[CODE, 299]]],
  ['not before', { valid_from: at(1) }, []],
  ['not after', { valid_end: at(-1) }, []],
  ['not where it is no cheaper', { prices: { USD: 499 } }, []],
  ['not in another currency', { prices: { JPY: 300 } }, []],
  ['not for goods that are not sold here', { product_id: 'star_gone' }, []],
])('is open %s', async (_name, over, expected) => {
  expect((await open([runOf(over)])).map((row) => [row.code, row.price_minor])).toEqual(expected);
});

test('the price that is told is the price that is ordered, and only a row is written by an order', async () => {
  const run = runOf();
  const [row] = await open([run]);
  expect(row?.price_minor).toBe(299);
  const { rows } = await database.db.query('select count(*)::integer as n from coupon where player_id = $1', [
    playerId,
  ]);
  expect(rows).toEqual([{ n: 0 }]);
  expect(await take(run)).toBe(true);
  expect(await placeOrder(database.db, orderBy(CODE))).toMatchObject({ outcome: 'placed', amount_minor: 299 });
});

test('a price that the files changed meanwhile is told, not charged', async () => {
  await take(runOf());
  await take(runOf({ prices: { USD: 349 } }));
  expect(await placeOrder(database.db, orderBy(CODE))).toMatchObject({ outcome: 'price_changed' });
});

test('what is over is not taken', async () => {
  expect(await take(runOf({ valid_end: at(-1) }))).toBe(false);
  expect(await take(runOf(), 'offer:starlane/flash.2026-11-23:2')).toBe(false);
});

test('500 orders at once use it once', async () => {
  // A character has one unpaid order of a product at a time, so others of the player want it too.
  await addTestRoles(database.db, playerId, 4);
  const run = runOf();
  const outcomes = await Promise.all(
    Array.from({ length: 500 }, async (_, index) => {
      if (!(await take(run))) return 'closed';
      return (await placeOrder(database.db, orderBy(CODE, { role_id: `role-${index % 5}` }))).outcome;
    }),
  );
  expect(new Set(outcomes).isSubsetOf(new Set(['placed', 'repeat', 'coupon_refused']))).toBe(true);
  const { rows } = await database.db.query(
    `select coupon_code, amount_minor::integer as amount from orders where player_id = $1`,
    [playerId],
  );
  expect(rows).toEqual([{ coupon_code: CODE, amount: 299 }]);
}, 60_000);

describe('comes back when its order', () => {
  test.each(['failed', 'expired'] as const)('%s', async (status) => {
    const run = runOf();
    await take(run);
    const order = await placeTestOrder(database.db, orderBy(CODE));
    // Held: it stays with this order, and is offered to go on with it.
    expect(await open([run])).toMatchObject([{ code: CODE, price_minor: 299 }]);
    await report(database.db, order, { status });
    expect(await open([run])).toMatchObject([{ code: CODE, price_minor: 299 }]);
    expect(await take(run)).toBe(true);
    expect(await placeOrder(database.db, orderBy(CODE))).toMatchObject({ outcome: 'placed' });
  });

  test('expired, and has another price since: late money gets the goods on the terms of its order', async () => {
    await take(runOf());
    const order = await placeTestOrder(database.db, orderBy(CODE));
    await report(database.db, order, { status: 'expired' });
    expect(await take(runOf({ prices: { USD: 349 } }))).toBe(true);
    expect(await report(database.db, order, { amount: money(299, 'USD') })).toMatchObject({ outcome: 'late_paid' });
    const { rows } = await database.db.query(
      `select c.state, c.prices, (select count(*)::integer from invariant_i43_offers_as_agreed v
         where v.player_id = c.player_id) as breaches from coupon c where c.player_id = $1`,
      [playerId],
    );
    expect(rows).toEqual([{ state: 'taken', prices: { USD: 299 }, breaches: 0 }]);
  });

  test('and not once it was paid', async () => {
    const run = runOf();
    await take(run);
    const order = await placeTestOrder(database.db, orderBy(CODE));
    await report(database.db, order, { amount: money(299, 'USD') });
    expect(await open([run])).toEqual([]);
    expect(await take(run)).toBe(false);
  });
});

test('times: after one the next, until none is left', async () => {
  const run = runOf({ times: 2 });
  for (const code of [CODE, 'offer:starlane/flash.2026-11-23:2']) {
    expect(await open([run])).toMatchObject([{ code }]);
    await take(run, code);
    await report(database.db, await placeTestOrder(database.db, orderBy(code)), { amount: money(299, 'USD') });
  }
  expect(await open([run])).toEqual([]);
});

describe('after a purchase', () => {
  const after = (minutes: number, products: string[] = ['star_540']) => runOf({ after: { products, minutes } });
  const buy = async (productId: string, deliveredAgo = 0) => {
    const order = await placeTestOrder(database.db, placeInput(playerId, { product_id: productId }));
    await report(database.db, order, { amount: money(499, 'USD') });
    await deliver(database.db, { playerId, billingNo: order.billingNo } as never);
    await database.db.query(
      'update orders set delivered_at = now() - make_interval(mins => $3) where player_id = $1 and billing_no = $2',
      [playerId, order.billingNo, deliveredAgo],
    );
  };

  test('of one of its products, for as long as it stands', async () => {
    expect(await open([after(30)])).toEqual([]);
    await buy('star_50');
    expect(await open([after(30)])).toEqual([]);
    await buy('star_540', 10);
    const [row] = await open([after(30)]);
    expect(Math.round(((row?.valid_end.getTime() ?? 0) - Date.now()) / 60_000)).toBe(20);
    expect(await open([after(9)])).toEqual([]);
  });

  test('of any product where none is named, and never of what it sold itself', async () => {
    const run = runOf({ times: 2, after: { products: [], minutes: 30 } });
    await buy('star_50', 20);
    expect(await take(run)).toBe(true);
    const order = await placeTestOrder(database.db, orderBy(CODE));
    await report(database.db, order, { amount: money(299, 'USD') });
    await deliver(database.db, { playerId, billingNo: order.billingNo } as never);
    const [row] = await open([run]);
    expect(Math.round(((row?.valid_end.getTime() ?? 0) - Date.now()) / 60_000)).toBe(10);
  });
});

describe('a personal one', () => {
  const personal = (over: Partial<PersonalOffer> = {}): PersonalOffer => ({
    playerId,
    brandKey: WATT,
    code: 'offer:starlane/@back',
    name: { en: 'Welcome back' },
    gameId: STARLANE,
    productId: 'star_540',
    prices: { USD: 199 },
    until: Math.ceil(Date.now() / 1000 + 3600) * 1000,
    source: 'game starlane',
    ...over,
  });

  test('is given once; again on the same terms it is the same, on others it stays as it was', async () => {
    const offer = personal();
    expect(await givePersonalOffer(database.db, offer)).toBe('given');
    expect(await givePersonalOffer(database.db, offer)).toBe('same');
    expect(await givePersonalOffer(database.db, { ...offer, prices: { USD: 99 } })).toBe('other');
    expect(await open([])).toMatchObject([{ code: offer.code, price_minor: 199, name: { en: 'Welcome back' } }]);
  });

  test('is for its player alone, in its game, until its end', async () => {
    const offer = personal();
    await givePersonalOffer(database.db, offer);
    const other = await makePlayer(database.db);
    expect(await open([], { playerId: other })).toEqual([]);
    expect(await open([], { gameId: 'emberfall' as GameId })).toEqual([]);
    const stolen = { ...orderBy(offer.code, { product_id: 'star_540', amount_minor: 999 }), player_id: other };
    expect(await placeOrder(database.db, stolen)).toMatchObject({ outcome: 'coupon_refused' });
    await database.db.query(
      `update coupon set valid_from = now() - interval '2 hours', valid_end = now() where player_id = $1`,
      [playerId],
    );
    expect(await open([])).toEqual([]);
  });
});
