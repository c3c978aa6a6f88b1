// Prices of a product at a moment: what the file says now, and what its price changes have made of it by then. Pure.
import type { GoodsEntry } from '#contracts/game-file.ts';
import { readInstant } from '#kernel/calendar.ts';

export type PriceLayer = Pick<GoodsEntry, 'prices' | 'listPrices' | 'countryPrices'>;

/** Epoch milliseconds of an instant that a file writes; NaN for none. */
export function instantOf(text: string): number {
  return readInstant(text) ?? Number.NaN;
}

/** The moments from which another price of one of these goods holds, each once, in order. */
export function listPriceMoments(goods: readonly GoodsEntry[]): number[] {
  const moments = goods.flatMap(({ priceChanges = [] }) => priceChanges.map(({ from }) => instantOf(from)));
  return [...new Set(moments)].toSorted((a, b) => a - b);
}

/** Epoch milliseconds, the end not among them; null: without an end on that side. */
type Span = { readonly from: number | null; readonly until: number | null };

/** Between which of the moments `now` lies. @param moments in order */
export function spanAt(moments: readonly number[], now: number): Span {
  return {
    from: moments.findLast((moment) => moment <= now) ?? null,
    until: moments.find((moment) => moment > now) ?? null,
  };
}

export function isIn({ from, until }: Span, now: number): boolean {
  return (from === null || now >= from) && (until === null || now < until);
}

/**
 * Returns the prices of a product at `at`. A change replaces what it names and leaves all else; a currency whose price
 * it names has the list price that it names, or none.
 */
export function pricesAt(product: GoodsEntry, at: number): PriceLayer {
  const { prices, listPrices, countryPrices, priceChanges = [] } = product;
  return priceChanges
    .filter(({ from }) => instantOf(from) <= at)
    .reduce<PriceLayer>(layOver, {
      prices,
      ...(listPrices && { listPrices }),
      ...(countryPrices && { countryPrices }),
    });
}

function layOver(before: PriceLayer, change: NonNullable<GoodsEntry['priceChanges']>[number]): PriceLayer {
  const { prices = {}, listPrices = {}, countryPrices = {} } = change;
  const kept = Object.entries(before.listPrices ?? {}).filter(([currency]) => !(currency in prices));
  return {
    prices: { ...before.prices, ...prices },
    listPrices: { ...Object.fromEntries(kept), ...listPrices },
    countryPrices: { ...before.countryPrices, ...countryPrices },
  };
}
