// A prepaid card turned into the goods it was issued for: an order at the card's own value, paid by the
// card in the step that places it.
import type { CardConfirmInput } from '#contracts/giftcards.ts';
import type { PayResult } from '#contracts/payments.ts';
import { money } from '#kernel/money.ts';
import { brandOf, gameForCaller } from '#server/modules/games/service.ts';
import type { CardFacts } from '#server/modules/giftcards/service.ts';
import type { ChosenChannel } from '#server/modules/payments/service.ts';
import { marketOf } from '#server/modules/pricing/service.ts';
import { type PlayerCaller } from '#server/platform/http/http.ts';
import { type Answer, refuse } from '#server/platform/http/answer.ts';
import { fingerprintOf, toPlaceInput } from './place-input.ts';
import { placeAndPay } from './place-and-pay.ts';
import type { PlaceDeps } from './place-deps.ts';
import { isOutOfBounds } from './out-of-bounds.ts';
import { cardTender } from './tender.ts';
import { CARD_EXTRA } from '#server/modules/orders/rules.ts';
import { type SoldProduct, findAnswer } from '#server/modules/orders/store.ts';

/**
 * Codes: cardRefused for whatever is wrong with the card, channelNotFound where cards are off,
 * and those of placing an order.
 */
export async function confirmCard(
  deps: PlaceDeps,
  caller: PlayerCaller,
  input: CardConfirmInput,
): Promise<Answer<PayResult>> {
  const configuration = deps.configuration();
  const brand = brandOf(configuration, caller);
  const game = gameForCaller(configuration, caller, input.client_id);
  if (!game) return refuse('noGame');
  const market = marketOf(brand, input.domain_area, input.country, input.client_id);
  if (!market) return refuse('wrongDomain');
  if (isOutOfBounds(deps.log, caller, input)) return refuse('roleNotFound');
  const chosen = findCardChannel(deps, input.pay_id || 'card');
  if (!chosen) return refuse('channelNotFound');
  const card = deps.giftCards.readCard(input.card_info);
  if (!card) return refuse('cardRefused');
  if (card.isMistyped) return refuse('cardRefused', 'error.card_mistyped');
  const tender = cardTender(caller, card, 'confirm', chosen.channel.file.id, false);
  // The goods of the card are known only after the card was checked, and a repeated call finds it spent. So the stored
  // answer of the call is looked for first.
  const fingerprint = fingerprintOf({ ...input, product_id: '' }, chosen.channel.key, tender);
  const known = caller.idempotencyKey
    ? await findAnswer(deps.db, caller.session.playerId, caller.idempotencyKey, fingerprint)
    : null;
  if (known)
    return known.isSameCall
      ? { code: known.answer.code, content: { billing_no: known.answer.billing_no, url: known.answer.url } }
      : refuse('keyReused');
  const facts = await deps.giftCards.look(caller, card, game.id, chosen.channel.file.id);
  if (facts === 'too_many') return refuse('tooManyCardAttempts');
  if (!facts) return refuse('cardRefused');
  const product = game.products.get(facts.product_id ?? '');
  if (!product) return refuse('productNotFound');

  const place = toPlaceInput(
    deps,
    caller,
    { ...input, product_id: product.id },
    {
      market,
      game,
      product,
      chosen,
      amount: money(facts.face_minor, facts.face_currency),
      tender,
      promo: null,
    },
  );
  // The goods were sold with the card: what limits or sweetens the shop's own sales does not count here.
  return placeAndPay(
    deps,
    caller,
    game,
    {
      ...place,
      fingerprint,
      sold: { ...place.sold, product: withExtra(deps, place.sold.product, facts), first_bonus: null },
      limit: null,
      has_stock: false,
      must_be_new: true,
    },
    chosen,
  );
}

/** The channel that takes cards, wherever it is offered: a card that is in a player's hand has no region. */
function findCardChannel(deps: PlaceDeps, id: string): ChosenChannel | null {
  const channel = deps.configuration().channels.find(({ file }) => file.id === id);
  const account = channel && deps.payments.account(channel.file.provider);
  return channel && account?.provider.internalTender === 'card'
    ? { channel, sub: null, method: deps.payments.methodOf(channel, null), account }
    : null;
}

function withExtra({ texts }: PlaceDeps, product: SoldProduct, { extra_gems: count }: CardFacts): SoldProduct {
  if (count === 0) return product;
  const isCurrency = (product.amount ?? 0) > 0;
  const extra = { id: CARD_EXTRA, name: texts('en', 'gift.extra'), count, isCurrency };
  return { ...product, gifts: [...product.gifts, extra] };
}
