// Random histories of a player's orders, with refunds of parts and of all, chargebacks and deliveries that come late:
// points and levels equal what a plain recomputation from the payments says.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BillingNo, PlayerId } from '#kernel/ids.ts';
import { money } from '#kernel/money.ts';
import { leaseDeliveries, recordDeliveryResults } from '#server/modules/orders/deliveries/delivery-store.ts';
import { type Db, query } from '#server/platform/database/db.ts';
import { openTestDatabase } from '#testing/database.ts';
import { makePlayer, placeInput, placeTestOrder, report } from '#testing/orders.ts';
import { levelOf } from './rules.ts';
import { readPoints } from './store.ts';

let db: Db;
let drop: () => Promise<void>;
beforeAll(async () => {
  ({ db, drop } = await openTestDatabase(8));
});
afterAll(() => drop());

/** Our choice: two seconds. Raise it after a change of the SQL: a thousand take three minutes. */
const HISTORIES = 12;
const ACTS = 16;

const RATE = { points: 10, per_minor: 100 };
const LEVELS = [
  { id: 'bronze', needPoints: 0 },
  { id: 'silver', needPoints: 50 },
  { id: 'gold', needPoints: 200 },
] as const;

type Known = { billingNo: BillingNo; attemptNo: number; amount: number; isPaid: boolean; back: number; parts: number };
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

/** A telling is repeated now and then, as providers do. */
async function tell(order: Known, random: Random, over: NonNullable<Parameters<typeof report>[2]>): Promise<void> {
  const times = 1 + Number(random(4) === 0);
  const dedupKey = over.dedupKey ?? `${order.billingNo}-${over.status ?? 'paid'}`;
  for (let time = 0; time < times; time += 1) await report(db, order, { ...over, dedupKey });
}

async function act(playerId: PlayerId, orders: Known[], random: Random): Promise<void> {
  const order = orders[random(orders.length || 1)];
  const what = random(10);
  if (!order || what < 3) {
    const amount = 1 + random(2500);
    const placed = await placeTestOrder(
      db,
      placeInput(playerId, { amount_minor: amount, points_rate: RATE, product_id: `p${orders.length}` }),
    );
    orders.push({ ...placed, amount, isPaid: false, back: 0, parts: 0 });
  } else if (!order.isPaid) {
    await tell(order, random, { amount: money(order.amount, 'USD') });
    order.isPaid = true;
  } else if (what < 6) {
    const leased = (await leaseDeliveries(db, 100, 60, [])).filter(({ player_id: id }) => id === playerId);
    if (random(3) === 0) return;
    await recordDeliveryResults(
      db,
      leased.map(({ player_id, billing_no, tries }) => ({
        player_id,
        billing_no,
        tries,
        kind: 'done' as const,
        receipt_id: 'R',
        reason: null,
        retry_in_seconds: null,
        on_declined: 'review' as const,
      })),
    );
  } else if (what < 9 && order.amount - order.back > 1) {
    const part = 1 + random(order.amount - order.back - 1);
    order.parts += 1;
    await tell(order, random, {
      status: 'refunded',
      amount: money(part, 'USD'),
      dedupKey: `${order.billingNo}-part-${order.parts}`,
    });
    order.back += part;
  } else if (order.back < order.amount) {
    await tell(order, random, {
      status: random(2) === 0 ? 'refunded' : 'chargeback',
      amount: money(order.amount, 'USD'),
    });
    order.back = order.amount;
  }
}

/** The other way to the same answer: order by order, a part of a point dropped. */
async function expectedPoints(playerId: PlayerId, orders: readonly Known[]): Promise<number> {
  const rows = await query<{ billing_no: BillingNo }>(
    db,
    'test_delivered',
    'select billing_no from orders where player_id = $1 and delivered_at is not null',
    [playerId],
  );
  const delivered = new Set(rows.map(({ billing_no: billingNo }) => billingNo));
  return orders
    .filter(({ billingNo }) => delivered.has(billingNo))
    .map(({ amount, back }) => {
      const full = Math.floor((amount * RATE.points) / RATE.per_minor);
      return Math.floor((full * (amount - back)) / amount);
    })
    .reduce((sum, points) => sum + points, 0);
}

test('points and levels of random histories equal a recomputation from the payments', async () => {
  for (let seed = 1; seed <= HISTORIES; seed += 1) {
    const random = randomOf(seed);
    const playerId = await makePlayer(db);
    const orders: Known[] = [];
    for (let count = 0; count < ACTS; count += 1) {
      await act(playerId, orders, random);
      const [points, expected] = [await readPoints(db, playerId), await expectedPoints(playerId, orders)];
      expect(points, `history ${seed}, act ${count}: ${JSON.stringify(orders)}`).toBe(expected);
      const level = LEVELS.findLast(({ needPoints }) => needPoints <= expected)?.id;
      expect(levelOf<(typeof LEVELS)[number]>(LEVELS, points)?.id).toBe(level);
    }
  }
  expect((await db.query(`select invariant from invariant_breach where breaches > 0`)).rows).toEqual([]);
}, 120_000);
