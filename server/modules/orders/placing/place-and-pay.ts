// Places an order and begins its payment: reserve and ask the game together (goods of limited stock first reserve),
// then ask the provider for a page to pay on. Money is asked for
// only after the game has said yes. Two database calls, one of the game and one of the provider; no
// transaction is open in between.
import type { CodeName } from '#contracts/errors.ts';
import type { PayResult } from '#contracts/payments.ts';
import type { PlayerId } from '#kernel/ids.ts';
import { refusePromo } from '#server/modules/codes/service.ts';
import type { Game } from '#server/modules/configuration/service.ts';
import type { CheckOutcome } from '#server/modules/games/gameserver.ts';
import { refuseDeclined } from '#server/modules/games/service.ts';
import { readPlacedAttempt } from '#server/modules/orders/payments/attempt-store.ts';
import type { PlaceInput, PlaceOutcome } from '#server/modules/orders/store.ts';
import type { ChosenChannel } from '#server/modules/payments/service.ts';
import { type PlayerCaller } from '#server/platform/http/http.ts';
import { type Answer, refuse, refuseFor, succeed } from '#server/platform/http/answer.ts';
import type { Log } from '#server/platform/log.ts';
import { noteSecurity } from '#server/platform/security-log.ts';
import type { PlaceDeps } from './place-deps.ts';
import { startPayment } from './start-payment.ts';

type Placed = Extract<PlaceOutcome, { outcome: 'placed' }>;

const REFUSALS: Record<
  Exclude<
    PlaceOutcome['outcome'],
    | 'placed'
    | 'paid'
    | 'repeat'
    | 'replay'
    | 'card_refused'
    | 'other_price'
    | 'coupon_refused'
    | 'promo_refused'
    | 'cap_reached'
    | 'too_fast'
    | 'too_many_orders'
  >,
  CodeName
> = {
  running: 'requestRunning',
  key_reused: 'keyReused',
  role_unknown: 'roleNotFound',
  limit_reached: 'limitReached',
  sold_out: 'soldOut',
  price_changed: 'priceChanged',
  bonus_gone: 'bonusGone',
  card_not_enough: 'cardNotEnough',
  balance_too_low: 'balanceTooLow',
  replenish_gone: 'replenishError',
  replenish_foreign: 'otherAccount',
  real_name_missing: 'notRealName',
  age_unknown: 'ageUnknown',
  spending_paused: 'spendingPaused',
  cap_other_currency: 'capOtherCurrency',
};

export async function placeAndPay(
  deps: PlaceDeps,
  caller: PlayerCaller,
  game: Game,
  place: PlaceInput,
  chosen: ChosenChannel,
): Promise<Answer<PayResult>> {
  // Before anything is written: an order whose payment cannot be created would be one more that failed.
  if (!deps.payments.isAvailable(chosen.account.provider.name)) return refuse('providerUnavailable');
  const ask = () => askGame(deps, caller, game, place);
  // A crowd at a limited stock is told by the database alone: nearly all of it would ask the game for nothing.
  const asking = place.has_stock && !place.tender ? null : ask();
  if (asking && place.tender) {
    // An internal tender is spent in the step that places the order, so here the game's yes comes first.
    const refusal = refusalOf(game, await asking);
    if (refusal) return refusal;
  }
  let placed = await placeCounted(deps, caller, game, place);
  if (placed === 'too_many') return refuse('tooManyCardAttempts');
  if (!placed) return refuse('gameUnreachable');
  if (placed.outcome === 'other_price') {
    // An unpaid order at another price is never paid any more: it is closed at its provider, then the
    // goods are ordered at today's.
    const closed = await deps.unpaid.close(placed.billing_no);
    if (closed?.kind !== 'closed') return refuseForUnpaid(deps, caller, 'openOrderOtherPrice', placed.billing_no);
    placed = (await placeKnown(deps, caller, game, place)) ?? placed;
  }
  if (placed.outcome === 'too_many_orders' && (await deps.unpaid.makeRoom(place.player_id)))
    placed = (await placeKnown(deps, caller, game, place)) ?? placed;
  switch (placed.outcome) {
    case 'placed': {
      const check = await (asking ?? ask());
      const refusal = refusalOf(game, check);
      if (refusal) return releasePlaced(deps, place, placed, refusal, check);
      return startPayment(deps, caller, place, placed, chosen);
    }
    case 'paid':
      deps.onPaid();
      return succeed({ billing_no: placed.billing_no, url: '' });
    case 'repeat':
      return { code: 'repeatOrder', content: { billing_no: placed.billing_no, url: placed.url } };
    case 'replay':
      return { code: placed.answer.code, content: { billing_no: placed.answer.billing_no, url: placed.answer.url } };
    case 'card_refused':
      noteSecurity(deps.log, 'card_refused', { purpose: 'pay', reason: placed.reason });
      return refuse('cardRefused');
    case 'other_price':
      return refuseForUnpaid(deps, caller, 'openOrderOtherPrice', placed.billing_no);
    case 'too_many_orders':
      return refuseForUnpaid(deps, caller, 'tooManyOrders');
    case 'too_fast':
      return refuseFor(60);
    case 'cap_reached':
      return refuse(placed.kind === 'age' ? 'ageCapReached' : 'ownCapReached');
    case 'coupon_refused':
      logRefusedCoupon(deps.log, place.player_id, place.coupon?.code ?? '', place.sold.product_id);
      return refuse('illegalCoupon');
    case 'promo_refused':
      return refusePromo(placed.reason);
    default:
      return refuse(REFUSALS[placed.outcome]);
  }
}

/** The answer carries the orders that are in the way, so that the page can lead to them. */
async function refuseForUnpaid(
  deps: PlaceDeps,
  caller: PlayerCaller,
  code: 'openOrderOtherPrice' | 'tooManyOrders',
  only?: string,
): Promise<Answer<PayResult>> {
  const orders = await deps.showUnpaid(caller, only);
  const [first] = only === undefined ? [] : orders;
  return { code, content: { billing_no: first?.billing_no ?? '', url: first?.url ?? '', open_orders: orders } };
}

/**
 * For support: the page tells the player, and lets go of it.
 * @source specification section 8: "the coupon is logged"
 */
export function logRefusedCoupon(log: Log, playerId: PlayerId, coupon: string, productId: string): void {
  log.info({ player_id: playerId, coupon, product_id: productId }, 'coupon does not work for this order');
}

/** Never rejects: what cannot be reached is `unknown`. */
function askGame(deps: PlaceDeps, caller: PlayerCaller, game: Game, { sold }: PlaceInput): Promise<CheckOutcome> {
  // Nobody receives anything by it: the account is unblocked once it is paid.
  if (sold.replenish_id) return Promise.resolve({ kind: 'ok' });
  const recipient = {
    clientId: sold.client_id,
    userId: caller.session.suid,
    serverId: sold.server_id,
    areaId: sold.area_id,
    roleId: sold.role_id,
  };
  return deps.games.checkGrant(game.id, recipient, sold.product_id);
}

/** Null: money may be asked for. */
function refusalOf(game: Game, check: CheckOutcome): Answer<never> | null {
  if (check.kind === 'declined') return refuseDeclined(check.reason);
  return check.kind === 'unknown' && game.file.check !== 'when_reachable' ? refuse('gameUnreachable') : null;
}

/** Only an attempt with a prepaid card can be a guess: those that fail count for the network that they come from. */
function placeCounted(
  deps: PlaceDeps,
  caller: PlayerCaller,
  game: Game,
  place: PlaceInput,
): Promise<PlaceOutcome | 'too_many' | null> {
  const placing = () => placeKnown(deps, caller, game, place);
  if (place.tender?.kind !== 'card') return placing();
  const reasonOf = (placed: PlaceOutcome | null) => (placed?.outcome === 'card_refused' && placed.reason) || null;
  const who = { ip: caller.ip, playerId: caller.session.playerId };
  return deps.giftCards.countAttempt(who, placing, reasonOf);
}

/**
 * Asks the game for the characters once where this one was not seen lately: then it is known or does not
 * exist. Null: it cannot be asked.
 */
async function placeKnown(
  deps: PlaceDeps,
  caller: PlayerCaller,
  game: Game,
  place: PlaceInput,
): Promise<PlaceOutcome | null> {
  const placed = await deps.steps.placeOrder(place);
  if (placed.outcome !== 'role_unknown') return placed;
  const { playerId, suid } = caller.session;
  const roles = await deps.games.refreshRoles({
    game,
    clientId: place.sold.client_id,
    playerId,
    suid,
    serverId: place.sold.server_id,
    areaId: place.sold.area_id || undefined,
  });
  return roles ? deps.steps.placeOrder(place) : null;
}

/**
 * The game said no before anybody was asked for money: the order ends, what it held is free at once,
 * and the key may be used again.
 */
async function releasePlaced(
  deps: PlaceDeps,
  place: PlaceInput,
  placed: Placed,
  refusal: Answer<never>,
  check: CheckOutcome,
): Promise<Answer<never>> {
  // An abandoned call may have got as far as the provider: then its payment is still
  // possible, and polling ends the doubt.
  const earlier =
    placed.billing_no === place.billing_no ? null : await readPlacedAttempt(deps.db, place.player_id, placed);
  const reason = check.kind === 'ok' ? null : check.reason;
  deps.log.info({ billing_no: placed.billing_no, reason }, 'the game was asked before payment and did not agree');
  await deps.steps.recordCreateResult({
    player_id: place.player_id,
    billing_no: placed.billing_no,
    attempt_no: placed.attempt_no,
    provider: place.provider,
    state: earlier?.is_resumed ? 'unknown' : 'failed',
    provider_ref: null,
    url: null,
    exchange: { check: { kind: check.kind, reason } },
    idempotency_key: place.idempotency_key,
    answer: null,
  });
  return refusal;
}
