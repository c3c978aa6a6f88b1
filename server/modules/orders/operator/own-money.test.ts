// A refund "by hand" of what the shop itself holds would pay twice: into the balance or card, and by the bank transfer.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PlayerId } from '#kernel/ids.ts';
import { giveTestBalance } from '#testing/balances.ts';
import { WITH_TENDERS, cardInfo, issueTestCards } from '#testing/cards.ts';
import { deliverAll } from '#testing/orders.ts';
import { callBack, eventOn, pay, placeOrder, showRoles, stateOf } from '#testing/pay.ts';
import { type TestShop, createTestShop } from '#testing/shop.ts';
import { paymentProviders } from '#server/providers/payments/registry.ts';
import { shopProviders } from '#server/providers/shop-payments.ts';
import { refundOrder } from './operate.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await createTestShop(WITH_TENDERS);
});
afterAll(() => shop.close());

async function ready() {
  const player = await shop.logIn();
  await showRoles(shop, player);
  return player;
}

/** A delivered order that each internal tender paid. */
const BY_TENDER: Record<string, () => Promise<{ playerId: PlayerId; billingNo: string }>> = {
  wallet: async () => {
    const player = await ready();
    await giveTestBalance(shop.db, player.playerId, 500);
    const answer = await pay(shop, player, { path: '/api/pay/platform_pay' });
    return { playerId: player.playerId, billingNo: answer.content.billing_no };
  },
  card: async () => {
    const player = await ready();
    const [card] = await issueTestCards(shop.db, 1);
    const body = { product_id: 'star_540', price_minor: 999, card_info: cardInfo(card!.cardId, card!.password) };
    const answer = await pay(shop, player, { path: '/api/pay/card_pay', body });
    return { playerId: player.playerId, billingNo: answer.content.billing_no };
  },
};
const TENDERS = shopProviders.filter((provider) => !paymentProviders.includes(provider)).map(({ name }) => name);
const byHand = { attemptNo: null, reason: 'bank transfer', isRevoking: false, isDone: true };
const booksOf = async (billingNo: string, playerId: PlayerId) => [
  (await shop.db.query('select * from ledger_entry where billing_no = $1 order by 1, 2, 3', [billingNo])).rows,
  (await shop.db.query('select * from wallet_account where player_id = $1 order by kind', [playerId])).rows,
  (await shop.db.query('select state from gift_card where billing_no = $1', [billingNo])).rows,
];

test.each(TENDERS)(
  'what a %s paid cannot be booked as paid back by hand, and is given back without that',
  async (name) => {
    const { playerId, billingNo } = await BY_TENDER[name]!();
    await deliverAll(shop.db);
    const before = await booksOf(billingNo, playerId);
    const operator = { db: shop.db, by: 'anna' };
    expect(await refundOrder(operator, billingNo, byHand)).toMatchObject({ kind: 'impossible', outcome: 'own_money' });
    expect(await booksOf(billingNo, playerId)).toEqual(before);
    expect(await stateOf(shop, billingNo)).toMatchObject({ state: 'delivered' });
    // Also once it was asked for: the worker gives it back, and nothing else.
    expect(await refundOrder(operator, billingNo, { ...byHand, isDone: false })).toMatchObject({ outcome: 'due' });
    expect(await refundOrder(operator, billingNo, byHand)).toMatchObject({ outcome: 'own_money' });
  },
);

test('what a provider paid can be booked as paid back by hand', async () => {
  const order = await placeOrder(shop);
  await callBack(shop, eventOn(order, 'paid'));
  await expect.poll(async () => (await stateOf(shop, order.billingNo)).state).toBe('paid');
  await deliverAll(shop.db);
  const outcome = await refundOrder({ db: shop.db, by: 'anna' }, order.billingNo, byHand);
  expect(outcome).toMatchObject({ kind: 'done', outcome: 'done' });
});
