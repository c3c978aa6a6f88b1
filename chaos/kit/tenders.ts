// Buyers with everything that an order can be paid by or made cheaper with, given before the fault: cards, balance,
// coupons, make-up payments; codes and offers are those of the shipped files.
import { randomUUID } from 'node:crypto';
import { loadConfiguration } from '#server/modules/configuration/service.ts';
import { localDemoHost } from '#server/modules/configuration/configuration.ts';
import { takesCoupons } from '#server/modules/coupons/service.ts';
import type { IssuedCard } from '#server/modules/giftcards/issue-cards.ts';
import type { ReplenishId } from '#kernel/ids.ts';
import { BRAND, listGoods, listOrderBodies } from '#bench/money-path/buyers.ts';
import { giveTestBalance } from '#testing/balances.ts';
import { cardInfo, issueTestCards } from '#testing/cards.ts';
import { giveTestCoupon } from '#testing/coupons.ts';
import { EMBER_CLIENT } from '#testing/events.ts';
import { REPLENISH_MINOR, openTestReplenish } from '#testing/replenish.ts';
import { payForSure, placeForSure, waitUntilDelivered } from './buy.ts';
import { type Player, logIn } from './players.ts';
import type { ChaosShop } from './shop.ts';

export const TENDERS = ['adyen', 'card', 'coupon', 'balance', 'xsolla', 'code', 'replenish', 'offer'] as const;
export type Tender = (typeof TENDERS)[number];

export type Buyer = {
  readonly player: Player;
  /** Bodies of pay calls by the name of the provider. */
  readonly orders: Readonly<Record<string, readonly Record<string, unknown>[]>>;
  /** Some goods are sold without coupons. */
  readonly takesCoupon: (body: Record<string, unknown>) => boolean;
  readonly cards: readonly IssuedCard[];
  readonly coupons: readonly string[];
  readonly replenish: readonly ReplenishId[];
  /** Counts the uses of each so far. */
  readonly used: Map<string, number>;
  /** The moment that the backup goes back to. */
  mark(): void;
  /** Makes the uses of cards, coupons and balances since then count as untried. */
  resetUses(): void;
};

/** Our choice: more than a buyer needs of each kind in the full run; any goods cost less than a card is worth. */
const OF_EACH = 30;
const CARD_MINOR = 10_000;
/** Balances buy this, at its price in the files: three of it, so that a balance spent twice is too small. */
const BY_BALANCE = { client: '70021', product: 'star_260', minor: 499, times: 3 };

export async function makeBuyersOf(shop: ChaosShop, count: number): Promise<Buyer[]> {
  const configuration = await loadConfiguration(shop.db);
  const host = `${localDemoHost(BRAND)}:${shop.front.port}`;
  const goods = new Map(
    await Promise.all(
      ['adyen', 'xsolla', 'card'].map(
        async (provider) => [provider, await listGoods(shop.server, configuration, host, provider)] as const,
      ),
    ),
  );
  const brand = configuration.brands.get(BRAND);
  const takesCoupon = (body: Record<string, unknown>): boolean => {
    const game = configuration.gameOfClient(String(body['client_id']))?.game;
    const product = game?.products.get(String(body['product_id']));
    return brand !== undefined && game !== undefined && product !== undefined && takesCoupons(brand, game, product);
  };
  const buyers: Buyer[] = [];
  for (let index = 0; index < count; index += 1) {
    const { playerId, headers } = await logIn(shop, `restore-${randomUUID().slice(0, 8)}`, host);
    const orders: Record<string, Record<string, unknown>[]> = {};
    for (const [provider, sold] of goods)
      orders[provider] = (await listOrderBodies(shop.server, headers, sold)).map(
        (body) => JSON.parse(body) as Record<string, unknown>,
      );
    await giveTestBalance(shop.db, playerId, BY_BALANCE.minor * (BY_BALANCE.times - 1));
    await giveTestBalance(shop.db, playerId, BY_BALANCE.minor, { kind: 'free' });
    const coupons = await inTurn(OF_EACH, () =>
      giveTestCoupon(shop.db, playerId, { validEnd: Date.now() + 86_400_000 }),
    );
    const replenish = await inTurn(OF_EACH, () => openTestReplenish(shop, { playerId, brand: BRAND }));
    const cards = await issueTestCards(shop.db, OF_EACH, { face_minor: CARD_MINOR });
    const used = new Map<string, number>();
    const marked = new Map<string, number>();
    buyers.push({
      player: { playerId, headers, provider: 'adyen', orders: [], next: index },
      orders,
      takesCoupon,
      cards,
      coupons,
      replenish,
      used,
      mark: () => {
        for (const [kind, times] of used) marked.set(kind, times);
      },
      resetUses: () => {
        // A link of a make-up payment that was paid once more is a person's to decide; the test is about rules.
        for (const kind of ['card', 'coupon', 'balance']) used.set(kind, marked.get(kind) ?? 0);
      },
    });
  }
  return buyers;
}

async function inTurn<Value>(count: number, make: () => Promise<Value>): Promise<Value[]> {
  const made: Value[] = [];
  for (let index = 0; index < count; index += 1) made.push(await make());
  return made;
}

/** Placed, paid and delivered. @returns the number of the order */
export async function buyBy(shop: ChaosShop, buyer: Buyer, tender: Tender): Promise<string> {
  const { provider, body } = await bodyOf(shop, buyer, tender);
  const player = { ...buyer.player, provider: provider as Player['provider'] };
  const [key, text] = [randomUUID(), JSON.stringify(body)];
  const billingNo = await placeForSure(shop, player, key, text);
  const isInside = provider === 'card' || provider === 'platform';
  const paid = isInside ? billingNo : (await payForSure(shop, player, { body: text, billingNo })).billingNo;
  await waitUntilDelivered(shop, player, paid);
  return paid;
}

type PayCall = { provider: string; body: Record<string, unknown> };

async function bodyOf(shop: ChaosShop, buyer: Buyer, tender: Tender): Promise<PayCall> {
  const at = buyer.used.get(tender) ?? 0;
  buyer.used.set(tender, at + 1);
  const next = (provider: string, isWanted: (body: Record<string, unknown>) => boolean = () => true) => {
    const all = (buyer.orders[provider] ?? []).filter(isWanted);
    buyer.player.next += 1;
    const body = all[buyer.player.next % all.length];
    if (!body) throw new Error(`nothing can be bought by ${provider}`);
    return body;
  };
  const isEmber = (body: Record<string, unknown>) => body['client_id'] === EMBER_CLIENT;
  if (tender === 'adyen' || tender === 'xsolla') return { provider: tender, body: next(tender) };
  if (tender === 'card') {
    const card = buyer.cards[at];
    if (!card) throw new Error('no card is left');
    return { provider: 'card', body: { ...next('card'), card_info: cardInfo(card.cardId, card.password) } };
  }
  if (tender === 'balance') {
    if (at >= BY_BALANCE.times) return { provider: 'adyen', body: next('adyen') };
    const { client, product } = BY_BALANCE;
    const isWanted = (body: Record<string, unknown>) => body['client_id'] === client && body['product_id'] === product;
    // Listed for who has a balance alone; it asks for no channel of its own.
    const { channel_id: _channel, ...body } = next('adyen', isWanted);
    return { provider: 'platform', body };
  }
  if (tender === 'coupon')
    return { provider: 'adyen', body: { ...next('adyen', buyer.takesCoupon), coupon_code: buyer.coupons[at] } };
  if (tender === 'code') return { provider: 'adyen', body: { ...next('adyen'), promo_code: 'KESTREL' } };
  if (tender === 'replenish') {
    const { client_id: _client, product_id: _product, ...rest } = next('xsolla');
    const id = buyer.replenish[at];
    return {
      provider: 'xsolla',
      body: {
        ...rest, client_id: '70021', server_id: '', role_id: '', areaId: '', product_id: id, replenish_id: id,
        price_minor: REPLENISH_MINOR,
      } /* a row a line */, // prettier-ignore
    };
  }
  const offer = await findOffer(shop, buyer);
  // Sold already, as every day's offer is once: then as anybody buys.
  if (!offer) return { provider: 'adyen', body: next('adyen', isEmber) };
  return {
    provider: 'adyen',
    body: {
      ...next('adyen', isEmber),
      product_id: offer.product_id,
      offer_code: offer.code,
      price_minor: offer.price_minor,
    },
  };
}

type OpenOffer = { code: string; product_id: string; price_minor: number };

async function findOffer(shop: ChaosShop, { player }: Buyer): Promise<OpenOffer | null> {
  const response = await shop.server.request({
    method: 'GET',
    path: `/api/offers/list?client_id=${EMBER_CLIENT}&country=US`,
    headers: { ...player.headers },
  });
  const answer = (await response.body.json()) as { content: { list: OpenOffer[] } | null };
  return answer.content?.list[0] ?? null;
}
