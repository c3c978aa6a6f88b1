// Paying, step one: reserve and commit the order, then ask the provider for a page to pay on.
// Two database calls and one provider call; no transaction is open in between.
import type { CodeName } from '#contracts/errors.ts';
import type { PayInput, PayResult } from '#contracts/payments.ts';
import { isWithinBound } from '#kernel/bound.ts';
import type { Configuration, Game } from '#server/modules/configuration/service.ts';
import { takesCoupons } from '#server/modules/coupons/service.ts';
import { type GamesService, brandOf, gameForBrand } from '#server/modules/games/service.ts';
import type { GiftCardsService, HashedCard } from '#server/modules/giftcards/service.ts';
import type { ChosenChannel, PaymentsService } from '#server/modules/payments/service.ts';
import { marketOf, quote } from '#server/modules/pricing/service.ts';
import type { Db, Queryable } from '#server/platform/database/db.ts';
import { type Answer, type PlayerCaller, refuse, succeed } from '#server/platform/http/http.ts';
import { networkOf } from '#server/platform/limits.ts';
import type { Log } from '#server/platform/log.ts';
import { noteSecurity } from '#server/platform/security-log.ts';
import { toPlaceInput } from './place-input.ts';
import { startPayment } from './start-payment.ts';
import type { Steps } from '#server/modules/orders/steps/step-store.ts';
import { type MeansInPlace, type PlaceInput, type PlaceOutcome, placeOrder } from '#server/modules/orders/store.ts';

export type PlaceDeps = {
  readonly db: Db;
  /** Where what most orders need is run: on `db`, or together with that of others. */
  readonly steps: Queryable | Steps;
  readonly log: Log;
  readonly configuration: () => Configuration;
  readonly games: GamesService;
  readonly payments: PaymentsService;
  readonly giftCards: GiftCardsService;
  /** Hears that an order was just paid, and whether the other processes must hear it too. */
  readonly onPaid: () => void;
  readonly shouldNotify: boolean;
  readonly now: () => number;
  /** Makes order numbers; left out, the system's own chance. */
  readonly random?: (() => number) | undefined;
  readonly limits: { maxPerMinute: number; maxOpen: number };
};

const REFUSALS: Record<
  Exclude<PlaceOutcome['outcome'], 'placed' | 'paid' | 'repeat' | 'replay' | 'card_refused'>,
  CodeName
> = {
  running: 'requestRunning',
  key_reused: 'keyReused',
  role_unknown: 'roleNotFound',
  limit_reached: 'limitReached',
  sold_out: 'soldOut',
  too_many_orders: 'tooManyOrders',
  coupon_refused: 'illegalCoupon',
  price_changed: 'priceChanged',
  card_not_enough: 'cardNotEnough',
  balance_too_low: 'balanceTooLow',
};

/** @param payPath the pay call's name, e.g. "paypal_pay" */
export async function payOrder(
  deps: PlaceDeps,
  caller: PlayerCaller,
  payPath: string,
  input: PayInput,
): Promise<Answer<PayResult>> {
  const configuration = deps.configuration();
  const brand = brandOf(configuration, caller);
  const game = gameForBrand(configuration, brand, input.client_id);
  if (!game) return refuse('noGame');
  const market = marketOf(brand, input.domain_area, input.country, input.client_id);
  if (!market) return refuse('wrongDomain');
  const product = game.products.get(input.product_id);
  const priced = product && quote(market, product);
  if (!product || !priced) return refuse('productNotFound');
  if (input.coupon_code && !takesCoupons(brand, game, product)) return refuse('illegalCoupon');
  // With a coupon the price that was seen is the one after it, which only the database can tell.
  if (!input.coupon_code && input.price_minor !== undefined && input.price_minor !== priced.price.amountMinor)
    return refuse('priceChanged');
  const query = {
    brandKey: brand.key,
    mode: caller.site.mode,
    region: market.region,
    price: priced.price,
    platform: input.platform ?? 'web',
  } as const;
  const chosen = deps.payments.chooseChannel(
    query,
    [market.country, 'GLOBAL'],
    payPath,
    input.pay_id ?? '',
    input.channel_id ?? '',
  );
  if (!chosen) return refuse('channelNotFound');
  if (input.coupon_code && !(chosen.sub ?? chosen.channel).file.openCoupon) return refuse('illegalCoupon');

  if (isOutOfBounds(deps.log, caller, input)) return refuse('roleNotFound');
  const means = readMeans(deps, caller, input, chosen);
  if (means === 'refused') return refuse('cardRefused');
  const place = toPlaceInput(deps, caller, input, { market, game, product, chosen, amount: priced.price, means });
  return placeAndPay(deps, caller, game, place, chosen);
}

/** Whether a session that a game opened for one client or character is to pay for another. */
export function isOutOfBounds(
  log: Log,
  { session, site }: PlayerCaller,
  input: Pick<PayInput, 'client_id' | 'server_id' | 'areaId' | 'role_id'>,
): boolean {
  if (isWithinBound(session.bound, { ...input, area_id: input.areaId })) return false;
  noteSecurity(log, 'payment_out_of_bounds', { brand: site.brandKey, player: session.playerId });
  return true;
}

/** What a channel that asks nobody outside takes; null for all others. */
function readMeans(
  deps: PlaceDeps,
  caller: PlayerCaller,
  input: PayInput,
  { channel, terminal }: ChosenChannel,
): MeansInPlace | 'refused' | null {
  const { mode } = caller.site;
  if (terminal.provider.paysInPlace === 'wallet')
    return { kind: 'wallet', mode, spends: brandOf(deps.configuration(), caller).file.walletSpends ?? 'free_first' };
  if (terminal.provider.paysInPlace !== 'card') return null;
  const card = deps.giftCards.readCard(mode, input.card_info ?? '');
  // What a card is worth more than the goods goes into the balance, where there are balances.
  const keepsRest = deps.payments.terminal('wallet', mode) !== null;
  return card ? meansByCard(caller, card, 'pay', channel.file.id, keepsRest) : 'refused';
}

/** @param keepsRest the card may be worth more than the order */
export function meansByCard(
  caller: PlayerCaller,
  card: HashedCard,
  purpose: 'pay' | 'confirm',
  channel: string,
  keepsRest: boolean,
): MeansInPlace {
  return {
    kind: 'card',
    mode: caller.site.mode,
    purpose,
    channel,
    card_id: card.cardId,
    card_key: card.cardKey,
    password_hmac: card.passwordHmac,
    network: networkOf(caller.ip),
    keeps_rest: keepsRest,
  };
}

/** Places an order that is thought out, and starts its payment where it is not paid by that already. */
export async function placeAndPay(
  deps: PlaceDeps,
  caller: PlayerCaller,
  game: Game,
  place: PlaceInput,
  chosen: ChosenChannel,
): Promise<Answer<PayResult>> {
  const { playerId, suid } = caller.session;
  const { client_id: clientId, server_id: serverId, area_id: areaId, role_id: roleId } = place;
  if (place.in_place) {
    // As before a capture: what the game would refuse is not paid. A silent game is no reason, it gets its goods later.
    const recipient = { clientId, userId: suid, serverId, areaId, roleId };
    const check = await deps.games.checkGrant(game.id, place.mode, recipient, place.product_id);
    if (check.kind === 'declined') return refuse('goodsDeclined');
  }
  // Stock and cards are shared by many orders.
  const on = place.has_stock || place.in_place ? deps.db : deps.steps;
  // Only attempts with cards fail by guessing.
  const tryPlace = (): Promise<PlaceOutcome | 'too_many'> =>
    place.in_place?.kind === 'card'
      ? deps.giftCards.countAttempt(
          caller.ip,
          () => placeOrder(on, place),
          (one) => (one.outcome === 'card_refused' && one.reason) || null,
        )
      : placeOrder(on, place);
  let placed = await tryPlace();
  if (placed !== 'too_many' && placed.outcome === 'role_unknown') {
    // Not seen lately: ask the game once, then this character is known or does not exist.
    const roles = await deps.games.refreshRoles({
      game,
      clientId,
      mode: place.mode,
      playerId,
      suid,
      serverId,
      areaId: areaId || undefined,
    });
    if (!roles) return refuse('gameUnavailable');
    placed = await tryPlace();
  }
  if (placed === 'too_many') return refuse('tooManyCardAttempts');
  switch (placed.outcome) {
    case 'placed':
      return startPayment(deps, caller, place, placed, chosen);
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
    default:
      return refuse(REFUSALS[placed.outcome]);
  }
}
