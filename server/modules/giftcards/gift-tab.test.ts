// Tests the calls of the gift tab: a card that is money with the goods it buys, and the cards that a player has used.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { CardWorth, SpentCard } from '#contracts/giftcards.ts';
import type { PayResult } from '#contracts/payments.ts';
import { checkInvariants } from '#server/modules/invariants/service.ts';
import { WITH_TENDERS, cardInfo, issueTestCards } from '#testing/cards.ts';
import { EMBER_CLIENT, showEmberRole } from '#testing/events.ts';
import { showRoles } from '#testing/pay.ts';
import { type TestPlayer, type TestShop, createTestShop } from '#testing/shop.ts';

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

const US = { domain_area: 'universal', country: 'US' };
const check = (card: { cardId: string; password: string }, more: object = US, session = player) =>
  shop.post<CardWorth>(
    '/api/pay/card_info',
    { client_id: '70021', card_info: cardInfo(card.cardId, card.password), ...more },
    { session },
  );
const history = async (session: TestPlayer) =>
  (await shop.get<{ list: SpentCard[] }>('/api/giftcards/history', { session })).content.list;

test('L207 a card that is money tells what it buys here, and what of it goes to the balance', async () => {
  const [card] = await issueTestCards(shop.db, 1, { face_minor: 1050 });
  const { content } = await check(card!);
  expect(content).toMatchObject({ price: '$10.50', can_confirm: false, gems_number: 0 });
  expect(content.buys.length).toBeGreaterThan(1);
  const prices = content.buys.map((one) => one.price_minor);
  expect(prices).toEqual(prices.toSorted((a, b) => b - a));
  expect(Math.max(...prices)).toBeLessThanOrEqual(1050);
  expect(content.buys.find((one) => one.product_id === 'star_540')).toMatchObject({
    product_name: '540 Lumens',
    price_shown: '$9.99',
    content_shown: expect.stringMatching(/^\+\d/),
    rest_shown: '$0.51',
  });
  // Another currency is charged there.
  expect((await check(card!, { domain_area: 'ja', country: 'JP' })).content?.buys ?? []).toEqual([]);
});

test('an open offer is what the card pays, with its rest, and a bundle says what is in it', async () => {
  await showEmberRole(shop.db, player.playerId);
  const ember = { client_id: EMBER_CLIENT, ...US };
  const [card] = await issueTestCards(shop.db, 1, { face_minor: 2000 });
  const { buys } = (await check(card!, ember)).content;
  const deal = buys.find((one) => one.product_id === 'ember_keys');
  expect(deal).toMatchObject({
    price_shown: '$2.79',
    price_minor: 279,
    was_shown: '$3.99',
    rest_shown: '$17.21',
    offer_code: expect.stringMatching(/^offer:emberfall\/daily_keys\./),
    is_in_shop: false,
  });
  expect(buys.find((one) => one.product_id === 'ember_season')?.content_shown).toMatch(/^1,000 Ember Crystals, /);
  const { offer_code, price_minor } = deal!;
  const paid = await shop.post<PayResult>(
    '/api/pay/card_pay',
    { ...ember, server_id: 's1', role_id: 'r1', product_id: 'ember_keys', price_minor, offer_code, pay_id: 'card', card_info: cardInfo(card!.cardId, card!.password) },
    { session: player },
  ); /* a row a line */ // prettier-ignore
  expect(paid.code).toBe(1);
  expect(await history(player)).toMatchObject([{ rest_shown: '$17.21' }]);
  expect((await checkInvariants(shop.db)).filter(({ breaches }) => breaches > 0)).toEqual([]);
});

test('without balances only goods of exactly its price are offered', async () => {
  const bare = await createTestShop({
    environment: { REFILL_CARD_DEMO_PEPPER: WITH_TENDERS.environment!['REFILL_CARD_DEMO_PEPPER']! },
    moreProviders: WITH_TENDERS.moreProviders!.filter(({ name }) => name === 'card'),
  });
  try {
    const [card, odd] = [
      ...(await issueTestCards(bare.db, 1, { face_minor: 999 })),
      ...(await issueTestCards(bare.db, 1, { face_minor: 998 })),
    ];
    const session = await bare.logIn();
    const ask = async (one: { cardId: string; password: string }, client = '70021') =>
      (
        await bare.post<CardWorth>(
          '/api/pay/card_info',
          { client_id: client, card_info: cardInfo(one.cardId, one.password), ...US },
          { session },
        )
      ).content.buys;
    const bought = await ask(card!);
    expect(bought.length).toBeGreaterThan(0);
    expect(bought.map((one) => [one.price_minor, one.rest_shown])).toEqual(bought.map(() => [999, '']));
    expect(await ask(odd!)).toEqual([]);
    // The card of the full price cannot pay the deal, and does not pay more in silence.
    const [full] = await issueTestCards(bare.db, 1, { face_minor: 399 });
    const shown = (await ask(full!, EMBER_CLIENT)).find((one) => one.product_id === 'ember_keys');
    expect(shown).toMatchObject({ price_shown: '$2.79', was_shown: '$3.99', rest_shown: '', is_in_shop: true });
  } finally {
    await bare.close();
  }
});

test('a card for goods names them and sells nothing else', async () => {
  const goods = { game_id: 'starlane', product_id: 'star_540', gems_number: 540, extra_gems: 54 };
  const [card] = await issueTestCards(shop.db, 1, goods);
  expect((await check(card!)).content).toMatchObject({ can_confirm: true, product_name: '540 Lumens', buys: [] });
});

test('used cards are told to whom they belong: end of the number, worth, goods, rest', async () => {
  const [money] = await issueTestCards(shop.db, 1, { face_minor: 1050 });
  const [goods] = await issueTestCards(shop.db, 1, {
    game_id: 'starlane',
    product_id: 'star_540',
    gems_number: 540,
    extra_gems: 54,
  });
  const role = { client_id: '70021', server_id: 's1', role_id: 'r1' };
  const infoOf = (card: { cardId: string; password: string }) => cardInfo(card.cardId, card.password);
  const paid = await shop.post<PayResult>(
    '/api/pay/card_pay',
    { ...role, ...US, product_id: 'star_540', price_minor: 999, pay_id: 'card', card_info: infoOf(money!) },
    { session: player },
  );
  expect(paid.code).toBe(1);
  const done = await shop.post<PayResult>(
    '/api/pay/card_confirm',
    { ...role, card_info: infoOf(goods!) },
    { session: player },
  );
  expect(done.code).toBe(1);
  expect(await history(player)).toMatchObject([
    { billing_no: done.content.billing_no, card_end: goods!.cardId.slice(-4), worth_shown: '$9.99', product_name: '540 Lumens', extra_gems_number: 54, rest_shown: '', role_name: 'Kestrel_07' },
    { billing_no: paid.content.billing_no, card_end: money!.cardId.slice(-4), worth_shown: '$10.50', rest_shown: '$0.51' },
  ]); /* a row a line */ // prettier-ignore
  expect(JSON.stringify(await history(player))).not.toContain(money!.cardId);
  expect(await history(await shop.logIn())).toEqual([]);
});
