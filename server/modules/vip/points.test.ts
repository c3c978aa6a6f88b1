// Points in the books of orders: earned by the delivery, taken back with the money, whatever comes first.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PlayerId } from '#kernel/ids.ts';
import { money } from '#kernel/money.ts';
import { leaseDeliveries, recordDeliveryResults } from '#server/modules/orders/deliveries/delivery-store.ts';
import { pointsFor } from '#server/modules/pricing/rules.ts';
import type { Db } from '#server/platform/database/db.ts';
import { giveTestCoupon } from '#testing/coupons.ts';
import { openTestDatabase } from '#testing/database.ts';
import { makePlayer, placeInput, placeTestOrder, report, type PlaceChanges, resultsOf } from '#testing/orders.ts';
import { listPoints, readPoints } from './store.ts';

let db: Db;
let drop: () => Promise<void>;
let player: PlayerId;
beforeAll(async () => {
  ({ db, drop } = await openTestDatabase(4));
});
afterAll(() => drop());
beforeEach(async () => {
  player = await makePlayer(db);
});

/** Ten points a dollar: 499 cents are 49. */
const RATE = { points: 10, per_minor: 100 };
const place = (over: PlaceChanges = {}) => placeTestOrder(db, placeInput(player, { points_rate: RATE, ...over }));
const lease = () => leaseDeliveries(db, 100, 15, []);
const done = (leased: Awaited<ReturnType<typeof lease>>) => recordDeliveryResults(db, resultsOf(leased));
const placeDelivered = async (over: PlaceChanges = {}) => {
  const order = await place(over);
  await report(db, order);
  await done(await lease());
  return order;
};
const kinds = async () => (await listPoints(db, player, 9)).map(({ kind, points }) => `${kind} ${points}`).toReversed();
const breaches = async () => (await db.query('select * from invariant_breach where breaches > 0')).rows;

describe('L206 points for the amount spent', () => {
  test.each([
    [499, 'USD', RATE, 49],
    [1, 'USD', RATE, 0],
    [10, 'USD', RATE, 1],
    [800, 'JPY', { points: 7, per_minor: 100 }, 56],
    [99_999_999_999_999, 'USD', { points: 1_000_000, per_minor: 100_000_000 }, 999_999_999_999],
  ] as const)('%i of %s at %j are %i, for the page and for the order', async (minor, currency, rate, points) => {
    expect(pointsFor(rate, money(minor, currency))).toBe(points);
    await place({ amount_minor: minor, currency, points_rate: rate });
    const { rows } = await db.query('select points from orders where player_id = $1', [player]);
    expect(rows).toEqual([{ points }]);
  });

  test('come with the delivery, not before, and once', async () => {
    const order = await place();
    await report(db, order);
    expect(await readPoints(db, player)).toBe(0);
    const leased = await lease();
    await done(leased);
    await done(leased);
    expect(await kinds()).toEqual(['delivered 49']);
    expect(await breaches()).toEqual([]);
  });

  test('are of what is paid with a coupon', async () => {
    const code = await giveTestCoupon(db, player);
    const order = await place({ coupon: { code, min_charge_minor: 1, quoted_minor: 399 } });
    await report(db, order, { amount: money(399, 'USD') });
    await done(await lease());
    expect(await readPoints(db, player)).toBe(39);
  });

  test('are not earned without a programme', async () => {
    await placeDelivered({ points_rate: null });
    expect(await kinds()).toEqual([]);
    expect(await breaches()).toEqual([]);
  });
});

describe('money that goes back takes its points', () => {
  test.each(['refunded', 'chargeback'] as const)('%s after the delivery, told twice', async (status) => {
    const order = await placeDelivered();
    await report(db, order, { status });
    await report(db, order, { status });
    expect(await kinds()).toEqual(['delivered 49', `${status} -49`]);
    expect(await readPoints(db, player)).toBe(0);
    expect(await breaches()).toEqual([]);
  });

  test.each(['refunded', 'chargeback'] as const)(
    '%s while the game was being called: nothing is earned',
    async (status) => {
      const order = await place();
      await report(db, order);
      const leased = await lease();
      await report(db, order, { status });
      // The game's late yes is believed.
      expect(await done(leased)).toBe(1);
      expect(await kinds()).toEqual([]);
      expect(await breaches()).toEqual([]);
    },
  );

  test('a refund and a late delivery at the same moment agree', async () => {
    for (let round = 0; round < 12; round += 1) {
      const order = await place({ role_id: 'r1', product_id: `p${round}` });
      await report(db, order);
      const leased = await lease();
      await Promise.all([done(leased), report(db, order, { status: round % 2 === 0 ? 'refunded' : 'chargeback' })]);
      expect(await readPoints(db, player)).toBe(0);
    }
    expect(await breaches()).toEqual([]);
  });

  test('a part takes its part, rounded so that only whole points of the rest stay; the last part takes all', async () => {
    const order = await placeDelivered();
    const part = (amountMinor: number, dedupKey: string | null) =>
      report(db, order, { status: 'refunded', amount: money(amountMinor, 'USD'), dedupKey });
    await part(100, 'part-1');
    await part(100, 'part-1');
    // A poll may tell of the same part.
    await part(100, null);
    // 49 points of 499 cents: 399 cents keep 39.
    expect(await readPoints(db, player)).toBe(39);
    await part(100, 'part-2');
    expect(await readPoints(db, player)).toBe(29);
    await report(db, order, { status: 'refunded' });
    expect(await kinds()).toEqual(['delivered 49', 'refunded -10', 'refunded -10', 'refunded -29']);
    expect(await breaches()).toEqual([]);
  });

  test('a part that went back before the delivery is not credited', async () => {
    const order = await place();
    await report(db, order);
    const leased = await lease();
    await report(db, order, { status: 'refunded', amount: money(100, 'USD') });
    await done(leased);
    expect(await kinds()).toEqual(['delivered 39']);
    expect(await breaches()).toEqual([]);
  });

  test('a second payment that goes back was never worth points', async () => {
    const order = await place();
    await place({ provider: 'adyen', channel_key: 'adyen' });
    await report(db, order);
    await done(await lease());
    await report(db, { ...order, attemptNo: 2 }, { provider: 'adyen' });
    await report(db, { ...order, attemptNo: 2 }, { provider: 'adyen', status: 'chargeback' });
    expect(await readPoints(db, player)).toBe(49);
    expect(await breaches()).toEqual([]);
  });
});

test('the ledger is append-only', async () => {
  await placeDelivered();
  await expect(db.query('update points_entry set points = 1')).rejects.toThrow('append-only');
  await expect(db.query('delete from points_entry')).rejects.toThrow('append-only');
});

test('the invariants see points without an order, and an order that kept them', async () => {
  const client = await db.connect();
  try {
    await client.query('begin');
    await client.query(
      `insert into points_entry (player_id, billing_no, kind, entry_no, points) values ($1, 'none', 'delivered', 1, 5)`,
      [player],
    );
    const { rows } = await client.query('select billing_no from invariant_i30_points_follow_orders');
    expect(rows).toEqual([{ billing_no: 'none' }]);
  } finally {
    await client.query('rollback');
    client.release();
  }
});
