// Orders that a prepaid card pays: spent in the step that places the order, good again when the money goes
// back. Invariants after each.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { BillingInfo } from '#contracts/orders.ts';
import type { CardWorth } from '#contracts/giftcards.ts';
import type { PayResult } from '#contracts/payments.ts';
import type { IssuedCard } from '#server/modules/giftcards/issue-cards.ts';
import { resultsOf } from '#testing/orders.ts';
import { WITH_TENDERS, cardInfo, issueTestCards } from '#testing/cards.ts';
import { giveTestCoupon } from '#testing/coupons.ts';
import { PAY_BODY, orderInfo, pay, showRoles, stateOf } from '#testing/pay.ts';
import { type TestPlayer, type TestShop, createTestShop } from '#testing/shop.ts';
import { leaseDeliveries, recordDeliveryResults } from '#server/modules/orders/deliveries/delivery-store.ts';
import { processDueRefunds } from '#server/modules/orders/refunds/refund-payment.ts';
import { requestRefund } from '#server/modules/orders/refunds/refund-store.ts';

let shop: TestShop;
let player: TestPlayer;
beforeAll(async () => {
  shop = await createTestShop(WITH_TENDERS);
});
afterAll(() => shop.close());
beforeEach(async () => {
  player = await ready();
});
afterEach(async () => {
  shop.game.reset();
  shop.paypal.reset();
  await shop.db.query('delete from card_failed_attempt');
  const broken = await shop.db.query('select * from invariant_breach where breaches > 0');
  if (broken.rows.length > 0) throw new Error(`invariants are broken: ${JSON.stringify(broken.rows)}`);
});

async function ready(): Promise<TestPlayer> {
  const made = await shop.logIn();
  await showRoles(shop, made);
  return made;
}
const CARD = '/api/pay/card_pay';
const infoOf = (card: IssuedCard) => cardInfo(card.cardId, card.password);
/** star_540 costs 9.99 USD, as the cards are worth. */
const payByCard = (who: TestPlayer, card: IssuedCard, over: { body?: object; key?: string } = {}) =>
  pay(shop, who, {
    path: CARD,
    body: { product_id: 'star_540', price_minor: 999, card_info: infoOf(card), ...over.body },
    ...(over.key ? { key: over.key } : {}),
  });
const cardOf = async ({ cardId }: IssuedCard) =>
  (await shop.db.query('select state, billing_no, player_id from gift_card where card_id = $1', [cardId])).rows[0];
const ordersOf = async (who: TestPlayer) =>
  (await shop.db.query('select * from orders where player_id = $1 order by billing_no', [who.playerId])).rows;
const deliver = async () => {
  const leased = await leaseDeliveries(shop.db, 100, 15, []);
  await recordDeliveryResults(shop.db, resultsOf(leased));
  return leased;
};

describe('paying', () => {
  test('a card for goods buys nothing else, not even what costs as much', async () => {
    const [card] = await issueTestCards(shop.db, 1, { product_id: 'star_60', game_id: 'starlane' });
    expect((await payByCard(player, card!)).code).toBe(-1031);
    expect(await cardOf(card!)).toMatchObject({ state: 'active', billing_no: null });
    expect(await ordersOf(player)).toEqual([]);
  });

  test('one step of the database, no link, and the first poll shows the money', async () => {
    const [card] = await issueTestCards(shop.db, 1);
    let billingNo = '';
    const statements = await shop.countStatements(async () => {
      const answer = await payByCard(player, card!);
      expect(answer).toMatchObject({ code: 1, content: { url: '' } });
      billingNo = answer.content.billing_no;
    });
    expect(statements).toEqual(['session_find', expect.stringContaining('rate_limit'), 'place_order']);
    expect(await stateOf(shop, billingNo)).toMatchObject({
      state: 'paid',
      attempts: ['succeeded'],
      delivery: 'queued',
    });
    const poll = await shop.get<BillingInfo>(`/api/pay/getOrderInfo?billing_no=${billingNo}&simple=1`, {
      session: player,
    });
    expect(poll.content).toMatchObject({
      stage: 'paid',
      status: -1,
      url: '',
      channel_name: 'Prepaid card',
      price_shown: '$9.99',
    });
    await deliver();
    expect(await stateOf(shop, billingNo)).toMatchObject({ state: 'delivered' });
    expect(await cardOf(card!)).toEqual({ state: 'spent', billing_no: billingNo, player_id: player.playerId });
  });

  test('the same call again is the same order; the same card again is refused', async () => {
    const [card] = await issueTestCards(shop.db, 1);
    const first = await payByCard(player, card!, { key: 'card-key-1' });
    expect((await payByCard(player, card!, { key: 'card-key-1' })).text).toBe(first.text);
    expect((await payByCard(player, card!, { key: 'card-key-2' })).code).toBe(-1031);
    expect(
      (await payByCard(player, card!, { key: 'card-key-1', body: { card_info: cardInfo('ABCDEFGHJKMN', 'X') } })).code,
    ).toBe(-1018);
    expect(await ordersOf(player)).toHaveLength(1);
  });

  test.each([
    ['a wrong password', {}, { card_info: cardInfo('ABCDEFGHJKMN', 'X') }, -1031],
    ['no card', {}, { card_info: undefined }, -1031],
    ['a damaged text', {}, { card_info: 'AAAAAAAA' }, -1031],
    ['a card of another value', { face_minor: 998 }, {}, -1032],
    ['a card of another currency', { currency: 'EUR' }, {}, -1032],
    ['a card of the other kind', { channel: 'card43' }, {}, -1031],
    ['another channel by name', {}, { pay_id: 'card43' }, -1031],
    ['a character that is not there', {}, { role_id: 'nobody' }, -1006],
    ['a price that has changed', {}, { price_minor: 1 }, -1020],
    ['a coupon', {}, { coupon_code: 'coupon' }, -3062],
  ] as const)('%s: nothing is kept', async (_name, over, body, code) => {
    const [card] = await issueTestCards(shop.db, 1, over);
    const coupon = await giveTestCoupon(shop.db, player.playerId);
    const coupon_code = 'coupon_code' in body ? coupon : undefined;
    expect(await payByCard(player, card!, { key: 'card-key-3', body: { ...body, coupon_code } })).toMatchObject({
      code,
      content: null,
    });
    expect(await ordersOf(player)).toEqual([]);
    expect(await cardOf(card!)).toMatchObject({ state: 'active', billing_no: null });
    const [good] = await issueTestCards(shop.db, 1);
    expect((await payByCard(player, good!, { key: 'card-key-3' })).code).toBe(1);
  });

  test('the 43 card has its own channel', async () => {
    const [card] = await issueTestCards(shop.db, 1, { channel: 'card43' });
    const answer = await payByCard(player, card!, { body: { pay_id: 'card43' } });
    expect(answer.code).toBe(1);
    const { rows } = await shop.db.query('select channel_key from payment_attempt where billing_no = $1', [
      answer.content.billing_no,
    ]);
    expect(rows).toEqual([{ channel_key: '10643_' }]);
  });

  test('what the game would refuse is not paid, and neither is what nobody could ask it about', async () => {
    const [card] = await issueTestCards(shop.db, 1);
    shop.game.script.check = () => ({ kind: 'declined', reason: 'level too low' });
    expect((await payByCard(player, card!)).code).toBe(-1034);
    expect(await cardOf(card!)).toMatchObject({ state: 'active' });
    shop.game.script.isDown = true;
    expect((await payByCard(player, card!)).code).toBe(-1035);
    expect(await cardOf(card!)).toMatchObject({ state: 'active' });
    shop.game.script.isDown = false;
  });

  test('an order that is open already is paid by the card; the other way stays watched', async () => {
    const open = await pay(shop, player, { body: { product_id: 'star_540', price_minor: 999 } });
    const [card] = await issueTestCards(shop.db, 1);
    const paid = await payByCard(player, card!);
    expect(paid.content.billing_no).toBe(open.content.billing_no);
    expect(await stateOf(shop, open.content.billing_no)).toMatchObject({
      state: 'paid',
      attempts: ['redirected', 'succeeded'],
    });
    // With another price it is another order: the old one is closed at its provider, and nobody can pay it any more.
    const other = await ready();
    const old = await pay(shop, other, {
      body: { product_id: 'star_540', price_minor: undefined, country: 'DE', domain_area: 'useuro' },
    });
    const [second] = await issueTestCards(shop.db, 1);
    const anew = await payByCard(other, second!);
    expect(anew.code).toBe(1);
    expect(anew.content.billing_no).not.toBe(old.content.billing_no);
    expect(await stateOf(shop, old.content.billing_no)).toMatchObject({ state: 'cancelled' });
  });

  test('limits and stock hold, and are given back with a refusal', async () => {
    const before = (await shop.db.query(`select used from product_stock where product_id = 'ember_phoenix'`)).rows[0]
      .used;
    await shop.get('/api/system/allRoleList?client_id=70013', { session: player });
    const [card] = await issueTestCards(shop.db, 1, { face_minor: 1 });
    const answer = await payByCard(player, card!, {
      body: { client_id: '70013', product_id: 'ember_phoenix', price_minor: undefined },
    });
    expect(answer.code).toBe(-1032);
    expect(
      (await shop.db.query(`select used from product_stock where product_id = 'ember_phoenix'`)).rows[0].used,
    ).toBe(before);
  });
});

test('500 orders at once, one card: spent once', async () => {
  const [card] = await issueTestCards(shop.db, 1);
  const players = [player, await ready(), await ready()];
  const codes: number[] = [];
  let next = 0;
  // Forty at a time: more would wait for a connection longer than a request may.
  const lane = async () => {
    while (next < 500) codes.push((await payByCard(players[next++ % 3] ?? player, card!)).code);
  };
  await Promise.all(Array.from({ length: 40 }, lane));
  expect(codes.filter((code) => code === 1)).toHaveLength(1);
  expect(new Set(codes)).toEqual(new Set([1, -1031]));
  expect(
    (await shop.db.query(`select from orders where player_id = any($1)`, [players.map(({ playerId }) => playerId)]))
      .rowCount,
  ).toBe(1);
});

test('two ways at once for one order: one pays it, nothing is lost', async () => {
  const cards = await issueTestCards(shop.db, 4);
  const answers = await Promise.all([
    pay(shop, player, { body: { product_id: 'star_540', price_minor: 999 } }),
    ...cards.map((card) => payByCard(player, card)),
  ]);
  const spent = (await Promise.all(cards.map(cardOf))).filter(({ state }) => state === 'spent');
  const paid = (await ordersOf(player)).filter(({ state }) => state === 'paid');
  expect(new Set(spent.map(({ billing_no }) => billing_no))).toEqual(new Set(paid.map(({ billing_no }) => billing_no)));
  expect(spent).toHaveLength(answers.slice(1).filter(({ code }) => code === 1).length);
});

describe('money that goes back', () => {
  const refund = async (billingNo: string) => {
    await requestRefund(shop.db, {
      playerId: player.playerId,
      billingNo: billingNo as never,
      attemptNo: 1,
      reason: 'r',
      by: 'anna',
    });
    const { db, log, payments, games } = shop.services;
    await processDueRefunds({ db, log, payments, games });
  };

  test.each([false, true])('makes the card good again, delivered: %s', async (isDelivered) => {
    const [card] = await issueTestCards(shop.db, 1);
    const { billing_no: billingNo } = (await payByCard(player, card!)).content;
    if (isDelivered) await deliver();
    // It ran out meanwhile: then it is good for another month.
    await shop.db.query(
      `update gift_card_batch set valid_from = now() - interval '2 days', valid_to = now() - interval '1 day'
        where batch_id = (select batch_id from gift_card where card_id = $1)`,
      [card!.cardId],
    );
    await refund(billingNo);
    expect(await stateOf(shop, billingNo)).toMatchObject({ state: 'refunded' });
    expect(await cardOf(card!)).toEqual({ state: 'active', billing_no: null, player_id: null });
    expect((await payByCard(player, card!)).code).toBe(1);
  });
});

describe('a card turned into its goods', () => {
  const GOODS = { game_id: 'starlane', product_id: 'star_540', gems_number: 540, extra_gems: 54 };
  const BODY = { client_id: '70021', server_id: 's1', role_id: 'r1' };
  const confirm = (card: IssuedCard, body: object = {}, key?: string) =>
    shop.post<PayResult>(
      '/api/pay/card_confirm',
      { ...BODY, card_info: infoOf(card), ...body },
      {
        session: player,
        headers: { 'idempotency-key': key },
      },
    );

  test('is an order at the value of the card, with what it gives extra', async () => {
    const [card] = await issueTestCards(shop.db, 1, { ...GOODS, face_minor: 900 });
    const answer = await confirm(card!, {}, 'confirm-key-1');
    expect(answer).toMatchObject({ code: 1, content: { url: '' } });
    expect((await confirm(card!, {}, 'confirm-key-1')).text).toBe(answer.text);
    expect((await confirm(card!, { role_id: 'r2' }, 'confirm-key-1')).code).toBe(-1018);
    expect((await confirm(card!, {}, 'confirm-key-2')).code).toBe(-1031);
    const delivered = (await deliver()).find(({ billing_no }) => billing_no === answer.content.billing_no);
    expect(delivered).toMatchObject({
      product_id: 'star_540',
      amount_minor: 900,
      role_id: 'r1',
      product: {
        gifts: expect.arrayContaining([
          { id: 'card_extra', name: 'extra from the gift card', count: 54, isCurrency: true },
        ]),
      },
    });
    expect(await stateOf(shop, answer.content.billing_no)).toMatchObject({ state: 'delivered' });
  });

  test('brings as many as the card said, by name in the language of the player', async () => {
    const [card] = await issueTestCards(shop.db, 1, GOODS);
    const check = { client_id: '70021', card_info: infoOf(card!), spec_lang: 'ja' };
    const { content: worth } = await shop.post<CardWorth>('/api/pay/card_info', check, { session: player });
    expect([worth.gems_number, worth.bonus_gems_number, worth.extra_gems_number]).toEqual([540, 50, 54]);
    expect(worth.gifts_shown).toBe('+50 おまけルーメン、+54 ギフトカード特典');
    const { billing_no: billingNo } = (await confirm(card!)).content;
    const shown = async () => (await orderInfo(shop, { player, billingNo }, 'spec_lang=ja')).content;
    const same = { amount: 540, bonus_amount: 104, bonus: worth.gifts_shown };
    expect(await shown()).toMatchObject(same);
    // As versions before stored it.
    const old = [
      { id: 'star_bonus', name: 'Bonus lumens', count: 50, isCurrency: true },
      { id: 'card_extra', name: 'Extra of the prepaid card', count: 54 },
    ];
    await shop.db.query(`update orders set product = jsonb_set(product, '{gifts}', $2) where billing_no = $1`, [
      billingNo,
      JSON.stringify(old),
    ]);
    expect(await shown()).toMatchObject(same);
  });

  test('never joins an order that is open already', async () => {
    const open = await pay(shop, player, { body: { product_id: 'star_540', price_minor: 999 } });
    const [card] = await issueTestCards(shop.db, 1, GOODS);
    expect(await confirm(card!)).toMatchObject({ code: 10, content: { billing_no: open.content.billing_no } });
    expect(await cardOf(card!)).toMatchObject({ state: 'active' });
  });

  test('an open order that costs less, by a coupon, is closed and asks nothing of the card', async () => {
    const coupon_code = await giveTestCoupon(shop.db, player.playerId);
    const open = await pay(shop, player, { body: { product_id: 'star_540', price_minor: 799, coupon_code } });
    const [card] = await issueTestCards(shop.db, 1, GOODS);
    const answer = await confirm(card!);
    expect(answer).toMatchObject({ code: 1, content: { url: '' } });
    expect(await stateOf(shop, open.content.billing_no)).toMatchObject({ state: 'cancelled' });
    expect(await stateOf(shop, answer.content.billing_no)).toMatchObject({ state: 'paid' });
  });

  test.each([
    ['a card that is for nothing in particular', {}, {}, -1031],
    ['a card of another game', { ...GOODS, game_id: 'emberfall', product_id: 'ember_60' }, {}, -1031],
    ['a product that is gone', { ...GOODS, product_id: 'star_gone' }, {}, -1007],
    ['a character that is not there', GOODS, { role_id: 'nobody' }, -1006],
    ['a channel that takes no cards', GOODS, { pay_id: 'paypal' }, -1008],
    ['a game of nobody', GOODS, { client_id: '99999' }, -3001],
  ])('%s is refused', async (_name, over, body, code) => {
    const [card] = await issueTestCards(shop.db, 1, over);
    expect((await confirm(card!, body)).code).toBe(code);
    expect(await cardOf(card!)).toMatchObject({ state: 'active' });
    expect(await ordersOf(player)).toEqual([]);
  });
});

test('no password is ever in a log, a table or an answer', async () => {
  const [card, other] = await issueTestCards(shop.db, 2);
  await payByCard(player, card!, { body: PAY_BODY });
  await payByCard(player, card!);
  // A password in the wrong field, and a call that is refused by its shape.
  await shop.post(
    '/api/pay/card_info',
    { client_id: '70021', card_info: cardInfo(other!.password, 'X') },
    { session: player },
  );
  await shop.post(CARD, { client_id: 7, card_info: infoOf(other!) }, { session: player });
  const { rows } = await shop.db.query<{ name: string }>(
    `select table_name as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  for (const { name } of rows) {
    const found = await shop.db.query(`select t::text as row from "${name}" t where t::text ilike any($1)`, [
      [`%${card!.password}%`, `%${other!.password}%`, `%${infoOf(other!)}%`],
    ]);
    expect([name, found.rows]).toEqual([name, []]);
  }
  const log = shop.logLines.join('\n');
  for (const secret of [card!.password, other!.password, infoOf(card!), infoOf(other!)])
    expect(log).not.toContain(secret);
});
