// Prepaid cards and balances of a filled shop: bought with, given back, withdrawn; for `fill-shop.ts`.
import { randomUUID } from 'node:crypto';
import { encodeCredential } from '#contracts/credentials.ts';
import type { BillingNo } from '#kernel/ids.ts';
import type { IssuedCard } from '#server/modules/giftcards/issue-cards.ts';
import { changeCards } from '#server/modules/giftcards/store.ts';
import { placeOrder as placeRow } from '#server/modules/orders/store.ts';
import { giveTestBalance } from '#testing/balances.ts';
import { cardInfo, issueTestCards } from '#testing/cards.ts';
import { makePlayer, placeInput } from '#testing/orders.ts';
import { pay, showRoles } from '#testing/pay.ts';
import type { TestPlayer, TestShop } from '#testing/shop.ts';
import { DONE, deliver, refund, workRefunds } from './fill-acts.ts';

export async function fillTenders(shop: TestShop): Promise<void> {
  await fillCards(shop);
  await fillBalances(shop);
}

async function makePayer(shop: TestShop): Promise<TestPlayer> {
  const player = await shop.logIn();
  await showRoles(shop, player);
  return player;
}

type CardChanges = Parameters<typeof issueTestCards>[2];
type CardOptions = Parameters<typeof issueTestCards>[3];

async function issueOne(shop: TestShop, over: CardChanges = {}, options: CardOptions = {}): Promise<IssuedCard> {
  const [card] = await issueTestCards(shop.db, 1, over, options);
  if (!card) throw new Error('no card was made');
  return card;
}

const infoOf = (card: IssuedCard) => cardInfo(card.cardId, card.password);
const GOODS = { game_id: 'starlane', product_id: 'star_540', gems_number: 540, extra_gems: 54 } as const;

async function fillCards(shop: TestShop): Promise<void> {
  await issueOne(shop, {}, { isActive: false });
  await issueOne(shop, { channel: 'card43' });
  await changeCards(shop.db, { cardId: (await issueOne(shop)).cardId }, 'void');
  await payByCard(shop, await issueOne(shop));
  await deliver(shop, DONE);
  // The rest of the card goes into the balance.
  await payByCard(shop, await issueOne(shop, { face_minor: 1500 }));
  await deliver(shop, DONE);
  for (const face_minor of [999, 1500]) {
    await refund(shop, { billingNo: await payByCard(shop, await issueOne(shop, { face_minor })) });
    await workRefunds(shop, 'done');
  }
  await confirmCard(shop, await issueOne(shop, { ...GOODS, face_minor: 900 }));
  await deliver(shop, DONE);
  await look(shop, await issueOne(shop, GOODS));
  await logInByCard(shop);
  // A wrong password counts.
  const session = await makePayer(shop);
  await tellCard(shop, session, '/api/pay/card_info', cardInfo((await issueOne(shop)).cardId, 'WRONG'));
}

const tellCard = (shop: TestShop, session: TestPlayer, path: string, card_info: string) =>
  shop.post<{ billing_no: string }>(
    path,
    { client_id: '70021', server_id: 's1', role_id: 'r1', card_info },
    { session },
  );

async function look(shop: TestShop, card: IssuedCard): Promise<void> {
  const answer = await tellCard(shop, await makePayer(shop), '/api/pay/card_info', infoOf(card));
  if (answer.code !== 1) throw new Error(`the card is not known: ${answer.text}`);
}

async function confirmCard(shop: TestShop, card: IssuedCard): Promise<void> {
  const answer = await tellCard(shop, await makePayer(shop), '/api/pay/card_confirm', infoOf(card));
  if (answer.code !== 1) throw new Error(`the card gives no goods: ${answer.text}`);
}

async function payByCard(shop: TestShop, card: IssuedCard): Promise<BillingNo> {
  const body = { product_id: 'star_540', price_minor: 999, card_info: infoOf(card) };
  const answer = await pay(shop, await makePayer(shop), { path: '/api/pay/card_pay', body });
  if (answer.code !== 1) throw new Error(`no order by card: ${answer.text}`);
  return answer.content.billing_no as BillingNo;
}

async function logInByCard(shop: TestShop): Promise<void> {
  const { playerId } = await shop.logIn();
  const card = await issueOne(shop, {}, { issuedTo: playerId });
  const answer = await shop.post('/util/login/card_auth', {
    card_number: encodeCredential(card.cardId, 'aB3'),
    card_password: encodeCredential(card.password, 'x9Z'),
    client_id: '70021',
  });
  if (answer.code !== 1) throw new Error(`the card opens no account: ${answer.text}`);
}

async function fillBalances(shop: TestShop): Promise<void> {
  for (const isRefunded of [false, true]) {
    const player = await makePayer(shop);
    await giveTestBalance(shop.db, player.playerId, 40, { kind: 'free' });
    await giveTestBalance(shop.db, player.playerId, 500, { external_id: randomUUID() });
    const answer = await pay(shop, player, { path: '/api/pay/platform_pay' });
    if (answer.code !== 1) throw new Error(`no order by balance: ${answer.text}`);
    if (isRefunded) {
      await refund(shop, { billingNo: answer.content.billing_no as BillingNo });
      await workRefunds(shop, 'done');
    }
  }
  // A brand may have the paid part spent first.
  const playerId = await makePlayer(shop.db);
  await giveTestBalance(shop.db, playerId, 500);
  const tender = { kind: 'wallet', spends: 'paid_first' } as const;
  const channel = { provider: 'wallet', channel_key: '10801_', channel_name: { en: 'Store balance' } };
  const placed = await placeRow(shop.db, placeInput(playerId, { ...channel, tender, amount_minor: 10 }));
  if (placed.outcome !== 'paid') throw new Error(`not paid: ${placed.outcome}`);
  await deliver(shop, DONE);
}
