// Prepaid cards: what one is worth, and whose account it opens. Spending one is part of placing an order.
import type { Goods } from '#contracts/catalogue.ts';
import type { CardWorth, SpentCard } from '#contracts/giftcards.ts';
import type { Offer } from '#contracts/offers.ts';
import type { BrandKey, PlayerId } from '#kernel/ids.ts';
import type { Language } from '#kernel/languages.ts';
import { type Money, isCurrency, money } from '#kernel/money.ts';
import { type Configuration, displayFor, nameAt, type Game } from '#server/modules/configuration/service.ts';
import { brandOf, gameForCaller } from '#server/modules/games/service.ts';
import { type Market, marketOf } from '#server/modules/pricing/service.ts';
import type { Db } from '#server/platform/database/db.ts';
import { type PlayerCaller } from '#server/platform/http/http.ts';
import { type Answer, refuse, succeed } from '#server/platform/http/answer.ts';
import { type FailureLimit, networkOf } from '#server/platform/limits/address-limits.ts';
import { noteSecurity } from '#server/platform/security-log.ts';
import type { Log } from '#server/platform/log.ts';
import type { Texts } from '#server/platform/texts.ts';
import { type HashedCard, hashCard, readCardInfo } from './card-secret.ts';
import { toSpentCard, toWorth, withOpenOffers } from './present.ts';
import {
  type CardFacts,
  type CardLook,
  type CardTry,
  type SpentCardRow,
  checkCard,
  hasFailedLately,
  listSpentBy,
} from './store.ts';

export { spaceOut } from './issue-cards.ts';
export type { HashedCard } from './card-secret.ts';
export type { CardFacts } from './store.ts';

type OffersFor = {
  client_id: string; domain_area?: string; country?: string; server_id?: string; areaId?: string; role_id?: string;
}; /* a row a line */ // prettier-ignore
type CheckInput = OffersFor & { card_info: string; pay_id?: string };

export type GiftCardsService = {
  check(caller: PlayerCaller, input: CheckInput): Promise<Answer<CardWorth>>;
  /** Lists the purchases that the player's cards paid. */
  history(caller: PlayerCaller): Promise<Answer<{ list: SpentCard[] }>>;
  /** The card of a pay call as place_order takes it; null when cards are off or the text is damaged. */
  readCard(cardInfo: string): HashedCard | null;
  /** A card that is about to be turned into goods; null: refused, for whatever reason. */
  look(caller: PlayerCaller, card: HashedCard, gameId: string, channel: string): Promise<CardFacts | 'too_many' | null>;
  /**
   * Makes an attempt with a card, unless too many of the caller's network failed lately and this account among them:
   * then nothing was looked at.
   * @param reasonOf why the attempt failed; null: it did not
   */
  countAttempt<Outcome>(
    who: { readonly ip: string; readonly playerId: PlayerId | null },
    attempt: () => Promise<Outcome>,
    reasonOf: (outcome: Outcome) => string | null,
  ): Promise<Outcome | 'too_many'>;
  /** The account that a card was issued to: for logins by card. Failed attempts count against card and network. */
  findOwner(input: {
    brandKey: BrandKey;
    cardNumber: string;
    password: string;
    ip: string;
  }): Promise<PlayerId | 'too_many' | null>;
};

/**
 * Failed attempts of a whole network. Mobile networks, schools and cafes share an address, so it is
 * far above what the players of one would ever mistype, and says so in words of its own: account and card are what
 * stops a guesser. Our choice.
 */
export const NETWORK_ATTEMPTS = { failures: 100, seconds: 900, bits: { ipv4: 24, ipv6: 64 } };

/** The channel that takes a card when the caller names none. */
const USUAL_CHANNEL = 'card';

/**
 * @param deps.pepper key of the password hashes; null where cards are off
 * @param deps.attempts counts failed attempts by network
 * @param deps.listOffers those that are open for a player now
 * @param deps.isTaken whether a kind of card pays this price in a market
 * @param deps.keepsRest whether there are balances, where what is left of a card goes
 */
export function createGiftCardsService(deps: {
  db: Db;
  log: Log;
  configuration: () => Configuration;
  texts: Texts;
  pepper: string | null;
  attempts: FailureLimit;
  listGoods: (market: Market, game: Game, language: Language) => { readonly list: readonly Goods[] };
  listOffers: (caller: PlayerCaller, input: OffersFor) => Promise<readonly Offer[]>;
  isTaken: (market: Market, price: Money, payId: string) => boolean;
  keepsRest: () => boolean;
}): GiftCardsService {
  const { db, log, configuration, pepper } = deps;
  const countAttempt: GiftCardsService['countAttempt'] = async ({ ip, playerId }, attempt, reasonOf) => {
    // Neighbours of a guesser pay on: an account that has not failed is looked at all the same.
    const isSlowed = !(await deps.attempts.hasLeft(ip));
    if (isSlowed && (playerId === null || (await hasFailedLately(db, playerId)))) {
      noteSecurity(log, 'card_attempts_limited', { ip });
      return 'too_many';
    }
    const outcome = await attempt();
    const reason = reasonOf(outcome);
    // An account under lockout is not counted again: one account alone must not use up the limit of a whole network.
    if (reason !== null && reason !== 'account_locked_out') await deps.attempts.count(ip);
    return outcome;
  };
  const tryCard = async (ip: string, tried: Omit<CardTry, 'network'>): Promise<CardFacts | 'too_many' | null> => {
    const look = await countAttempt<CardLook>(
      { ip, playerId: tried.player_id },
      () => checkCard(db, { ...tried, network: networkOf(ip) }),
      (one) => (one.outcome === 'ok' ? null : one.reason),
    );
    if (look === 'too_many') return look;
    if (look.outcome === 'ok') return look;
    noteSecurity(log, 'card_refused', { purpose: tried.purpose, reason: look.reason, brand: tried.brand_key });
    return null;
  };
  const asTry = (
    caller: PlayerCaller,
    card: HashedCard,
    rest: Pick<CardTry, 'purpose' | 'game_id' | 'channel'>,
  ): Omit<CardTry, 'network'> => ({
    ...rest,
    player_id: caller.session.playerId,
    brand_key: caller.site.brandKey,
    card_id: card.cardId,
    card_key: card.cardKey,
    password_hmac: card.passwordHmac,
  });

  const readCard: GiftCardsService['readCard'] = (cardInfo) =>
    pepper === null ? null : readCardInfo(pepper, cardInfo);

  return {
    readCard,
    countAttempt,
    check: async (caller, input) => {
      const game = gameForCaller(configuration(), caller, input.client_id);
      if (!game) return refuse('noGame');
      const card = readCard(input.card_info);
      if (!card) return refuse('cardRefused');
      if (card.isMistyped) return refuse('cardRefused', 'error.card_mistyped');
      const payId = input.pay_id || USUAL_CHANNEL;
      const facts = await tryCard(
        caller.ip,
        asTry(caller, card, { purpose: 'check', game_id: game.id, channel: payId }),
      );
      if (facts === 'too_many') return refuse('tooManyCardAttempts');
      if (!facts) return refuse('cardRefused');
      const brand = brandOf(configuration(), caller);
      // A card in a player's hand has no region; what it buys as money has.
      const market = marketOf(brand, input.domain_area, input.country, input.client_id);
      const isMoney = market !== null && facts.product_id === null;
      const list = isMoney ? deps.listGoods(market, game, caller.language).list : [];
      const offers = isMoney ? await deps.listOffers(caller, input) : [];
      const sold = withOpenOffers(list, offers).filter(
        ({ goods: { currency }, priceMinor }) =>
          market !== null && isCurrency(currency) && deps.isTaken(market, money(priceMinor, currency), payId),
      );
      const display = displayFor(brand, caller.language);
      const extraName = deps.texts(display.language, 'gift.extra');
      return succeed(toWorth(facts, game, display, { sold, keepsRest: deps.keepsRest(), extraName }));
    },
    history: async (caller) => {
      const brand = brandOf(configuration(), caller);
      const display = displayFor(brand, caller.language);
      const rows = await listSpentBy(db, caller.session.playerId, caller.session.bound);
      const nameNow = (row: SpentCardRow) => {
        const product = configuration().gameOfClient(row.client_id)?.game.products.get(row.product_id);
        return product && nameAt(brand, product);
      };
      return succeed({ list: rows.map((row) => toSpentCard(row, display, nameNow(row))) });
    },
    look: (caller, card, gameId, channel) =>
      tryCard(caller.ip, asTry(caller, card, { purpose: 'confirm', game_id: gameId, channel })),
    findOwner: async ({ brandKey, cardNumber, password, ip }) => {
      if (pepper === null) return null;
      const card = hashCard(pepper, cardNumber, password);
      if (card.isMistyped) return null;
      const facts = await tryCard(ip, {
        purpose: 'login',
        player_id: null,
        brand_key: brandKey,
        game_id: null,
        channel: null,
        card_id: card.cardId,
        card_key: card.cardKey,
        password_hmac: card.passwordHmac,
      });
      return facts === 'too_many' ? facts : (facts?.issued_to ?? null);
    },
  };
}
