// Checks the offers of one game file: a product, a price below its own, a window that ends.
import type { GameFile, OfferEntry } from '#contracts/game-file.ts';
import type { Currency } from '#kernel/money.ts';
import { checkWindow } from './check-events-rules.ts';
import { checkAmount, isAbove, type Remark, repeated } from './check-game-rules.ts';
import type { Finding } from './finding-types.ts';

export function checkOffers(id: string, game: GameFile): Finding[] {
  return listRemarks(game).map((remark) => ({ level: 'fault', file: `games/${id}/game.yaml`, ...remark }));
}

function listRemarks(game: GameFile): Remark[] {
  const { offers = [] } = game;
  const ids = offers.map(({ id }) => id);
  return [
    ...repeated(ids).map((index) => ({
      at: ['offers', index, 'id'],
      reason: `the offer "${ids[index]}" is there twice; rename one`,
    })),
    ...offers.flatMap((offer, index) =>
      [
        ...checkProducts(offer, game),
        ...checkPrices(offer, game),
        ...checkWindow(offer, offer.after !== undefined),
      ].map(({ at, reason }) => ({ at: ['offers', index, ...at], reason })),
    ),
  ];
}

function checkProducts({ product, after }: OfferEntry, { goods }: GameFile): Remark[] {
  const known = new Set(goods.map(({ id }) => id));
  const missing = (name: string) => `there is no product "${name}" in this game; known are ${[...known].join(', ')}`;
  return [
    ...(known.has(product) ? [] : [{ at: ['product'], reason: missing(product) }]),
    ...(after?.products ?? []).flatMap((name, place) =>
      known.has(name) ? [] : [{ at: ['after', 'products', place], reason: missing(name) }],
    ),
  ];
}

function checkPrices({ product, prices }: OfferEntry, { goods }: GameFile): Remark[] {
  const sold = goods.find(({ id }) => id === product);
  return (Object.entries(prices) as [Currency, string][]).flatMap(([currency, text]): Remark[] => {
    const at = ['prices', currency];
    const faults = checkAmount(at, text, currency);
    const price = sold?.prices[currency];
    if (faults.length > 0 || !sold) return faults;
    if (price === undefined)
      return [
        {
          at,
          reason: `"${product}" has no price by currency in ${currency}; give it one under prices, or remove the line`,
        },
      ];
    if (isAbove(price, text, currency)) return [];
    return [{ at, reason: `"${text}" is not below the price of "${product}", "${price}"` }];
  });
}
