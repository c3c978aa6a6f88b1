// Prepaid cards: what one is worth, and whose account it opens. Spending one is part of placing an order.
import type { CardWorth } from '#contracts/giftcards.ts';
import type { BrandKey, PlayerId } from '#kernel/ids.ts';
import { money, showMoney } from '#kernel/money.ts';
import type { Configuration } from '#server/modules/configuration/service.ts';
import { gameForCaller } from '#server/modules/games/service.ts';
import type { Db } from '#server/platform/database/db.ts';
import { type Answer, type PlayerCaller, refuse, succeed } from '#server/platform/http/http.ts';
import { networkOf } from '#server/platform/limits.ts';
import { noteSecurity } from '#server/platform/security-log.ts';
import type { Log } from '#server/platform/log.ts';
import { type HashedCard, hashCard, readCardInfo } from './card-secret.ts';
import { type CardFacts, type CardTry, checkCard } from './store.ts';

export { spaceOut } from './issue-cards.ts';
export type { HashedCard } from './card-secret.ts';
export type { CardFacts } from './store.ts';

type CheckInput = { client_id: string; card_info: string; pay_id?: string };

export type GiftCardsService = {
  check(caller: PlayerCaller, input: CheckInput): Promise<Answer<CardWorth>>;
  /** The card of a pay call as place_order takes it; null when cards are off or the text is damaged. */
  readCard(cardInfo: string): HashedCard | null;
  /** A card that is about to be turned into goods; null: refused, for whatever reason. */
  look(caller: PlayerCaller, card: HashedCard, gameId: string, channel: string): Promise<CardFacts | null>;
  /** Whom a card was issued to: for logins by card. The misses count against the card and the address. */
  findOwner(input: { brandKey: BrandKey; cardNumber: string; password: string; ip: string }): Promise<PlayerId | null>;
};

/** The channel that takes a card when the caller names none. */
const USUAL_CHANNEL = 'card';

/** @param deps.pepper key of the password hashes; null where cards are off */
export function createGiftCardsService(deps: {
  db: Db;
  log: Log;
  configuration: () => Configuration;
  pepper: string | null;
}): GiftCardsService {
  const { db, log, configuration, pepper } = deps;
  const tryCard = async (tried: Omit<CardTry, 'ip'> & { ip: string }): Promise<CardFacts | null> => {
    const look = await checkCard(db, { ...tried, ip: networkOf(tried.ip) });
    if (look.outcome === 'ok') return look;
    noteSecurity(log, 'card_refused', { purpose: tried.purpose, reason: look.reason, brand: tried.brand_key });
    return null;
  };
  const asTry = (
    caller: PlayerCaller,
    card: HashedCard,
    rest: Pick<CardTry, 'purpose' | 'game_id' | 'channel'>,
  ): CardTry => ({
    ...rest,
    player_id: caller.session.playerId,
    ip: caller.ip,
    brand_key: caller.site.brandKey,
    card_id: card.cardId,
    card_key: card.cardKey,
    password_hmac: card.passwordHmac,
  });

  const readCard: GiftCardsService['readCard'] = (cardInfo) =>
    pepper === null ? null : readCardInfo(pepper, cardInfo);

  return {
    readCard,
    check: async (caller, input) => {
      const game = gameForCaller(configuration(), caller, input.client_id);
      if (!game) return refuse('noGame');
      const card = readCard(input.card_info);
      if (!card) return refuse('cardRefused');
      const facts = await tryCard(
        asTry(caller, card, { purpose: 'check', game_id: game.id, channel: input.pay_id || USUAL_CHANNEL }),
      );
      if (!facts) return refuse('cardRefused');
      const product = facts.product_id === null ? undefined : game.products.get(facts.product_id);
      const face = money(facts.face_minor, facts.face_currency);
      return succeed({
        price: showMoney(face),
        price_minor: face.amountMinor,
        currency: face.currency,
        gems_number: facts.gems_number,
        extra_gems_number: facts.extra_gems,
        product_name: product ? (product.file.name[caller.language] ?? product.file.name.en) : '',
        can_confirm: product !== undefined,
        valid_end_time: new Date(facts.valid_to).getTime(),
      });
    },
    look: (caller, card, gameId, channel) =>
      tryCard(asTry(caller, card, { purpose: 'confirm', game_id: gameId, channel })),
    findOwner: async ({ brandKey, cardNumber, password, ip }) => {
      if (pepper === null) return null;
      const card = hashCard(pepper, cardNumber, password);
      const facts = await tryCard({
        purpose: 'login',
        player_id: null,
        ip,
        brand_key: brandKey,
        game_id: null,
        channel: null,
        card_id: card.cardId,
        card_key: card.cardKey,
        password_hmac: card.passwordHmac,
      });
      return facts?.issued_to ?? null;
    },
  };
}
