// Test 18: the money is there, and the game says no: the character was deleted, its server merged into another.
import { setTimeout as sleep } from 'node:timers/promises';
import { createDeliveryLoop } from '#server/modules/orders/deliveries/deliver.ts';
import { deliverOrder, refundOrder } from '#server/modules/orders/operator/operate.ts';
import { processDueRefunds } from '#server/modules/orders/refunds/refund-payment.ts';
import { query } from '#server/platform/database/db.ts';
import { PRICE, callBack, eventOn, settleDepsOf } from '#testing/pay.ts';
import { type Numbered, type Round, countStates, expectSame, inTurns, placeMany } from './numbered-test.ts';
import { createSteps } from '#server/modules/orders/steps/steps.ts';

const TIMEOUT_MS = 20_000;

/** Runs the real delivery loop until as many orders are in `state`. */
async function deliverUntil({ shop, fault }: Round, state: string, count: number): Promise<void> {
  const { db, log } = shop.services;
  const gameServer = () => shop.game;
  const onDeclined = () => 'review' as const;
  const loop = createDeliveryLoop({
    db,
    steps: createSteps(db, { isSharing: false }),
    log,
    environment: 'demo',
    gameServer,
    onDeclined,
  });
  loop.start();
  const deadline = performance.now() + TIMEOUT_MS;
  while (((await countStates(shop))[state] ?? 0) < count) {
    if (performance.now() > deadline) {
      fault(`${JSON.stringify(await countStates(shop))}, not ${count} ${state}`);
      break;
    }
    await sleep(20);
  }
  await loop.stop();
}

const refusedByGame: Numbered = {
  number: '18',
  name: 'refused-by-game',
  about: 'the game refuses the character of a paid order: a person decides, the goods later or the money back',
  counts: { short: 20, full: 100 },
  play: async (round) => {
    const { shop, count } = round;
    const refunds = new Set<string>();
    const refund = async (_context: unknown, payment: { reference: string }, refundRef: string) => {
      refunds.add(refundRef);
      return { status: 'done' as const, refundProviderRef: `RF-${payment.reference}`, reason: null };
    };
    Object.assign(shop.paypal, { refund });
    const orders = await placeMany(shop, count);
    await inTurns(orders, async (order) => callBack(shop, eventOn(order, 'paid')));
    shop.game.script.grant = () => ({ kind: 'declined', reason: 'role_not_found' });
    await deliverUntil(round, 'review', count);
    const asked = shop.game.granted.length;
    expectSame(round, 'calls of the game, a refusal is not asked again', asked, count);
    const [credited] = await query<{ in_review: number; revenue: number; used: number; delivered: number }>(
      shop.db,
      'chaos_18',
      `select (select count(*)::integer from orders where review_reason = 'game_declined: role_not_found') as in_review,
         (select count(*)::integer from ledger_entry where account = 'revenue') as revenue,
         (select count(*)::integer from reservation where state = 'used') as used, (select count(*)::integer from orders
           where delivered_at is not null) as delivered`,
    );
    expectSame(round, 'told to a person, and credited for goods that nobody has', credited, {
      in_review: count,
      revenue: 0,
      used: 0,
      delivered: 0,
    });

    // One half of the characters can be found after all, the other half gets its money back.
    shop.game.script.grant = () => undefined;
    const operator = { db: shop.db, by: 'anna' };
    const [found, gone] = [orders.slice(0, count / 2), orders.slice(count / 2)];
    for (const { billingNo } of found) await deliverOrder(operator, billingNo);
    const input = { attemptNo: null, reason: 'the character is gone', isRevoking: false, isDone: false };
    for (const { billingNo } of gone) await refundOrder(operator, billingNo, input);
    await deliverUntil(round, 'delivered', found.length);
    for (let batch = 0; batch <= count / 20; batch += 1) await processDueRefunds(settleDepsOf(shop));
    expectSame(round, 'states', await countStates(shop), { delivered: found.length, refunded: gone.length });
    expectSame(round, 'refunds asked for, each once', refunds.size, gone.length);
    const [books] = await query<{ kept: number }>(
      shop.db,
      'chaos_18_books',
      `select coalesce(sum(amount_minor) filter (where account = 'provider_receivable'), 0)::integer as kept
        from ledger_entry`,
    );
    expectSame(round, 'money kept', books?.kept, found.length * PRICE.amountMinor);
  },
};

export const REFUSAL_TESTS: readonly Numbered[] = [refusedByGame];
