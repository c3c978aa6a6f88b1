// The pay call: what is bought, for how much and by which channel, as the configuration of this moment has it.
import type { PayInput, PayResult } from '#contracts/payments.ts';
import { isRefused } from '#server/modules/codes/service.ts';
import { takesCoupons } from '#server/modules/coupons/service.ts';
import { brandOf, gameForCaller } from '#server/modules/games/service.ts';
import { isOfferCode } from '#server/modules/offers/service.ts';
import { isSoldOut } from '#server/modules/orders/store.ts';
import { marketOf, quote } from '#server/modules/pricing/service.ts';
import { type PlayerCaller } from '#server/platform/http/http.ts';
import { type Answer, refuse } from '#server/platform/http/answer.ts';
import type { PlaceDeps } from './place-deps.ts';
import { toPlaceInput } from './place-input.ts';
import { logRefusedCoupon, placeAndPay } from './place-and-pay.ts';
import { isConfirmed } from './confirmed.ts';
import { isOutOfBounds } from './out-of-bounds.ts';
import { payReplenish } from './pay-replenish.ts';
import { readTender } from './tender.ts';

/** @param payPath the pay call's name, e.g. "paypal_pay" */
export async function payOrder(
  deps: PlaceDeps,
  caller: PlayerCaller,
  payPath: string,
  input: PayInput,
): Promise<Answer<PayResult>> {
  if (input.replenish_id) return payReplenish(deps, caller, payPath, { ...input, replenish_id: input.replenish_id });
  const configuration = deps.configuration();
  const brand = brandOf(configuration, caller);
  const game = gameForCaller(configuration, caller, input.client_id);
  if (!game) return refuse('noGame');
  const market = marketOf(brand, input.domain_area, input.country, input.client_id);
  if (!market) return refuse('wrongDomain');
  if (!isConfirmed(market, input)) return refuse('confirmationNeeded');
  const product = game.products.get(input.product_id);
  const priced = product && quote(market, product);
  if (!product || !priced) return refuse('productNotFound');
  // Told of a bonus that the files have no more: the player decides anew.
  if (input.first_bonus === '1' && !product.file.firstTime) return refuse('bonusGone');
  const { coupon_code: coupon, offer_code: offer, promo_code: code } = input;
  // A code of the one kind given for the other would come past what is asked of it; an offer takes nothing beside it.
  const isWrong = offer
    ? Boolean(coupon || code) || !isOfferCode(offer)
    : coupon && (isOfferCode(coupon) || !takesCoupons(brand, game, product));
  if (isWrong) return refuseCoupon(deps, caller, input);
  // With a coupon, an offer or a promo code the quoted price is the one after it, which only the database can tell.
  const isReduced = Boolean(coupon || offer || code);
  if (!isReduced && input.price_minor !== undefined && input.price_minor !== priced.price.amountMinor)
    return refuse('priceChanged');
  const query = {
    brandKey: brand.key,
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
  if (coupon && !(chosen.sub ?? chosen.channel).file.openCoupon) return refuseCoupon(deps, caller, input);

  if (isOutOfBounds(deps.log, caller, input)) return refuse('roleNotFound');
  if (offer && !(await deps.offers.prepare(caller, { market, game }, offer))) return refuseCoupon(deps, caller, input);
  const promo = code
    ? await deps.codes.terms({ playerId: caller.session.playerId, brand }, code, {
        gameId: game.id,
        productId: product.id,
        region: market.region,
        currency: priced.price.currency,
        hasCoupon: Boolean(coupon),
      })
    : null;
  if (promo && isRefused(promo)) return promo;
  const tender = readTender(deps, caller, input, chosen);
  if (tender === 'refused') return refuse('cardRefused');
  if (tender === 'mistyped') return refuse('cardRefused', 'error.card_mistyped');
  // Most of a crowd goes no further; a card is looked at first, because a wrong one counts as a guess.
  if (product.file.stock !== undefined && !tender) {
    const press = { player_id: caller.session.playerId, idempotency_key: caller.idempotencyKey };
    if (await isSoldOut(deps.db, { ...press, game_id: game.id, product_id: product.id })) return refuse('soldOut');
  }
  const sold = { market, game, product, chosen, amount: priced.price, tender, promo };
  const place = toPlaceInput(deps, caller, input, sold);
  return placeAndPay(deps, caller, game, place, chosen);
}

function refuseCoupon(deps: PlaceDeps, { session }: PlayerCaller, input: PayInput): Answer<never> {
  logRefusedCoupon(deps.log, session.playerId, input.coupon_code ?? input.offer_code ?? '', input.product_id);
  return refuse('illegalCoupon');
}
