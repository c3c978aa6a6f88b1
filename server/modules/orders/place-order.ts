// Paying, step one: reserve and commit the order, then ask the provider for a page to pay on.
// Two database calls and one provider call; no transaction is open in between.
import { decodeTime } from 'ulid';
import type { CodeName } from '#contracts/errors.ts';
import type { PayInput, PayResult } from '#contracts/payments.ts';
import { type BillingNo, attemptRef } from '#kernel/ids.ts';
import type { Configuration, Game } from '#server/modules/configuration/service.ts';
import { takesCoupons } from '#server/modules/coupons/service.ts';
import { type GamesService, brandOf, gameForBrand } from '#server/modules/games/service.ts';
import type { GiftCardsService, HashedCard } from '#server/modules/giftcards/service.ts';
import type { CreateOutcome } from '#server/modules/payments/provider.ts';
import type { ChosenChannel, PaymentsService } from '#server/modules/payments/service.ts';
import { marketOf, quote } from '#server/modules/pricing/service.ts';
import type { Db } from '#server/platform/db.ts';
import { type Answer, type PlayerCaller, refuse, succeed } from '#server/platform/http.ts';
import { networkOf } from '#server/platform/limits.ts';
import type { Log } from '#server/platform/log.ts';
import { recordExchange } from '#server/platform/outbound-record.ts';
import { OutboundError } from '#server/platform/outbound.ts';
import { readPlacedAttempt } from './attempt-store.ts';
import { toCreatePayment } from './create-input.ts';
import { toPlaceInput } from './place-input.ts';
import { type MeansInPlace, type PlaceInput, type PlaceOutcome, finishCreate, placeOrder } from './store.ts';

export type PlaceDeps = {
  readonly db: Db;
  readonly log: Log;
  readonly configuration: () => Configuration;
  readonly games: GamesService;
  readonly payments: PaymentsService;
  readonly giftCards: GiftCardsService;
  /** Hears that an order was just paid, and whether the other processes must hear it too. */
  readonly onPaid: () => void;
  readonly shouldNotify: boolean;
  readonly now: () => number;
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

  const means = readMeans(deps, caller, input, chosen);
  if (means === 'refused') return refuse('cardRefused');
  const place = toPlaceInput(deps, caller, input, { market, game, product, chosen, amount: priced.price, means });
  return placeAndPay(deps, caller, game, place, chosen);
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
    ip: networkOf(caller.ip),
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
  let placed = await placeOrder(deps.db, place);
  if (placed.outcome === 'role_unknown') {
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
    placed = await placeOrder(deps.db, place);
  }
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
      deps.log.warn({ security: 'card_refused', purpose: 'pay', reason: placed.reason }, 'a prepaid card was refused');
      return refuse('cardRefused');
    default:
      return refuse(REFUSALS[placed.outcome]);
  }
}

async function startPayment(
  deps: PlaceDeps,
  caller: PlayerCaller,
  place: PlaceInput,
  placed: { billing_no: BillingNo; attempt_no: number; amount_minor: number },
  { terminal }: ChosenChannel,
): Promise<Answer<PayResult>> {
  const { provider, context } = terminal;
  const record = recordExchange(context.outbound);
  // A number that is not this call's own: a died call is taken up again, or an open order is paid another way. Rare, and worth a look.
  const earlier =
    placed.billing_no === place.billing_no ? null : await readPlacedAttempt(deps.db, place.player_id, placed);
  const created = await provider
    .create(
      { ...context, outbound: record.outbound },
      toCreatePayment(
        {
          billingNo: placed.billing_no,
          attemptNo: placed.attempt_no,
          provider: provider.name,
          amount: { amountMinor: placed.amount_minor, currency: place.currency },
          product: place.product,
          brandName: brandOf(deps.configuration(), caller).file.name,
          playerId: place.player_id,
          username: place.username,
          country: place.country,
          language: caller.language,
          channelId: place.channel_id,
          // Never the time of this very call: a provider knows a repeated call by its equal body.
          expiresAt:
            placed.attempt_no > 1 && earlier
              ? earlier.payable_until.getTime()
              : decodeTime(placed.billing_no) + provider.payableForSeconds * 1000,
        },
        caller,
      ),
    )
    // A payment that is done at once is not believed here: what it came to is asked, as of every payment.
    .then((outcome): Exclude<CreateOutcome, { kind: 'paid' }> =>
      outcome.kind === 'paid' ? { kind: 'unknown', reason: 'paid at once' } : outcome,
    )
    .catch((error: unknown): Exclude<CreateOutcome, { kind: 'paid' | 'page' }> => {
      if (!(error instanceof OutboundError))
        deps.log.error({ err: error, provider: provider.name }, 'creating a payment failed inside the adapter');
      const isSafe = error instanceof OutboundError && !error.wasSent;
      return { kind: isSafe ? 'refused' : 'unknown', reason: (error as Error).message };
    });

  const base = {
    player_id: place.player_id,
    billing_no: placed.billing_no,
    attempt_no: placed.attempt_no,
    provider: provider.name,
    idempotency_key: place.idempotency_key,
  };
  const exchange = { create: record.exchange() };
  const url = payLinkOf(created, terminal, caller, attemptRef(placed.billing_no, placed.attempt_no));
  if ((created.kind === 'redirect' || created.kind === 'page') && url !== null) {
    const answer = { code: 'success' as const, billing_no: placed.billing_no, url };
    await finishCreate(deps.db, {
      ...base,
      state: 'redirected',
      provider_ref: created.providerRef,
      url,
      exchange,
      answer,
    });
    return succeed({ billing_no: placed.billing_no, url });
  }
  // What died may have made a payment before: then a no to the second call proves nothing.
  const isInDoubt = created.kind === 'unknown' || (created.kind === 'refused' && earlier?.is_resumed === true);
  if (isInDoubt) {
    // It may have been made: the order stays, the query ladder and callbacks end the doubt.
    deps.log.warn(
      { billing_no: placed.billing_no, provider: provider.name, reason: created.reason },
      'whether a payment was created is not known',
    );
    const answer = { code: 'success' as const, billing_no: placed.billing_no, url: '' };
    await finishCreate(deps.db, { ...base, state: 'unknown', provider_ref: null, url: null, exchange, answer });
    return succeed({ billing_no: placed.billing_no, url: '' });
  }
  const isBadLink = created.kind === 'redirect' || created.kind === 'page';
  const reason = isBadLink ? 'the pay link points to a host that is not on the list' : created.reason;
  deps.log.error({ billing_no: placed.billing_no, provider: provider.name, reason }, 'a payment was not created');
  await finishCreate(deps.db, {
    ...base,
    state: 'failed',
    provider_ref: isBadLink ? created.providerRef : null,
    url: null,
    exchange,
    answer: null,
  });
  return refuse(isBadLink ? 'invalidLink' : 'providerUnavailable');
}

/** Where the player goes to pay: the provider's page, or ours on the way to it. Null: a link that is not the provider's. */
function payLinkOf(
  created: CreateOutcome,
  { provider, context }: ChosenChannel['terminal'],
  caller: PlayerCaller,
  reference: string,
): string | null {
  if (created.kind === 'page') return `${caller.origin}/pay/${provider.name}/${reference}`;
  const isSafe =
    created.kind === 'redirect' &&
    isPayLink(created.url, provider.payHosts(context.settings, context.mode), context.mode);
  return isSafe ? created.url : null;
}

/** Only https, only the provider's own hosts; plain http exists for sandboxes on this machine. @source ASVS 3.7.2 */
export function isPayLink(url: string, hosts: readonly string[], mode: 'sandbox' | 'live'): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, host, username } = new URL(url);
  return (
    (protocol === 'https:' || (protocol === 'http:' && mode === 'sandbox')) && hosts.includes(host) && username === ''
  );
}
