// Coupons of levels: who may claim them, how often, and what becomes of them when the level is lost.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { BrandKey, PlayerId } from '#kernel/ids.ts';
import type { LevelCoupon } from '#server/modules/configuration/service.ts';
import { cancelOrder, findOperatedOrder } from '#server/modules/orders/operator/operate-store.ts';
import { placeOrder } from '#server/modules/orders/store.ts';
import type { Db } from '#server/platform/database/db.ts';
import { openTestDatabase } from '#testing/database.ts';
import { makePlayer, placeInput } from '#testing/orders.ts';
import { claimLevelCoupon, listLevelCoupons, operatePoints } from './store.ts';

let db: Db;
let drop: () => Promise<void>;
let player: PlayerId;
beforeAll(async () => {
  ({ db, drop } = await openTestDatabase(10));
});
afterAll(() => drop());
beforeEach(async () => {
  player = await makePlayer(db);
});

const coupon = (over: Partial<LevelCoupon> = {}): LevelCoupon => ({
  id: 'gold-week',
  type: 'week',
  name: { en: 'Weekly' },
  rate: '0.8',
  days: null,
  minSpend: {},
  games: [],
  products: [],
  needPoints: 100,
  ...over,
});
const permanent = coupon({ id: 'gold-gift', type: 'permanent', days: 30 });
const timeZone = 'Europe/Berlin';
const claim = (one: LevelCoupon) =>
  claimLevelCoupon(db, { playerId: player, brandKey: 'watt' as BrandKey, timeZone, coupon: one });
const state = async (one: LevelCoupon) =>
  (await listLevelCoupons(db, { playerId: player, timeZone, coupons: [one] }))[0];
const buy = (code: string, over: Parameters<typeof placeInput>[1] = {}) =>
  placeOrder(db, placeInput(player, { coupon: { code, min_charge_minor: 1, quoted_minor: null }, ...over }));

test.each([coupon(), permanent])('$id: locked, claimable, claimed; claimed once by 50 at once', async (one) => {
  expect((await state(one))?.state).toBe('locked');
  expect(await claim(one)).toBe(false);
  await operatePoints(db, player, 100);
  expect((await state(one))?.state).toBe('claimable');
  const claims = await Promise.all(Array.from({ length: 50 }, () => claim(one)));
  expect(new Set(claims)).toEqual(new Set([true]));
  const { rows } = await db.query('select code, state, need_points from coupon where player_id = $1', [player]);
  expect(rows).toEqual([{ code: (await state(one))?.code, state: 'free', need_points: 100 }]);
  expect((await state(one))?.state).toBe('claimed');
});

describe('L71 the calendar of the brand', () => {
  const period = async (type: string, zone: string, at: string) => {
    const { rows } = await db.query<{ key: string; hours: number; begins_at: Date }>(
      `select period_key as key, begins_at, extract(epoch from ends_at - begins_at)::integer / 3600 as hours
       from level_period($1, $2, $3::timestamptz)`,
      [type, zone, at],
    );
    return `${rows[0]?.key} ${rows[0]?.begins_at.toISOString()} ${rows[0]?.hours}`;
  };

  test.each([
    ['a week begins on Monday', 'week', 'Europe/Berlin', '2026-07-08T12:00Z', '2026-07-06 2026-07-05T22:00:00.000Z 168'],
    ['Sunday late is the same week', 'week', 'Europe/Berlin', '2026-07-12T21:59Z', '2026-07-06 2026-07-05T22:00:00.000Z 168'],
    ['Monday in the zone, Sunday in UTC', 'week', 'Europe/Berlin', '2026-07-12T22:00Z', '2026-07-13 2026-07-12T22:00:00.000Z 168'],
    ['Monday in Tokyo long before', 'week', 'Asia/Tokyo', '2026-07-12T15:00Z', '2026-07-13 2026-07-12T15:00:00.000Z 168'],
    ['the week that loses an hour', 'week', 'Europe/Berlin', '2026-03-29T10:00Z', '2026-03-23 2026-03-22T23:00:00.000Z 167'],
    ['the week that has one more', 'week', 'Europe/Berlin', '2026-10-25T10:00Z', '2026-10-19 2026-10-18T22:00:00.000Z 169'],
    ['after the change', 'week', 'Europe/Berlin', '2026-10-25T23:00Z', '2026-10-26 2026-10-25T23:00:00.000Z 168'],
    ['over New Year', 'week', 'Etc/UTC', '2027-01-01T00:00Z', '2026-12-28 2026-12-28T00:00:00.000Z 168'],
    ['a month with a change', 'month', 'America/New_York', '2026-03-15T00:00Z', '2026-03 2026-03-01T05:00:00.000Z 743'],
    ['the last hour of a month', 'month', 'Asia/Tokyo', '2026-01-31T14:59Z', '2026-01 2025-12-31T15:00:00.000Z 744'],
    ['the first of the next', 'month', 'Asia/Tokyo', '2026-01-31T15:00Z', '2026-02 2026-01-31T15:00:00.000Z 672'],
    ['midnight that does not exist', 'month', 'Africa/Cairo', '2026-04-30T12:00Z', '2026-04 2026-03-31T22:00:00.000Z 719'],
  ])('%s', async (_name, type, zone, at, expected) => {
    expect(await period(type, zone, at)).toBe(expected);
  }); /* a row a line */ // prettier-ignore

  test('a week coupon can be had again in the next week, a permanent one never again', async () => {
    await operatePoints(db, player, 100);
    await claim(coupon());
    await claim(permanent);
    // A week later by the calendar: the code of this week is another one.
    await db.query(
      `update coupon set code = 'gold-week.2020-01-06', issue_key = 'gold-week.2020-01-06'
      where player_id = $1 and code like 'gold-week%'`,
      [player],
    );
    expect((await state(coupon()))?.state).toBe('claimable');
    expect(await claim(coupon())).toBe(true);
    await db.query(
      `update coupon set valid_from = now() - interval '60 days', valid_end = now() - interval '30 days'
      where player_id = $1 and code = 'gold-gift'`,
      [player],
    );
    expect((await state(permanent))?.state).toBe('claimed');
  });
});

describe('a lost level', () => {
  test('withdraws what is unused, and gives it back with the level', async () => {
    await operatePoints(db, player, 100);
    await claim(permanent);
    await operatePoints(db, player, -1);
    expect((await state(permanent))?.state).toBe('locked');
    expect((await buy('gold-gift')).outcome).toBe('coupon_refused');
    await operatePoints(db, player, 1);
    expect((await state(permanent))?.state).toBe('claimed');
    expect((await buy('gold-gift')).outcome).toBe('placed');
  });

  test('leaves what an order has; when the order is closed unpaid, it is withdrawn too', async () => {
    await operatePoints(db, player, 100);
    await claim(permanent);
    const placed = await buy('gold-gift');
    if (placed.outcome !== 'placed') throw new Error(placed.outcome);
    await operatePoints(db, player, -100);
    expect((await state(permanent))?.state).toBe('claimed');
    const order = await findOperatedOrder(db, placed.billing_no);
    if (order) await cancelOrder(db, order, [1]);
    expect((await state(permanent))?.state).toBe('locked');
    expect((await buy('gold-gift', { product_id: 'other' })).outcome).toBe('coupon_refused');
  });
});
