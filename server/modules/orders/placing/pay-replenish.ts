// The pay call of a make-up payment: sells exactly its amount, to the account that it names, without coupon, limit or
// character. What decides is looked at again under locks (sql/look_at_replenish.sql).
import type { PayInput, PayResult } from '#contracts/payments.ts';
import type { Texts } from '#contracts/files.ts';
import { LANGUAGES } from '#kernel/languages.ts';
import type { ReplenishId } from '#kernel/ids.ts';
import { brandOf, gameForCaller } from '#server/modules/games/service.ts';
import { chargesIn, marketOf } from '#server/modules/pricing/service.ts';
import { type PlayerCaller } from '#server/platform/http/http.ts';
import { type Answer, refuse } from '#server/platform/http/answer.ts';
import { isConfirmed } from './confirmed.ts';
import { placeAndPay } from './place-and-pay.ts';
import type { PlaceDeps } from './place-deps.ts';
import { toPlaceInput } from './place-input.ts';
import { isOutOfBounds } from './out-of-bounds.ts';
import { readTender } from './tender.ts';

/** A drawing of the goods sprite. */
const ART = 'item-pass' as const;

export async function payReplenish(
  deps: PlaceDeps,
  caller: PlayerCaller,
  payPath: string,
  given: PayInput & { replenish_id: string },
): Promise<Answer<PayResult>> {
  const configuration = deps.configuration();
  const brand = brandOf(configuration, caller);
  const game = gameForCaller(configuration, caller, given.client_id);
  if (!game) return refuse('noGame');
  const market = marketOf(brand, given.domain_area, given.country, given.client_id);
  if (!market) return refuse('wrongDomain');
  if (!isConfirmed(market, given)) return refuse('confirmationNeeded');
  const found = await deps.findPayable(caller, given);
  if (found.kind === 'foreign') return refuse('otherAccount');
  if (found.kind !== 'ok' || found.gameId !== game.id) return refuse('replenishError');
  const { amount, id } = found;
  if (!chargesIn(market, amount.currency)) return refuse('channelNotFound');
  if (given.price_minor !== undefined && given.price_minor !== amount.amountMinor) return refuse('priceChanged');
  // A session that a game opened for one character pays for its account as well.
  const { bound } = caller.session;
  const {
    coupon_code: _coupon,
    offer_code: _offer,
    promo_code: _promo,
    ...input
  } = {
    ...given,
    product_id: id,
    server_id: bound?.server_id ?? '',
    areaId: bound?.area_id ?? '',
    role_id: bound?.role_id ?? '',
  };
  if (isOutOfBounds(deps.log, caller, input)) return refuse('replenishError');
  const chosen = deps.payments.chooseChannel(
    { brandKey: brand.key, region: market.region, price: amount, platform: input.platform ?? 'web' },
    [market.country, 'GLOBAL'],
    payPath,
    input.pay_id ?? '',
    input.channel_id ?? '',
  );
  if (!chosen) return refuse('channelNotFound');
  const tender = readTender(deps, caller, input, chosen);
  if (tender === 'refused') return refuse('cardRefused');
  if (tender === 'mistyped') return refuse('cardRefused', 'error.card_mistyped');
  const product = { id, name: replenishName(deps.texts), file: { art: ART } };
  const place = toPlaceInput(deps, caller, input, { market, game, product, chosen, amount, tender, promo: null });
  return placeAndPay(deps, caller, game, { ...place, sold: soldOf(place.sold, id) }, chosen);
}

type Sold = ReturnType<typeof toPlaceInput>['sold'];

/** For the account, and worth no points: it makes up for money that went back. */
function soldOf(sold: Sold, id: ReplenishId): Sold {
  const product = { ...sold.product, replenishId: id };
  return { ...sold, product, server_id: '', area_id: '', role_id: '', points_rate: null, replenish_id: id };
}

/** Returns the name of a make-up payment in all languages. */
export function replenishName(texts: PlaceDeps['texts']): Texts {
  return Object.fromEntries(LANGUAGES.map((language) => [language, texts(language, 'replenish.product')])) as Texts;
}
