// Orders that a stored balance pays: debited in the step that places the order, credited again when the money goes
// back. The seven invariants of the balance, and all others, after each.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { BillingNo, PlayerId } from '#kernel/ids.ts';
import { giveTestBalance } from '#testing/balances.ts';
import { WITH_TENDERS, cardInfo, issueTestCards } from '#testing/cards.ts';
import { giveTestCoupon } from '#testing/coupons.ts';
import { addTestRoles, makePlayer, type PlaceChanges, placeInput, resultsOf } from '#testing/orders.ts';
import { PAY_BODY, pay, showRoles, stateOf } from '#testing/pay.ts';
import { type TestPlayer, type TestShop, createTestShop } from '#testing/shop.ts';
import { leaseDeliveries, recordDeliveryResults } from '#server/modules/orders/deliveries/delivery-store.ts';
import { processDueRefunds } from '#server/modules/orders/refunds/refund-payment.ts';
import { requestRefund } from '#server/modules/orders/refunds/refund-store.ts';
import { type PlaceInput, placeOrder } from '#server/modules/orders/store.ts';

let shop: TestShop;
let player: TestPlayer;
beforeAll(async () => {
  shop = await createTestShop(WITH_TENDERS);
});
afterAll(() => shop.close());
beforeEach(async () => {
  player = await shop.logIn();
  await showRoles(shop, player);
});
afterEach(async () => {
  shop.paypal.reset();
  shop.game.reset();
  const broken = await shop.db.query('select * from invariant_breach where breaches > 0');
  if (broken.rows.length > 0) throw new Error(`invariants are broken: ${JSON.stringify(broken.rows)}`);
});

const PATH = '/api/pay/platform_pay';
const payByBalance = (over: { body?: object; key?: string; who?: TestPlayer } = {}) =>
  pay(shop, over.who ?? player, { path: PATH, ...(over.key ? { key: over.key } : {}), body: { ...over.body } });
const balanceOf = async (playerId: PlayerId, currency = 'USD') => {
  const { rows } = await shop.db.query<{ kind: string; balance_minor: number }>(
    `select kind, balance_minor from wallet_account
      where player_id = $1 and currency = $2 and balance_minor <> 0 order by kind`,
    [playerId, currency],
  );
  return Object.fromEntries(rows.map(({ kind, balance_minor: minor }) => [kind, minor]));
};
const byBalance = (playerId: PlayerId, over: PlaceChanges = {}): PlaceInput =>
  placeInput(playerId, {
    provider: 'wallet',
    channel_key: '10801_',
    channel_name: { en: 'Store balance' },
    amount_minor: 10,
    tender: { kind: 'wallet', spends: 'free_first' },
    ...over,
  });
const deliver = async () => {
  const leased = await leaseDeliveries(shop.db, 200, 15, []);
  await recordDeliveryResults(shop.db, resultsOf(leased));
};
const refund = async (billingNo: string, attemptNo = 1) => {
  await requestRefund(shop.db, {
    playerId: player.playerId,
    billingNo: billingNo as BillingNo,
    attemptNo,
    reason: 'r',
    by: 'anna',
  });
  const { db, log, payments, games } = shop.services;
  await processDueRefunds({ db, log, payments, games });
};

describe('paying', () => {
  test('one step of the database, no link; the balance is less by the price', async () => {
    await giveTestBalance(shop.db, player.playerId, 500);
    let billingNo = '';
    const statements = await shop.countStatements(async () => {
      const answer = await payByBalance({ key: 'balance-key-1' });
      expect(answer).toMatchObject({ code: 1, content: { url: '' } });
      billingNo = answer.content.billing_no;
    });
    expect(statements).toEqual(['session_find', 'place_order']);
    expect((await payByBalance({ key: 'balance-key-1' })).content.billing_no).toBe(billingNo);
    expect(await balanceOf(player.playerId)).toEqual({ paid: 401, sales: 99, cash_in: -500 });
    expect(await stateOf(shop, billingNo)).toMatchObject({
      state: 'paid',
      attempts: ['succeeded'],
      delivery: 'queued',
    });
    await deliver();
    expect(await stateOf(shop, billingNo)).toMatchObject({ state: 'delivered' });
  });

  test('too little: said so, nothing is kept, also not of limit, stock and coupon', async () => {
    await giveTestBalance(shop.db, player.playerId, 98);
    expect(await payByBalance({ key: 'balance-key-2' })).toMatchObject({ code: -1033, content: null });
    const code = await giveTestCoupon(shop.db, player.playerId);
    expect((await payByBalance({ body: { product_id: 'star_540', price_minor: 799, coupon_code: code } })).code).toBe(
      -1033,
    );
    expect((await shop.db.query('select state from coupon where code = $1', [code])).rows).toEqual([{ state: 'free' }]);
    expect((await shop.db.query('select from orders where player_id = $1', [player.playerId])).rowCount).toBe(0);
    expect(await balanceOf(player.playerId)).toEqual({ paid: 98, cash_in: -98 });
    await giveTestBalance(shop.db, player.playerId, 1);
    expect((await payByBalance({ key: 'balance-key-2' })).code).toBe(1);
  });

  test('with a coupon the rest of the price is taken', async () => {
    await giveTestBalance(shop.db, player.playerId, 799);
    const code = await giveTestCoupon(shop.db, player.playerId);
    expect((await payByBalance({ body: { product_id: 'star_540', price_minor: 799, coupon_code: code } })).code).toBe(
      1,
    );
    expect(await balanceOf(player.playerId)).toEqual({ sales: 799, cash_in: -799 });
  });

  test('an open order that costs more is closed, and the balance is asked for the price of today alone', async () => {
    await giveTestBalance(shop.db, player.playerId, 800);
    const open = await pay(shop, player, { body: { product_id: 'star_540', price_minor: 999 } });
    const coupon_code = await giveTestCoupon(shop.db, player.playerId);
    const answer = await payByBalance({ body: { product_id: 'star_540', price_minor: 799, coupon_code } });
    expect(answer).toMatchObject({ code: 1, content: { url: '' } });
    expect(await stateOf(shop, open.content.billing_no)).toMatchObject({ state: 'cancelled' });
    expect(await balanceOf(player.playerId)).toEqual({ paid: 1, sales: 799, cash_in: -800 });
  });

  test('an open order in another currency is not compared with the balance', async () => {
    await giveTestBalance(shop.db, player.playerId, 5000, { currency: 'EUR' });
    const open = await pay(shop, player, { body: { product_id: 'star_540', price_minor: 999 } });
    const euro = { product_id: 'star_540', price_minor: undefined, country: 'DE', domain_area: 'useuro' };
    expect(await payByBalance({ body: euro })).toMatchObject({ code: 1, content: { url: '' } });
    expect(await stateOf(shop, open.content.billing_no)).toMatchObject({ state: 'cancelled' });
  });

  test('a balance of another currency pays nothing here', async () => {
    await giveTestBalance(shop.db, player.playerId, 5000, { currency: 'EUR' });
    expect((await payByBalance()).code).toBe(-1033);
  });

  test.each([
    ['free_first', { paid: 400, sales: 250, bonus: -150, cash_in: -500 }],
    ['paid_first', { free: 150, paid: 250, sales: 250, bonus: -150, cash_in: -500 }],
  ] as const)('%s', async (spends, left) => {
    const playerId = await makePlayer(shop.db);
    await giveTestBalance(shop.db, playerId, 500);
    await giveTestBalance(shop.db, playerId, 150, { kind: 'free' });
    expect(
      await placeOrder(shop.db, byBalance(playerId, { amount_minor: 250, tender: { kind: 'wallet', spends } })),
    ).toMatchObject({ outcome: 'paid' });
    expect(await balanceOf(playerId)).toEqual(left);
  });

  test('an order that is open already is paid by the balance', async () => {
    const open = await pay(shop, player);
    await giveTestBalance(shop.db, player.playerId, 99);
    expect((await payByBalance()).content.billing_no).toBe(open.content.billing_no);
    expect(await stateOf(shop, open.content.billing_no)).toMatchObject({
      state: 'paid',
      attempts: ['redirected', 'succeeded'],
    });
  });

  test('a balance that is too low for an open order is told so, and leaves it as it was', async () => {
    const open = await pay(shop, player);
    await giveTestBalance(shop.db, player.playerId, 98);
    expect(await payByBalance()).toMatchObject({ code: -1033, content: null });
    expect(await stateOf(shop, open.content.billing_no)).toMatchObject({ state: 'pending', attempts: ['redirected'] });
    expect(await balanceOf(player.playerId)).toEqual({ paid: 98, cash_in: -98 });
  });
});

test('a hundred payments of 10 at once against 500: fifty are paid', async () => {
  const playerId = await makePlayer(shop.db);
  await giveTestBalance(shop.db, playerId, 300);
  await giveTestBalance(shop.db, playerId, 200, { kind: 'free' });
  await addTestRoles(shop.db, playerId, 100);
  const outcomes = await Promise.all(
    Array.from({ length: 100 }, (_, n) => placeOrder(shop.db, byBalance(playerId, { role_id: `role-${n}` }))),
  );
  const counted = Object.groupBy(outcomes, ({ outcome }) => outcome);
  expect([counted.paid?.length, counted.balance_too_low?.length]).toEqual([50, 50]);
  expect(await balanceOf(playerId)).toEqual({ sales: 500, cash_in: -300, bonus: -200 });
});

test('the same call many times at once debits once', async () => {
  const playerId = await makePlayer(shop.db);
  await giveTestBalance(shop.db, playerId, 500);
  const input = byBalance(playerId, { idempotency_key: 'the-same-key' });
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => placeOrder(shop.db, input)));
  expect(outcomes.filter(({ outcome }) => outcome === 'paid')).toHaveLength(1);
  expect(await balanceOf(playerId)).toEqual({ paid: 490, sales: 10, cash_in: -500 });
});

describe('money that goes back', () => {
  test.each([false, true])(
    'is in the balance again, each part where it came from; delivered: %s',
    async (isDelivered) => {
      await giveTestBalance(shop.db, player.playerId, 60);
      await giveTestBalance(shop.db, player.playerId, 50, { kind: 'free' });
      const { billing_no: billingNo } = (await payByBalance()).content;
      expect(await balanceOf(player.playerId)).toEqual({ paid: 11, sales: 99, cash_in: -60, bonus: -50 });
      if (isDelivered) await deliver();
      await refund(billingNo);
      await refund(billingNo);
      expect(await stateOf(shop, billingNo)).toMatchObject({ state: 'refunded' });
      expect(await balanceOf(player.playerId)).toEqual({ paid: 60, free: 50, cash_in: -60, bonus: -50 });
    },
  );

  test('in parts: what was spent last comes back first, and never more than was taken', async () => {
    const playerId = await makePlayer(shop.db);
    await giveTestBalance(shop.db, playerId, 60);
    await giveTestBalance(shop.db, playerId, 50, { kind: 'free' });
    const paid = await placeOrder(shop.db, byBalance(playerId, { amount_minor: 100 }));
    const billingNo = 'billing_no' in paid ? paid.billing_no : '';
    const give = async (amount: number, key: string) =>
      (
        await shop.db.query(`select wallet_refund($1, $2, $3, $4, 'r', 'test') as outcome`, [
          playerId,
          billingNo,
          amount,
          key,
        ])
      ).rows[0].outcome;
    expect(await give(30, 'refund:a')).toBe('done');
    expect(await balanceOf(playerId)).toMatchObject({ paid: 40, sales: 70 });
    expect(await give(30, 'refund:b')).toBe('done');
    expect(await balanceOf(playerId)).toMatchObject({ paid: 60, free: 10, sales: 40 });
    const last = await Promise.all(['c', 'd', 'e', 'f'].map((name) => give(40, `refund:${name}`)));
    expect(last.toSorted()).toEqual(['done', 'too_much', 'too_much', 'too_much']);
    expect(await give(30, 'refund:b')).toBe('exists');
    expect(await balanceOf(playerId)).toEqual({ paid: 60, free: 50, cash_in: -60, bonus: -50 });
    expect(await give(1, 'refund:g')).toBe('too_much');
    expect(
      (await shop.db.query(`select wallet_refund($1, 'no such order', 1, 'k', 'r', 'test') as outcome`, [playerId]))
        .rows[0].outcome,
    ).toBe('no_debit');
  });
});

describe('a card that is worth more than the order', () => {
  const payByCard = async (face: number) => {
    const [card] = await issueTestCards(shop.db, 1, { face_minor: face });
    const body = {
      ...PAY_BODY,
      product_id: 'star_540',
      price_minor: 999,
      card_info: cardInfo(card!.cardId, card!.password),
    };
    return { card: card!, answer: await pay(shop, player, { path: '/api/pay/card_pay', body }) };
  };

  test('leaves its rest in the balance, which pays the next one', async () => {
    const { answer } = await payByCard(1100);
    expect(answer.code).toBe(1);
    expect(await balanceOf(player.playerId)).toEqual({ paid: 101, cards: -101 });
    expect((await payByBalance()).code).toBe(1);
    expect((await payByCard(998)).answer.code).toBe(-1032);
  });

  test('and when the money goes back, the price goes into the balance too: the card stays spent', async () => {
    const { answer, card } = await payByCard(1100);
    await refund(answer.content.billing_no);
    expect(await balanceOf(player.playerId)).toEqual({ paid: 1100, cards: -1100 });
    expect((await shop.db.query('select state from gift_card where card_id = $1', [card.cardId])).rows).toEqual([
      { state: 'spent' },
    ]);
  });

  test('many ways at once meet without a knot', async () => {
    await giveTestBalance(shop.db, player.playerId, 5000);
    const cards = await issueTestCards(shop.db, 5, { face_minor: 1100 });
    const body = { product_id: 'star_540', price_minor: 999 };
    const rounds = Array.from({ length: 5 }, (_, n) => [
      pay(shop, player, { body }),
      payByBalance({ body }),
      pay(shop, player, {
        path: '/api/pay/card_pay',
        body: { ...body, card_info: cardInfo(cards[n]!.cardId, cards[n]!.password) },
      }),
      giveTestBalance(shop.db, player.playerId, 1).then(() => ({ code: 1 })),
    ]);
    const codes = (await Promise.all(rounds.flat())).map(({ code }) => code);
    expect(codes.filter((code) => code !== 1 && code !== 10)).toEqual([]);
    const orders = (
      await shop.db.query(`select billing_no from orders where player_id = $1 and state = 'paid'`, [player.playerId])
    ).rows;
    await Promise.all(
      orders.flatMap(({ billing_no }) => [refund(billing_no), refund(billing_no, 2), payByBalance({ body })]),
    );
  });
});
