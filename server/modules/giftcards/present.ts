// What of a prepaid card a player is shown, in the wire's own shape. Pure.
import type { Goods } from '#contracts/catalogue.ts';
import type { CardWorth, SpentCard } from '#contracts/giftcards.ts';
import type { Texts } from '#contracts/files.ts';
import { withTranslations } from '#kernel/languages.ts';
import { money } from '#kernel/money.ts';
import type { Display, Game } from '#server/modules/configuration/service.ts';
import type { CardFacts, SpentCardRow } from './store.ts';

/** @param goods what the visitor's market sells and a card of this kind may pay there */
export function toWorth(
  facts: CardFacts,
  game: Game,
  display: Display,
  { goods, keepsRest }: { goods: readonly Goods[]; keepsRest: boolean },
): CardWorth {
  const product = facts.product_id === null ? undefined : game.products.get(facts.product_id);
  const face = money(facts.face_minor, facts.face_currency);
  return {
    price: display.money(face),
    price_minor: face.amountMinor,
    currency: face.currency,
    gems_number: facts.gems_number,
    extra_gems_number: facts.extra_gems,
    product_name: display.text(product?.name),
    can_confirm: product !== undefined,
    valid_end_time: new Date(facts.valid_to).getTime(),
    // A card that was issued for goods is turned into these.
    buys: product ? [] : listBuys(facts, display, goods, keepsRest),
  };
}

function listBuys(
  { face_minor: face, face_currency: currency }: CardFacts,
  display: Display,
  goods: readonly Goods[],
  keepsRest: boolean,
): CardWorth['buys'] {
  return goods
    .filter((one) => one.currency === currency && (keepsRest ? one.price_minor <= face : one.price_minor === face))
    .toSorted((a, b) => b.price_minor - a.price_minor)
    .map((one) => ({
      product_id: one.value,
      product_name: one.display,
      price_shown: one.price_shown,
      price_minor: one.price_minor,
      rest_shown: one.price_minor < face ? display.money(money(face - one.price_minor, currency)) : '',
      art: one.art,
      ...(one.picture && { picture: one.picture }),
    }));
}

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
