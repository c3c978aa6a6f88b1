// Shows a player the public part of a prepaid card, in the wire's own shape. Pure.
import type { Goods } from '#contracts/catalogue.ts';
import type { CardWorth, SpentCard } from '#contracts/giftcards.ts';
import type { Offer } from '#contracts/offers.ts';
import type { Texts } from '#contracts/files.ts';
import { listIn, withTranslations } from '#kernel/languages.ts';
import { money } from '#kernel/money.ts';
import { type Display, formsFor, type Game } from '#server/modules/configuration/service.ts';
import type { CardFacts, SpentCardRow } from './store.ts';

/** Goods at the price that the shop sells them for now. `fullMinor`: without the offer. */
export type Sold = { goods: Goods; priceMinor: number; fullMinor: number; offer: Offer | null };

/** Goods of a market as the catalogue shows them: each by the offer that is open for it. */
export function withOpenOffers(list: readonly Goods[], offers: readonly Offer[]): Sold[] {
  return list.map((goods) => {
    const offer = offers.find((one) => one.product_id === goods.value && one.currency === goods.currency) ?? null;
    return { goods, priceMinor: offer?.price_minor ?? goods.price_minor, fullMinor: goods.price_minor, offer };
  });
}

/**
 * @param sold what the visitor's market sells and a card of this kind may pay there
 * @param extraName of what the card gives beyond its goods, in the player's language
 */
export function toWorth(
  facts: CardFacts,
  game: Game,
  display: Display,
  { sold, keepsRest, extraName }: { sold: readonly Sold[]; keepsRest: boolean; extraName: string },
): CardWorth {
  const product = facts.product_id === null ? undefined : game.products.get(facts.product_id);
  const gifts = product?.file.gifts ?? [];
  const face = money(facts.face_minor, facts.face_currency);
  return {
    price: display.money(face),
    price_minor: face.amountMinor,
    currency: face.currency,
    // The goods are handed over as they are now, whatever they were when the card was issued.
    gems_number: product ? (product.file.amount ?? 0) : facts.gems_number,
    bonus_gems_number: gifts.reduce((sum, gift) => sum + (gift.isCurrency === true ? gift.count : 0), 0),
    extra_gems_number: facts.extra_gems,
    gifts_shown: product
      ? listIn(display.language, [
          ...gifts.map((gift) => showGift(gift, display)),
          ...(facts.extra_gems > 0 ? [`+${display.count(facts.extra_gems)} ${extraName}`] : []),
        ])
      : '',
    product_name: product ? display.nameOf(product) : '',
    can_confirm: product !== undefined,
    valid_end_time: new Date(facts.valid_to).getTime(),
    // A card that was issued for goods is turned into these.
    buys: product ? [] : listBuys(facts, game, display, { sold, keepsRest }),
  };
}

function listBuys(
  { face_minor: face, face_currency: currency }: CardFacts,
  game: Game,
  display: Display,
  { sold, keepsRest }: { sold: readonly Sold[]; keepsRest: boolean },
): CardWorth['buys'] {
  const isPaid = (minor: number) => (keepsRest ? minor <= face : minor === face);
  return sold
    .filter(
      ({ goods, priceMinor, fullMinor }) => goods.currency === currency && (isPaid(priceMinor) || isPaid(fullMinor)),
    )
    .toSorted((a, b) => b.priceMinor - a.priceMinor)
    .map(({ goods, priceMinor, offer }) => ({
      product_id: goods.value,
      product_name: goods.display,
      content_shown: contentOf(goods, game, display),
      price_shown: offer?.price_shown ?? goods.price_shown,
      price_minor: priceMinor,
      was_shown: offer?.was_shown ?? goods.list_price_shown,
      rest_shown: priceMinor < face && keepsRest ? display.money(money(face - priceMinor, currency)) : '',
      offer_code: offer?.code ?? '',
      // Without balances a card pays its own worth and nothing less, and nobody is sold the dearer price unasked.
      is_in_shop: !isPaid(priceMinor),
      art: goods.art,
      ...(goods.picture && { picture: goods.picture }),
    }));
}

/** "+20 Bonus crystals"; of a bundle all that is in it: "1,000 Ember Crystals, 20 Dragon Keys". */
function contentOf(goods: Goods, game: Game, display: Display): string {
  const gifts = game.products.get(goods.value)?.file.gifts ?? [];
  const shown = goods.bundle
    ? goods.bundle.parts.map(({ name, count }) => `${display.count(count)} ${name}`)
    : gifts.map((gift) => showGift(gift, display));
  return listIn(display.language, shown);
}

const showGift = ({ name, count }: { name: Texts; count: number }, display: Display): string =>
  `+${display.count(count)} ${display.text(formsFor(name, count))}`;

/** Our choice: enough to know a card again that lies on the table. */
const END_LENGTH = 4;

/** @param nameNow of the product, in all languages; undefined where it is gone */
export function toSpentCard(row: SpentCardRow, display: Display, nameNow: Texts | undefined): SpentCard {
  return {
    billing_no: row.billing_no,
    card_end: row.card_id.slice(-END_LENGTH),
    worth_shown: display.money(money(row.face_minor, row.currency)),
    product_name: display.text(withTranslations(row.product.name, nameNow)),
    role_name: row.role_name,
    extra_gems_number: row.extra_gems,
    rest_shown: row.rest_minor > 0 ? display.money(money(row.rest_minor, row.currency)) : '',
    spent_at: row.spent_at.getTime(),
  };
}
