// Random histories of players with late payments, late deliveries, refunds and chargebacks, receiving whenever they
// like: progress and rewards equal what a plain recomputation from their orders says. The window has a change of
// clocks.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ulid } from 'ulid';
import type { BrandKey, GameId, PlayerId } from '#kernel/ids.ts';
import { money } from '#kernel/money.ts';
import type { EventStep, GameEvent } from '#server/modules/configuration/service.ts';
import { type Db, query } from '#server/platform/database/db.ts';
import { openTestDatabase } from '#testing/database.ts';
import { deliver, EMBER_CLIENT, type PaidOrder, showEmberRole, reverseOrder, topUp } from '#testing/events.ts';
import { makePlayer } from '#testing/orders.ts';
import { progressOf, shareOf } from './rules.ts';
import { listRewards, readPaidDays, receiveRewards, type RewardBasis } from './store.ts';

let db: Db;
let drop: () => Promise<void>;
beforeAll(async () => {
  ({ db, drop } = await openTestDatabase(10));
});
afterAll(() => drop());

/** Our choice: three seconds. Raise it after a change of the SQL: a thousand take five minutes. */
const HISTORIES = 12;
const ACTS = 14;
const AT_ONCE = 8;

const WINDOW = {
  from: '2026-02-28T23:00:00.000Z',
  until: '2026-03-31T22:00:00.000Z',
  time_zone: 'Europe/Berlin',
  regions: ['universal'],
};
const TOTALS = { t1: { USD: 500, JPY: 800 }, t2: { USD: 1500, JPY: 2400 }, t3: { USD: 4000, JPY: 6400 } };
const DAYS = { d1: 1, d2: 2, d3: 3 };
const LEAST = { USD: 100, JPY: 160 };
const STEPS = [...Object.keys(TOTALS), ...Object.keys(DAYS)];

const basisOf = (step: string): RewardBasis =>
  step in TOTALS
    ? { ...WINDOW, kind: 'cumulative', total: TOTALS[step as keyof typeof TOTALS] }
    : { ...WINDOW, kind: 'continuous', days: DAYS[step as keyof typeof DAYS], least: LEAST };

type Known = { order: PaidOrder; paidAt: number; region: string; state: 'waiting' | 'counted' | 'back' };
type Random = (below: number) => number;

/** mulberry32: small, and the same numbers for a seed everywhere. */
function randomOf(seed: number): Random {
  let state = seed + 0x9e3779b9;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const berlin = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin', dateStyle: 'short' });

/** The other way to the same answer: day by day, order by order. */
function isReached(orders: readonly Known[], step: string): boolean {
  const counted = orders.filter(
    ({ state, paidAt, region }) =>
      state === 'counted' &&
      region === 'universal' &&
      paidAt >= Date.parse(WINDOW.from) &&
      paidAt < Date.parse(WINDOW.until),
  );
  const sum = (of: readonly Known[], currency: string) =>
    of.reduce((all, { order }) => all + (order.amount.currency === currency ? order.amount.amountMinor : 0), 0);
  if (step in TOTALS)
    return Object.entries(TOTALS[step as keyof typeof TOTALS]).some(
      ([currency, need]) => sum(counted, currency) >= need,
    );
  let [run, best] = [0, 0];
  for (let day = 1; day <= 31; day += 1) {
    const name = `2026-03-${String(day).padStart(2, '0')}`;
    const ofDay = counted.filter(({ paidAt }) => berlin.format(paidAt) === name);
    run = Object.entries(LEAST).some(([currency, least]) => sum(ofDay, currency) >= least) ? run + 1 : 0;
    best = Math.max(best, run);
  }
  return best >= DAYS[step as keyof typeof DAYS];
}

async function live(seed: number): Promise<{ receipts: number; flagged: number }> {
  const random = randomOf(seed);
  const playerId = await makePlayer(db);
  await showEmberRole(db, playerId);
  const orders: Known[] = [];
  const received = new Set<string>();
  const pick = <Item>(items: readonly Item[]) => items[random(items.length)];
  for (let act = 0; act < ACTS; act += 1) {
    const kind = random(10);
    if (kind < 5) {
      // From the last evening of February to the second of April, most around the change of clocks.
      const paidAt =
        Date.parse('2026-03-26T20:00:00Z') +
        (random(9 * 24) - 48) * 3_600_000 -
        (random(6) === 0 ? 27 * 86_400_000 : 0);
      const currency = random(4) === 0 ? 'JPY' : 'USD';
      const region = random(8) === 0 ? 'ja' : 'universal';
      const isDelivered = random(4) > 0;
      const order = await topUp(db, playerId, 40 + random(12) * 150, {
        currency,
        region,
        isDelivered,
        isLate: random(4) === 0,
        paidAt: new Date(paidAt).toISOString(),
      });
      orders.push({ order, paidAt, region, state: isDelivered ? 'counted' : 'waiting' });
    } else if (kind < 6) {
      const late = pick(orders.filter(({ state }) => state === 'waiting'));
      if (late) await deliver(db, late.order).then(() => (late.state = 'counted'));
    } else if (kind < 8) {
      const gone = pick(orders.filter(({ state }) => state === 'counted'));
      if (gone)
        await reverseOrder(db, gone.order, random(2) ? 'refunded' : 'chargeback').then(() => (gone.state = 'back'));
    } else await receiveSome(playerId, orders, received, random);
  }
  await compareEnd(playerId, orders, received);
  return { receipts: received.size, flagged: [...received].filter((step) => !isReached(orders, step)).length };
}

async function receiveSome(playerId: PlayerId, orders: readonly Known[], received: Set<string>, random: Random) {
  const steps = random(2) ? STEPS : [STEPS[random(STEPS.length)] ?? ''];
  const receiver = {
    brand_key: 'watt' as BrandKey,
    game_id: 'emberfall' as GameId,
    client_id: EMBER_CLIENT,
    server_id: 's1',
    area_id: '',
    role_id: 'r1',
    suid: 'u',
  };
  const rewards = steps.map((step) => ({
    reward_no: `RW-${ulid()}`,
    issue_key: `event/emberfall/e/${step}`,
    product_id: step,
    gifts: [],
    title: { en: 'Event' },
    basis: basisOf(step),
  }));
  const outcomes = await receiveRewards(db, playerId, receiver, rewards);
  const expected = steps.map((step) => {
    const outcome = received.has(step) ? 'had' : isReached(orders, step) ? 'received' : 'locked';
    return { issue_key: `event/emberfall/e/${step}`, outcome };
  });
  expect(outcomes).toEqual(expected.toSorted((a, b) => (a.issue_key < b.issue_key ? -1 : 1)));
  for (const [index, step] of steps.entries()) if (expected[index]?.outcome === 'received') received.add(step);
}

/** The page's own figures, the flags of the rewards, and nothing given twice or unearned. */
async function compareEnd(playerId: PlayerId, orders: readonly Known[], received: ReadonlySet<string>) {
  const owner = { playerId, brandKey: 'watt' as BrandKey, gameId: 'emberfall' as GameId };
  const paid = await readPaidDays(db, owner, WINDOW);
  const toMoney = (amounts: Record<string, number>) =>
    new Map(Object.entries(amounts).map(([currency, minor]) => [currency as 'USD', money(minor, currency as 'USD')]));
  for (const step of STEPS) {
    const isTotal = step in TOTALS;
    const event = {
      file: { kind: isTotal ? 'cumulative' : 'continuous' },
      least: toMoney(isTotal ? {} : LEAST),
    } as unknown as GameEvent;
    const shown = {
      id: step,
      items: [],
      days: DAYS[step as keyof typeof DAYS] ?? 0,
      total: toMoney(TOTALS[step as keyof typeof TOTALS] ?? {}),
    } as EventStep;
    const share = shareOf(event, shown, progressOf(event, paid, '2026-04-01'));
    expect(share >= 1, `${step} on the page`).toBe(isReached(orders, step));
  }
  const rewards = await listRewards(db, { playerId }, 100);
  expect(rewards.map(({ product_id: step }) => step).toSorted()).toEqual([...received].toSorted());
  for (const { product_id: step, is_earned: isEarned } of rewards)
    expect(isEarned, `${step} is flagged`).toBe(isReached(orders, step));
}

test(`${HISTORIES} random histories: progress and rewards equal a recomputation from the orders`, async () => {
  const seeds = Array.from({ length: HISTORIES }, (_, seed) => seed);
  let [receipts, flagged] = [0, 0];
  while (seeds.length > 0) {
    const results = await Promise.all(seeds.splice(0, AT_ONCE).map(live));
    receipts += results.reduce((all, one) => all + one.receipts, 0);
    flagged += results.reduce((all, one) => all + one.flagged, 0);
  }
  // The histories must reach these cases, or they prove nothing.
  expect(receipts).toBeGreaterThan(HISTORIES / 4);
  expect(flagged).toBeGreaterThan(0);
  expect(
    await query(db, 'test_breaches', 'select invariant, breaches from invariant_breach where breaches > 0'),
  ).toEqual([]);
}, 600_000);
