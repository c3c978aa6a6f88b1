// Test 28: one coupon and many orders, orders that close and give it back, and somebody else's coupon.
import { query } from '#server/platform/database/db.ts';
import { placeOrder } from '#server/modules/orders/store.ts';
import type { PlayerId } from '#kernel/ids.ts';
import { giveTestCoupon } from '#testing/coupons.ts';
import { addTestRoles, placeInput, report } from '#testing/orders.ts';
import { pay } from '#testing/pay.ts';
import { type Numbered, type Round, deliverAll, expectSame, inTurns, makePlayers, times } from './numbered-test.ts';

/** All at once: how many orders got the coupon, and the one that did. */
async function rush(round: Round, playerId: PlayerId, code: string, count: number) {
  const outcomes = await inTurns(times(count), (n) =>
    placeOrder(
      round.shop.db,
      placeInput(playerId, { role_id: `role-${n}`, coupon: { code, min_charge_minor: 1, quoted_minor: null } }),
    ),
  );
  const placed = outcomes.flatMap((outcome) => (outcome.outcome === 'placed' ? [outcome] : []));
  const refused = outcomes.filter(({ outcome }) => outcome === 'coupon_refused').length;
  return { placed, refused };
}

const oneCoupon: Numbered = {
  number: '28',
  name: 'coupon-once',
  about: 'one coupon in many hands; given back by what closes, used by what is delivered, and never by a stranger',
  counts: { short: 60, full: 500 },
  play: async (round) => {
    const { shop, count } = round;
    const [player, stranger] = await makePlayers(shop, 2);
    if (!player || !stranger) return;
    await addTestRoles(round.shop.db, player.playerId, count);
    const code = await giveTestCoupon(shop.db, player.playerId);
    const first = await rush(round, player.playerId, code, count);
    expectSame(round, 'first rush', [first.placed.length, first.refused], [1, count - 1]);
    for (const end of ['failed', 'expired', 'failed', 'expired', 'failed'] as const) {
      const [holder] = await query<{ billing_no: never }>(
        shop.db,
        'chaos_28_holder',
        'select billing_no from coupon where code = $1',
        [code],
      );
      if (!holder?.billing_no) return round.fault('nobody holds the coupon');
      const order = { billingNo: holder.billing_no, attemptNo: 1 };
      await inTurns(times(20), () => report(shop.db, order, { status: end, dedupKey: null }));
      const next = await rush(round, player.playerId, code, Math.ceil(count / 5));
      expectSame(round, `after it ${end}`, next.placed.length, 1);
    }
    const body = { product_id: 'star_540', price_minor: 799, coupon_code: code };
    const answers = await inTurns(times(Math.ceil(count / 5)), () => pay(shop, stranger, { body }));
    expectSame(round, 'a stranger hears', [...new Set(answers.map((answer) => answer.code))], [-3062]);
    const [holder] = await query<{ billing_no: never }>(
      shop.db,
      'chaos_28_holder',
      'select billing_no from coupon where code = $1',
      [code],
    );
    await report(
      shop.db,
      { billingNo: holder?.billing_no as never, attemptNo: 1 },
      { amount: { amountMinor: 399, currency: 'USD' } },
    );
    await deliverAll(shop);
    const last = await rush(round, player.playerId, code, Math.ceil(count / 5));
    expectSame(round, 'used up', last.placed.length, 0);
  },
};

export const COUPON_TESTS: readonly Numbered[] = [oneCoupon];
