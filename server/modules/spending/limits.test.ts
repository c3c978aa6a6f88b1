// Caps of age and of the player's own, counted where orders are placed: by the calendar, over all games, under
// concurrency, and given back with the money.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { AGE_CAPS } from '#kernel/age-caps.ts';
import { ageInMonth } from '#kernel/age.ts';
import type { PlayerId } from '#kernel/ids.ts';
import { placeOrder, type PlaceOutcome } from '#server/modules/orders/store.ts';
import { type Db, callFunction } from '#server/platform/database/db.ts';
import { openTestDatabase } from '#testing/database.ts';
import {
  type PlaceChanges,
  makePlayer,
  placeInput,
  placeTestOrder,
  report,
  withoutTransitionLaw,
} from '#testing/orders.ts';
import { declareAge, pauseSpending, readCaps, readLimits, setCap } from './store.ts';
import type { PayerRules } from './spending-types.ts';

const RULES: PayerRules = { real_name: false, age_caps: AGE_CAPS.japan, asks_age: true, time_zone: 'Asia/Tokyo' };
const FREE: PayerRules = { ...RULES, age_caps: null, asks_age: false };

let db: Db;
let drop: () => Promise<void>;
let player: PlayerId;
beforeAll(async () => {
  ({ db, drop } = await openTestDatabase(30));
});
afterAll(() => drop());
beforeEach(async () => {
  player = await makePlayer(db);
});

let products = 0;
/** An order in yen for goods of its own, so that no unpaid one stands in its way. */
function yen(amount: number, over: PlaceChanges = {}) {
  products += 1;
  return placeInput(player, {
    amount_minor: amount,
    currency: 'JPY',
    product_id: `p${products}`,
    payer_rules: RULES,
    ...over,
  });
}
const place = (amount: number, over: PlaceChanges = {}): Promise<PlaceOutcome> => placeOrder(db, yen(amount, over));
const outcomeOf = async (amount: number, over: PlaceChanges = {}) => (await place(amount, over)).outcome;
/** Whoever was born a month ago so many years before has this age for certain. */
function born(age: number): Promise<boolean> {
  const date = new Date();
  date.setDate(1);
  date.setMonth(date.getMonth() - 1 - age * 12);
  const said = { birthYear: date.getFullYear(), birthMonth: date.getMonth() + 1, hasConsent: true };
  return declareAge(db, player, said, null);
}
const left = async (rules = RULES, currency: 'JPY' | 'USD' = 'JPY') =>
  Object.fromEntries(
    (await readLimits(db, player, rules, currency)).map((one) => [one.kind, one.cap_minor - one.used_minor]),
  );
const amount = (of: number) => ({ amount: { amountMinor: of, currency: 'JPY' as const } });
/** Puts an order back in time, with all that counts it. */
const moveOrder = (billingNo: string, to: string) =>
  withoutTransitionLaw(db, 'update orders set created_at = $2 where billing_no = $1', [billingNo, to]);

describe('the age', () => {
  test.each([
    [15, 5000],
    [16, 20_000],
    [17, 20_000],
  ])('L126 at %i a month has %i yen: up to it exactly, and not one yen more', async (age, cap) => {
    await born(age);
    expect(await outcomeOf(cap - 1)).toBe('placed');
    expect(await place(2)).toEqual({ outcome: 'cap_reached', kind: 'age', left_minor: 1 });
    expect(await outcomeOf(1)).toBe('placed');
    expect(await outcomeOf(1)).toBe('cap_reached');
    expect(await left()).toEqual({ age: 0 });
  });

  test('L126 at 18 there is no cap', async () => {
    await born(18);
    expect(await outcomeOf(1_000_000)).toBe('placed');
    expect(await left()).toEqual({});
  });

  test('L126 who has not said how old they are buys nothing where minors have caps, and everything elsewhere', async () => {
    expect(await outcomeOf(1)).toBe('age_unknown');
    expect(await outcomeOf(1, { payer_rules: FREE })).toBe('placed');
  });

  test('L126 all games of the brand count together, and no other player', async () => {
    await born(15);
    expect(await outcomeOf(4000, { game_id: 'starlane' as never })).toBe('placed');
    expect(await outcomeOf(1001, { game_id: 'emberfall' as never })).toBe('cap_reached');
    player = await makePlayer(db);
    await born(15);
    expect(await outcomeOf(5000)).toBe('placed');
  });

  test('L126 months are those of Tokyo', async () => {
    await born(15);
    const { rows } = await db.query(
      `select date_trunc('month', now() at time zone 'Asia/Tokyo') at time zone 'Asia/Tokyo' as starts`,
    );
    const starts = rows[0].starts as Date;
    const order = await placeTestOrder(db, yen(5000));
    await moveOrder(order.billingNo, new Date(starts.getTime() - 1).toISOString());
    expect(await left()).toEqual({ age: 5000 });
    await moveOrder(order.billingNo, starts.toISOString());
    expect(await left()).toEqual({ age: 0 });
  });

  test('L126 a declared age counts in every area of the brand, and nobody else is asked there', async () => {
    const abroad = { payer_rules: { ...RULES, asks_age: false } };
    expect(await outcomeOf(1, abroad)).toBe('placed');
    await born(15);
    expect(await outcomeOf(5000, abroad)).toBe('cap_reached');
    expect(await outcomeOf(4999, abroad)).toBe('placed');
    expect(await outcomeOf(1, { ...abroad, currency: 'USD' })).toBe('cap_reached');
  });

  test('L126 money that the cap does not know is not let through beside it', async () => {
    await born(15);
    expect(await outcomeOf(1, { currency: 'USD' })).toBe('cap_reached');
  });

  test('is said once; only an operator changes it', async () => {
    await born(15);
    expect(await born(30)).toBe(false);
    expect(await left()).toEqual({ age: 5000 });
    expect(await declareAge(db, player, { birthYear: 1990, birthMonth: 1, hasConsent: false }, 'anna')).toBe(true);
    expect(await left()).toEqual({});
  });

  test.each([
    [2010, 6, '2026-05-01', 15],
    [2010, 6, '2026-06-30', 15],
    [2010, 6, '2026-07-01', 16],
    [2010, 12, '2026-12-31', 15],
    [2010, 12, '2027-01-01', 16],
    [2026, 7, '2026-06-01', -1],
  ])('born %i-%i, on %s certainly %i: in the database as on the page', async (year, month, on, age) => {
    const { rows } = await db.query('select age_in_month($1, $2, $3::timestamp) as age', [year, month, on]);
    expect(rows[0].age).toBe(age);
    const [atYear, atMonth] = on.split('-').map(Number);
    expect(ageInMonth(year, month, { year: atYear ?? 0, month: atMonth ?? 0 })).toBe(age);
  });
});

describe('what counts', () => {
  test('L126 500 orders at once at the edge of a cap never pass it', async () => {
    await born(15);
    // As many at a time as there are connections.
    const lane = async () => {
      const outcomes: string[] = [];
      for (let order = 0; order < 20; order += 1) outcomes.push(await outcomeOf(160));
      return outcomes;
    };
    const outcomes = (await Promise.all(Array.from({ length: 25 }, lane))).flat();
    expect(outcomes.filter((one) => one === 'placed')).toHaveLength(31);
    expect(outcomes.filter((one) => one === 'cap_reached')).toHaveLength(469);
    expect(await left()).toEqual({ age: 40 });
  });

  test.each(['failed', 'expired'] as const)('L126 an order that %s is given back', async (status) => {
    await born(15);
    const order = await placeTestOrder(db, yen(5000));
    expect(await outcomeOf(1)).toBe('cap_reached');
    await report(db, order, { status, ...amount(5000) });
    expect(await outcomeOf(5000)).toBe('placed');
  });

  test('L126 a refund is given back', async () => {
    await born(15);
    const order = await placeTestOrder(db, yen(5000));
    await report(db, order, amount(5000));
    expect(await outcomeOf(1)).toBe('cap_reached');
    await report(db, order, { status: 'refunded', ...amount(5000) });
    expect(await outcomeOf(5000)).toBe('placed');
  });

  test('L126 money that comes late is taken within the cap of its month, and goes back beyond it', async () => {
    await born(15);
    const first = await placeTestOrder(db, yen(3000));
    await report(db, first, { status: 'expired', ...amount(3000) });
    const third = await placeTestOrder(db, yen(2000));
    await report(db, third, { status: 'expired', ...amount(2000) });
    const taken = await placeTestOrder(db, yen(2500));
    await report(db, taken, amount(2500));
    expect((await report(db, first, amount(3000))).outcome).toBe('late_refused');
    expect((await report(db, third, amount(2000))).outcome).toBe('late_paid');
    expect(await left()).toEqual({ age: 500 });
  });

  test('a refused order holds nothing: limit and coupon are free for the next', async () => {
    await born(15);
    const limit = { times: 1, days: null, subject: 'game' };
    const one = yen(5001, { limit });
    expect((await placeOrder(db, one)).outcome).toBe('cap_reached');
    expect((await placeOrder(db, { ...one, billing_no: yen(1).billing_no, amount_minor: 5000 })).outcome).toBe(
      'placed',
    );
    expect((await db.query('select * from invariant_breach where breaches > 0')).rows).toEqual([]);
  });
});

describe('caps of the player', () => {
  const cap = (period: 'day' | 'week' | 'month', capMinor: number | null) =>
    setCap(db, player, { currency: 'JPY', period, capMinor });
  const free = { payer_rules: FREE };
  const caps = async () => (await readCaps(db, player, 'JPY')).map((one) => [one.cap_minor, one.next_cap_minor]);
  const aDayLater = () =>
    db.query(`update spending_cap set next_at = next_at - interval '24 hours' where player_id = $1`, [player]);

  test.each(['day', 'week', 'month'] as const)('a %s has so much and no more', async (period) => {
    await cap(period, 1000);
    expect(await outcomeOf(1000, free)).toBe('placed');
    expect(await place(1, free)).toEqual({ outcome: 'cap_reached', kind: period, left_minor: 0 });
    expect(await left(FREE)).toEqual({ [period]: 0 });
  });

  test('a lower one counts at once, a higher one and none after 24 hours', async () => {
    await cap('day', 1000);
    await cap('day', 500);
    expect(await caps()).toEqual([[500, null]]);
    await cap('day', 2000);
    expect(await caps()).toEqual([[500, 2000]]);
    expect(await outcomeOf(501, free)).toBe('cap_reached');
    await aDayLater();
    expect(await outcomeOf(1500, free)).toBe('placed');
    await cap('day', null);
    expect(await outcomeOf(501, free)).toBe('cap_reached');
    await aDayLater();
    expect(await outcomeOf(100_000, free)).toBe('placed');
  });

  test('the first one in a currency that caps had shut out counts after 24 hours', async () => {
    const dollars = (minor: number) => outcomeOf(minor, { ...free, currency: 'USD' });
    const open = (period: 'day' | 'week') => setCap(db, player, { currency: 'USD', period, capMinor: 10_000 });
    await cap('day', 1000);
    expect(await dollars(100)).toBe('cap_other_currency');
    await open('day');
    // Another kind of it is no way round, and neither is saying it twice.
    await open('week');
    await open('day');
    expect(await dollars(100)).toBe('cap_other_currency');
    expect(await outcomeOf(900, free)).toBe('placed');
    await aDayLater();
    expect(await dollars(100)).toBe('placed');
    // It is a currency with a cap now, so a further one is only stricter.
    await setCap(db, player, { currency: 'USD', period: 'month', capMinor: 150 });
    expect(await dollars(100)).toBe('cap_reached');
  });

  test('lowering takes back the higher one that waits', async () => {
    await cap('day', 1000);
    await cap('day', 2000);
    await cap('day', 900);
    await aDayLater();
    expect(await caps()).toEqual([[900, null]]);
  });

  test('the strictest of all counts, the age with them', async () => {
    await born(16);
    await cap('month', 3000);
    await cap('day', 2000);
    expect(await place(2001)).toMatchObject({ kind: 'day' });
    expect(await outcomeOf(2000)).toBe('placed');
    expect(await left()).toEqual({ age: 18_000, day: 0, month: 1000 });
  });

  test('an unpaid order is not paid in another way once a cap came down below it', async () => {
    const order = yen(3000, free);
    await placeOrder(db, order);
    await cap('day', 1000);
    const again = { ...order, billing_no: yen(1).billing_no, channel_key: 'other' };
    expect((await placeOrder(db, again)).outcome).toBe('cap_reached');
  });

  test('another currency is no way around a cap', async () => {
    await cap('month', 1000);
    expect(await outcomeOf(1, { ...free, currency: 'USD' })).toBe('cap_other_currency');
    await setCap(db, player, { currency: 'USD', period: 'month', capMinor: 500 });
    await aDayLater();
    expect(await outcomeOf(500, { ...free, currency: 'USD' })).toBe('placed');
  });

  test('a pause stops everything, and is ended 24 hours later at the soonest', async () => {
    await pauseSpending(db, player, 7);
    expect(await outcomeOf(1, free)).toBe('spending_paused');
    await pauseSpending(db, player, 1);
    const until = async () =>
      (
        await db.query(
          `select extract(epoch from paused_until - now()) / 3600 as hours from spending_pause where player_id = $1`,
          [player],
        )
      ).rows[0].hours;
    expect(Number(await until())).toBeGreaterThan(167);
    await pauseSpending(db, player, 0);
    expect(Number(await until())).toBeLessThanOrEqual(24);
    expect(await outcomeOf(1, free)).toBe('spending_paused');
    await db.query(`update spending_pause set paused_until = now() where player_id = $1`, [player]);
    expect(await outcomeOf(1, free)).toBe('placed');
  });
});

test.each([
  ['without age_caps', { real_name: false, time_zone: 'UTC' }],
  ['with age_caps that are none', { real_name: false, time_zone: 'UTC', age_caps: 'japan' }],
  ['without real_name', { age_caps: null, time_zone: 'UTC' }],
  ['with real_name left open', { real_name: null, age_caps: null, time_zone: 'UTC' }],
])('L126 rules of the payer %s raise, and nothing is placed', async (_what, rules) => {
  const order = { ...placeInput(player), sold: { ...placeInput(player).sold, payer_rules: rules } };
  await expect(callFunction(db, 'place_order', order)).rejects.toMatchObject({ code: '22004' });
  expect((await db.query('select from orders where player_id = $1', [player])).rowCount).toBe(0);
  const refusal = (said: object) =>
    db.query(`select payer_refusal($1, 'watt', $2) as refusal`, [player, JSON.stringify(said)]);
  await expect(refusal(rules)).rejects.toMatchObject({ code: '22004' });
  const { rows } = await refusal({ real_name: false, age_caps: null, time_zone: 'UTC' });
  expect(rows).toEqual([{ refusal: null }]);
});

test('a server of the version before sells where nothing is asked, and nowhere else', async () => {
  const { payer_rules: _gone, ...sold } = placeInput(player).sold;
  const old = (brand_key: string, product_id = 'star_60') =>
    callFunction<PlaceOutcome>(db, 'place_order', { ...placeInput(player), sold: { ...sold, brand_key, product_id } });
  expect((await old('watt')).outcome).toBe('placed');
  await db.query(
    `insert into configuration_file (kind, key, body)
      values ('brand', 'strict', '{"realName":"game"}'), ('brand', 'young', '{"areas":{"ja":{"ageCaps":"japan"}}}')`,
  );
  for (const brand of ['strict', 'young']) await expect(old(brand)).rejects.toMatchObject({ code: '22004' });
  // The rules of another brand do not apply here.
  expect((await old('watt', 'star_260')).outcome).toBe('placed');
});

test.each([
  ['no caps', { real_name: true, age_caps: null, asks_age: false, time_zone: 'UTC' }, { time_zone: 'UTC' }],
  ['caps', { ...RULES, real_name: true, asks_age: true }, { age_caps: RULES.age_caps, time_zone: RULES.time_zone }],
  ['none of a server of before', null, null],
])('an order keeps of its rules what late money is measured by: %s', async (_, rules, kept) => {
  const { rows } = await db.query('select kept_payer_rules($1) as kept', [rules && JSON.stringify(rules)]);
  expect(rows).toEqual([{ kept }]);
});
