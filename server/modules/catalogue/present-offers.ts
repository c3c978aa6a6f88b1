// Offers of the goods on a page, as text: price per unit and what is in a bundle. Pure.
import type { Goods } from '#contracts/catalogue.ts';
import type { Texts } from '#contracts/files.ts';
import type { Money } from '#kernel/money.ts';
import { formsFor, type Game, type Product } from '#server/modules/configuration/service.ts';
import { comparePacks, openBundle, type Priced } from './offer-rules.ts';

/** How the visitor reads texts and amounts. */
export type Shown = { readonly text: (texts: Texts) => string; readonly money: (amount: Money) => string };

/** @param sold what the page lists, with the product behind it at its price */
export function withOffers(
  game: Game,
  sold: readonly { readonly goods: Goods; readonly product: Product; readonly price: Money }[],
  { text, money }: Shown,
): Goods[] {
  const list = sold.map(({ product: { id, file }, price }): Priced => ({
    id,
    shelf: file.shelf,
    amount: file.amount ?? 0,
    price,
    gifts: (file.gifts ?? []).map((gift) => ({ id: gift.id, count: gift.count, isCurrency: gift.isCurrency === true })),
    firstUnits: (file.firstTime?.gifts ?? []).reduce((sum, gift) => sum + (gift.isCurrency ? gift.count : 0), 0),
  }));
  const packs = comparePacks(list);
  const currencyShelf = game.file.shelves.find(({ key }) => list.some((one) => one.shelf === key && packs.has(one.id)));
  return sold.map(({ goods, product }, index): Goods => {
    const pack = packs.get(product.id);
    const bundle = openBundle(list[index] as Priced, list, currencyShelf?.key);
    const nameOf = (giftId: string | null, count: number): string => {
      const gift = product.file.gifts?.find(({ id }) => id === giftId);
      const counted = gift?.name ?? currencyShelf?.unit;
      return counted ? text(formsFor(counted, count)) : '';
    };
    return {
      ...goods,
      // A bundle is called by its name; what it holds stands in its parts.
      ...(bundle && { amount: 0 }),
      flag: pack?.isBest ? 'best_value' : '',
      ...(pack && {
        offer: {
          total: pack.total,
          per_shown: money(pack.per),
          first_per_shown: pack.firstPer ? money(pack.firstPer) : '',
          per_count: pack.perCount,
          more_percent: pack.morePercent,
          share_percent: pack.sharePercent,
          next_shown: pack.next ? money(pack.next.price) : '',
          next_count: pack.next?.count ?? 0,
        },
      }),
      ...(bundle && {
        bundle: {
          parts: bundle.parts.map(({ giftId, count, worth }) => ({
            name: nameOf(giftId, count),
            count,
            worth_shown: worth ? money(worth) : '',
          })),
          worth_shown: bundle.worth ? money(bundle.worth) : '',
          off_percent: bundle.offPercent,
        },
      }),
    };
  });
}
