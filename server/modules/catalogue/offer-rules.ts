// Computes the value of a product: price per unit, how much more the larger packs give, and the price of each part of a
// bundle. Everything is computed from the price list of this moment, so that nobody can write down a saving that is not
// there. Pure.
import type { Money } from '#kernel/money.ts';

/** One thing on sale at its price in the visitor's market. */
export type Priced = {
  readonly id: string;
  readonly shelf: string;
  /** Units of the game's currency; 0 where it has none. */
  readonly amount: number;
  readonly price: Money;
  readonly gifts: readonly PricedGift[];
  /** Units of the same currency that a first purchase brings on top. */
  readonly firstUnits?: number;
};

export type PricedGift = {
  readonly id: string;
  readonly count: number;
  /** More of the same currency as `amount`. */
  readonly isCurrency: boolean;
};

/** A pack of currency beside the others of its shelf. */
export type PackOffer = {
  /** Units with the bonus. */
  readonly total: number;
  /** Price of `perCount` units, rounded half up to the minor unit. */
  readonly per: Money;
  readonly perCount: number;
  /** The same with the first-purchase bonus; null where it brings no units. */
  readonly firstPer: Money | null;
  /** Whole percent more units for the money than in the smallest pack; 0 for that one itself. */
  readonly morePercent: number;
  /** Units for the money, as percent of the best of the shelf. */
  readonly sharePercent: number;
  readonly isBest: boolean;
  /** The next larger pack: what it costs more, and how many units more it holds. */
  readonly next: { readonly price: Money; readonly count: number } | null;
};

export type BundlePart = {
  /** Null: the product's own amount of currency. */
  readonly giftId: string | null;
  readonly count: number;
  /** The price of the part alone; null when it is not sold alone. */
  readonly worth: Money | null;
};

export type BundleOffer = {
  readonly parts: readonly BundlePart[];
  /** Null: what of it is sold one by one costs no more. */
  readonly worth: Money | null;
  /** Whole percent that the bundle costs less, rounded down. */
  readonly offPercent: number;
};

const unitsOf = ({ amount, gifts }: Priced): number =>
  gifts.reduce((sum, gift) => sum + (gift.isCurrency ? gift.count : 0), amount);

/** Counted in currency and nothing else. */
const isPack = (product: Priced): boolean => product.amount > 0 && product.gifts.every(({ isCurrency }) => isCurrency);

/** @param list everything on sale in one market, all in one currency; answers by product id */
export function comparePacks(list: readonly Priced[]): Map<string, PackOffer> {
  const byShelf = Map.groupBy(list.filter(isPack), ({ shelf }) => shelf);
  return new Map([...byShelf.values()].flatMap(compareShelf));
}

function compareShelf(packs: readonly Priced[]): [string, PackOffer][] {
  const sorted = packs.toSorted((a, b) => unitsOf(a) - unitsOf(b));
  const [smallest] = sorted;
  if (!smallest || sorted.some(({ price }) => price.amountMinor <= 0)) return [];
  const perCount = perCountOf(unitsOf(sorted.at(-1) as Priced));
  const best = sorted.reduce((before, pack) => (gives(pack, before) > 0 ? pack : before));
  const hasBest = gives(best, smallest) > 0;
  return sorted.map((pack, index): [string, PackOffer] => {
    const total = unitsOf(pack);
    const larger = sorted[index + 1];
    const per = (units: number): Money => ({
      ...pack.price,
      amountMinor: Math.round((pack.price.amountMinor * perCount) / units),
    });
    const hasNext = larger && larger.price.amountMinor > pack.price.amountMinor && unitsOf(larger) > total;
    return [
      pack.id,
      {
        total,
        per: per(total),
        perCount,
        firstPer: pack.firstUnits ? per(total + pack.firstUnits) : null,
        morePercent: Math.max(0, Math.floor((ratio(pack, smallest) - 1) * 100 + ROUNDING)),
        sharePercent: Math.min(100, Math.round(ratio(pack, best) * 100)),
        isBest: hasBest && pack === best,
        next: hasNext
          ? {
              price: { ...pack.price, amountMinor: larger.price.amountMinor - pack.price.amountMinor },
              count: unitsOf(larger) - total,
            }
          : null,
      },
    ];
  });
}

/** A quotient of exact numbers may fall a hair below a whole percent. */
const ROUNDING = 1e-9;

/** Units for the money in `a`, as a multiple of those in `b`. */
const ratio = (a: Priced, b: Priced): number => (unitsOf(a) * b.price.amountMinor) / (unitsOf(b) * a.price.amountMinor);

/**
 * Above zero: `a` gives more for the money than `b`. Compared by products of whole numbers, so that equals are equal.
 */
const gives = (a: Priced, b: Priced): number => unitsOf(a) * b.price.amountMinor - unitsOf(b) * a.price.amountMinor;

/** Our choice: a number of units that a player counts in, so that the price of them has two or three digits. */
const perCountOf = (largest: number): number => (largest >= 1000 ? 100 : largest >= 100 ? 10 : 1);

/**
 * Lists the parts of a bundle with the price of each alone. Currency counts at the best price of the packs that hold no
 * more of it, so a saving is one over a price that a player would really have paid. Anything else counts at the best
 * price of a product that holds nothing but it.
 * @param list everything on sale in the same market
 * @param currencyShelf shelf of the packs that hold the same currency; undefined where there is none
 */
export function openBundle(
  product: Priced,
  list: readonly Priced[],
  currencyShelf: string | undefined,
): BundleOffer | null {
  if (isPack(product) || product.gifts.length === 0) return null;
  const others = list.filter(({ id }) => id !== product.id);
  const packs = others.filter((one) => one.shelf === currencyShelf && isPack(one));
  const currency = (count: number): Money | null => {
    const reachable = packs.filter((pack) => unitsOf(pack) <= count);
    const [first] = packs.toSorted((a, b) => unitsOf(a) - unitsOf(b));
    const at = reachable.length > 0 ? reachable.reduce((best, pack) => (gives(pack, best) > 0 ? pack : best)) : first;
    return at ? { ...at.price, amountMinor: Math.floor((at.price.amountMinor * count) / unitsOf(at)) } : null;
  };
  const singly = (giftId: string, count: number): Money | null => {
    const prices = others.flatMap(({ amount, gifts, price }) => {
      const [only, ...rest] = gifts;
      return amount === 0 && only?.id === giftId && rest.length === 0
        ? [Math.floor((price.amountMinor * count) / only.count)]
        : [];
    });
    return prices.length > 0 ? { ...product.price, amountMinor: Math.min(...prices) } : null;
  };
  const parts: BundlePart[] = [
    ...(product.amount > 0 ? [{ giftId: null, count: product.amount, worth: currency(product.amount) }] : []),
    ...product.gifts.map(({ id, count, isCurrency }): BundlePart => ({
      giftId: id,
      count,
      worth: isCurrency ? currency(count) : singly(id, count),
    })),
  ];
  const sum = parts.reduce((total, { worth }) => total + (worth?.amountMinor ?? 0), 0);
  const isSaving = sum > product.price.amountMinor;
  return {
    parts,
    worth: isSaving ? { ...product.price, amountMinor: sum } : null,
    offPercent: isSaving ? Math.floor((1 - product.price.amountMinor / sum) * 100 + ROUNDING) : 0,
  };
}
