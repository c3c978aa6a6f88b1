// A game's server opens a make-up payment for one of its players: a signed call, as it signs its ticket calls.
import { Compile } from 'typebox/compile';
import { type ReplenishAnswer, ReplenishCall } from '#contracts/game-calls.ts';
import { isCurrency, parseDecimal } from '#kernel/money.ts';
import type { BrandKey, GameId, ReplenishId } from '#kernel/ids.ts';
import { noteSecurity } from '#server/platform/security-log.ts';
import { isSigned, readSigned, type SignedAnswer, type SignedCall } from '#server/platform/http/signed-call.ts';
import type { Site } from '#server/platform/http/site.ts';
import { ulid } from 'ulid';
import { USUAL_VALID_SECONDS } from './rules.ts';
import type { ReplenishDeps } from './replenish-deps.ts';
import { openReplenish } from './store.ts';

const shape = Compile(ReplenishCall);
const declined = (reason: string): SignedAnswer => ({ status: 200, body: { status: 'declined', reason } });

/** Null: no such game here. 401 for a signature that is wrong, old or missing; 409 for a reference used otherwise. */
export async function answerOpenCall(
  deps: ReplenishDeps,
  site: Site,
  origin: string,
  call: SignedCall,
): Promise<SignedAnswer | null> {
  const brandKey = site.brandKey as BrandKey;
  const configuration = deps.configuration();
  const gameId: GameId | undefined = configuration.gameOfClient(call.clientId)?.game.id;
  if (!gameId || !configuration.brands.get(brandKey)?.file.games.includes(gameId)) return null;
  const refuse = (status: number, reason: string): SignedAnswer => {
    noteSecurity(deps.log, 'replenish_refused', { brand: brandKey, game: gameId, reason });
    return { status, body: { status: 'error', reason } };
  };
  if (!isSigned(deps.gameSecrets(gameId), call, deps.now())) return refuse(401, 'signature');
  const wanted = readSigned<ReplenishCall>(call.body, shape);
  if (!wanted) return refuse(400, 'body');
  if (wanted.to.toLowerCase() !== call.to.toLowerCase()) return refuse(401, 'to');
  const amount = isCurrency(wanted.currency) ? parseDecimal(wanted.amount, wanted.currency) : null;
  if (!amount || amount.amountMinor < 1) return refuse(400, 'amount');
  const playerId = await deps.playerOfGame(site, gameId, wanted);
  if (!playerId) return declined('unknown_user');
  const opened = await openReplenish(deps.db, {
    replenish_id: `RP-${ulid(deps.now())}` as ReplenishId,
    player_id: playerId,
    brand_key: brandKey,
    game_id: gameId,
    client_id: call.clientId,
    amount_minor: amount.amountMinor,
    currency: amount.currency,
    reason: wanted.reason ?? '',
    opened_by: 'game',
    reference: wanted.reference,
    valid_seconds: wanted.valid_time ?? USUAL_VALID_SECONDS,
  });
  if (!opened) return refuse(409, 'reference');
  deps.log.info({ replenish_id: opened.replenish_id, game: gameId }, 'a game opened a make-up payment');
  const body: ReplenishAnswer = {
    status: 'ok',
    replenish_id: opened.replenish_id,
    url: replenishUrl(origin, opened.replenish_id),
    valid_time: Math.max(0, opened.seconds_left),
  };
  return { status: 200, body };
}

function replenishUrl(origin: string, id: ReplenishId): string {
  const address = new URL('/replenishGoods', origin);
  address.searchParams.set('replenish_id', id);
  return address.href;
}
