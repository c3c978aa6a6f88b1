// Prices a product for a visitor: the currency they are charged in, and the price point in it. No coupons, no rounding.
import type { Currency, Money } from '#kernel/money.ts';
import type { Country, Region } from '#kernel/regions.ts';

/** Of a brand, what decides the currency: each region and country with the currency charged there. */
export type PricedBrand = {
  readonly currency: Currency;
  readonly regions: ReadonlyMap<
    Region,
    {
      readonly currency: Currency;
      readonly countries: readonly { readonly code: Country; readonly currency: Currency }[];
    }
  >;
};

export type PricedProduct = {
  readonly prices: ReadonlyMap<Currency, Money>;
  readonly listPrices: ReadonlyMap<Currency, Money>;
  readonly countryPrices: ReadonlyMap<Country, Money>;
};

export type PriceQuestion = {
  readonly brand: PricedBrand;
  /** Null: not chosen yet; the brand's own currency counts. */
  readonly region: Region | null;
  /** Null: not chosen yet; the region's currency counts. */
  readonly country: Country | null;
  readonly product: PricedProduct;
};

/**
 * The currency of a request: the country's, else the region's, else the brand's. A country
 * outside the region counts as none.
 */
export function currencyOf({ brand, region, country }: Omit<PriceQuestion, 'product'>): Currency {
  const sold = region === null ? undefined : brand.regions.get(region);
  return sold?.countries.find((entry) => entry.code === country)?.currency ?? sold?.currency ?? brand.currency;
}

/**
 * The country's own price point, else the price in the currency of the request. A country price in
 * another currency than the brand charges there does not count, for a page shows one currency.
 * @returns null when the product is not sold in that currency; `listPrice` is the price before a reduction
 */
export function priceOf(question: PriceQuestion): { price: Money; listPrice: Money | null } | null {
  const { country, product } = question;
  const currency = currencyOf(question);
  const local = country === null ? undefined : product.countryPrices.get(country);
  if (local?.currency === currency) return { price: local, listPrice: null };
  const price = product.prices.get(currency);
  return price ? { price, listPrice: product.listPrices.get(currency) ?? null } : null;
}

/**
 * Points that a price earns: in proportion, a part of a point dropped; none without a rate. make_order computes the
 * same for what is to pay; a test holds the two together.
 */
export function pointsFor(rate: { points: number; per_minor: number } | null | undefined, price: Money): number {
  return rate ? Number((BigInt(price.amountMinor) * BigInt(rate.points)) / BigInt(rate.per_minor)) : 0;
}
