// A game's server gives one of its players an offer of their own: a signed call, with an id of the game's that makes a
// second call the same one.
import { DAY_MS } from '#kernel/time.ts';
import { Compile } from 'typebox/compile';
import { type OfferAnswer, OfferCall } from '#contracts/game-calls.ts';
import type { GameId, PlayerId } from '#kernel/ids.ts';
import { type Currency, isCurrency, parseDecimal } from '#kernel/money.ts';
import type { Configuration, Product } from '#server/modules/configuration/service.ts';
import { type Db, type Queryable, transaction } from '#server/platform/database/db.ts';
import { isSigned, readSigned, type SignedAnswer, type SignedCall } from '#server/platform/http/signed-call.ts';
import type { Site } from '#server/platform/http/site.ts';
import type { Log } from '#server/platform/log.ts';
import { noteSecurity } from '#server/platform/security-log.ts';
import { personalCode } from './rules.ts';
import { givePersonalOffer, NO_NAME, type PersonalOffer } from './store.ts';

export type PersonalCallDeps = {
  readonly db: Db;
  readonly log: Log;
  readonly configuration: () => Configuration;
  readonly now: () => number;
  /** The game that a brand sells under a client; null for none. */
  readonly gameOfClient: (site: Site, clientId: string) => string | null;
  /** Secrets of the game's contract; none: the game cannot give offers. */
  readonly gameSecrets: (gameId: string) => readonly string[];
  readonly findPlayer: (
    site: Site,
    gameId: string,
    who: { user_id: string; username: string },
  ) => Promise<PlayerId | null>;
  readonly audit: (db: Queryable, entry: { actor: string; act: string; details: object }) => Promise<unknown>;
};

const wantedShape = Compile(OfferCall);

/** Our choice: longer ago than anybody remembers what it was for. */
const LONGEST_DAYS = 90;

const declined = (reason: string): SignedAnswer => ({ status: 200, body: { status: 'declined', reason } });

/** Null: no such game here. 401 for a signature that is wrong, old or missing. */
export async function answerPersonalCall(
  deps: PersonalCallDeps,
  site: Site,
  call: SignedCall,
): Promise<SignedAnswer | null> {
  const gameId = deps.gameOfClient(site, call.clientId);
  if (!gameId) return null;
  const refuse = (status: number, reason: string): SignedAnswer => {
    noteSecurity(deps.log, 'offer_refused', { brand: site.brandKey, game: gameId, reason });
    return { status, body: { status: 'error', reason } };
  };
  if (!isSigned(deps.gameSecrets(gameId), call, deps.now())) return refuse(401, 'signature');
  const wanted = readSigned<OfferCall>(call.body, wantedShape);
  if (!wanted) return refuse(400, 'body');
  // Signed for another brand or client: somebody has got hold of a call, and sends it elsewhere.
  if (wanted.to.toLowerCase() !== call.to.toLowerCase()) return refuse(401, 'to');
  const product = deps.configuration().productOf(gameId as GameId, wanted.product_id);
  if (!product) return declined('unknown_product');
  const prices = readPrices(wanted, product);
  if (!prices) return declined('bad_price');
  const until = wanted.until * 1000;
  if (until > deps.now() + LONGEST_DAYS * DAY_MS) return declined('too_long');
  const playerId = await deps.findPlayer(site, gameId, wanted);
  if (!playerId) return declined('unknown_user');
  const offer: PersonalOffer = {
    playerId,
    brandKey: site.brandKey,
    code: personalCode(gameId, wanted.offer_id),
    name: wanted.name ?? NO_NAME,
    gameId: gameId as GameId,
    productId: product.id,
    prices,
    until,
    source: `game ${gameId}`,
  };
  const outcome = await give(deps, offer, until > deps.now());
  if (outcome === 'other') return refuse(409, 'offer_id_used');
  if (outcome === 'over') return declined('over');
  const body: OfferAnswer = { status: 'ok', offer: offer.code, is_new: outcome === 'given' };
  return { status: 200, body };
}

/** The grant and its line of the audit stand or fall together. One that is over is answered only when it was given. */
async function give(
  deps: PersonalCallDeps,
  offer: PersonalOffer,
  isAhead: boolean,
): Promise<'given' | 'same' | 'other' | 'over'> {
  return transaction(deps.db, async (client) => {
    const outcome = await givePersonalOffer(client, offer, isAhead);
    if (outcome === 'given') {
      const { code, playerId, productId, prices, until } = offer;
      const details = {
        offer: code,
        player: playerId,
        product: productId,
        prices,
        until: new Date(until).toISOString(),
      };
      await deps.audit(client, { actor: `game:${offer.gameId}`, act: 'offer-give', details });
    }
    return outcome;
  });
}

/** Minor units by currency, each below what the product costs in it; null when one is not. */
function readPrices({ prices }: OfferCall, product: Product): Record<string, number> | null {
  const read = Object.entries(prices).map(([currency, text]): [string, number] | null => {
    const was = isCurrency(currency) ? product.prices.get(currency) : undefined;
    const price = was && parseDecimal(text, currency as Currency);
    return price && price.amountMinor > 0 && price.amountMinor < was.amountMinor ? [currency, price.amountMinor] : null;
  });
  return read.every((one) => one !== null) ? Object.fromEntries(read) : null;
}
