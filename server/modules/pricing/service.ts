// Finds a visitor's market (brand, region, country) and the price of a product there. Other modules price through this
// file only.
import type { Currency, Money } from '#kernel/money.ts';
import type { Country, Region } from '#kernel/regions.ts';
import type { Brand, BrandRegion, Game, PointsRate, Product } from '#server/modules/configuration/service.ts';
import type { LowestPrice } from '#server/modules/games/service.ts';
import { currencyOf, pointsFor, priceOf } from './rules.ts';
import { placeOfVisit, type Visit } from './visit-rules.ts';

export { countriesOfTags, listMarkets } from './visit-rules.ts';

export type Market = { readonly brand: Brand; readonly region: Region; readonly country: Country };

/**
 * The market of a request. An unknown region is null ("wrong domain"); none given takes the one that the
 * brand ties to the client id,
 * else its first. A country that the region does not offer falls back to the region's first: it
 * is a preference, not a claim.
 * @source specification section 4, "Payment region": "for ssgame from client_id"
 */
export function marketOf(
  brand: Brand,
  region: string | undefined,
  country: string | undefined,
  clientId = '',
): Market | null {
  const first = brand.file.clientRegions?.[clientId] ?? [...brand.regions.keys()][0];
  const chosen = region || first;
  const entry = chosen ? brand.regions.get(chosen) : undefined;
  return chosen && entry ? { brand, region: chosen, country: countryOf(entry, country) } : null;
}

function countryOf(region: BrandRegion, wanted: string | undefined): Country {
  const found = region.countries.find((country) => country.code === wanted) ?? region.countries[0];
  return found?.code ?? 'GLOBAL';
}

/**
 * The market of a page: what the address asks for, what the browser kept, else where the visitor is likely to be.
 * @param named client of the address, empty for none
 * @param clientId the one that the page opens
 * @returns null when the address asks for a region that the brand does not sell in
 */
export function marketOfVisit(brand: Brand, visit: Visit, named: string, clientId: string): Market | null {
  const tied = brand.file.clientRegions ?? {};
  const regions = { regions: brand.regions, tiedRegion: tied[named], likelyRegion: tied[clientId] };
  const place = placeOfVisit(regions, visit);
  return place && { brand, ...place };
}

export function currencyOfMarket(market: Market): Currency {
  return currencyOf(market);
}

/** Price and struck-through price in the market's currency; null when the product is not sold there. */
export function quote(market: Market, product: Product): { price: Money; listPrice: Money | null } | null {
  return priceOf({ ...market, product });
}

/** By the game, which is made anew with each configuration and each change of a price; then by market. */
const lowestPrices = new WeakMap<Game, Map<string, Money | null>>();

/** For the list of games: computed once. */
export const lowestPrice: LowestPrice = (brand, game, { region, country }) => {
  const market = marketOf(brand, region, country);
  if (!market) return null;
  const known = lowestPrices.get(game) ?? new Map<string, Money | null>();
  lowestPrices.set(game, known);
  const key = `${brand.key} ${market.region} ${market.country}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const prices = [...game.products.values()].flatMap((product) => quote(market, product)?.price ?? []);
  const [lowest = null] = prices.toSorted((a, b) => a.amountMinor - b.amountMinor);
  // A price of one country alone may be in a currency of its own: two of them have no lowest.
  const answer = prices.every(({ currency }) => currency === lowest?.currency) ? lowest : null;
  known.set(key, answer);
  return answer;
};

/** Returns the brand's points rate for money in this currency; null without a VIP programme. */
export function pointsRateOf(brand: Brand, currency: Currency): PointsRate | null {
  return brand.vip?.rates.get(currency) ?? null;
}

/** Points that are earned when this price is paid and the goods have arrived; 0 without a VIP programme. */
export function earnedPoints(brand: Brand, price: Money): number {
  return pointsFor(pointsRateOf(brand, price.currency), price);
}

/** Returns true when this currency is charged in the market's country. */
export function chargesIn({ brand, region, country }: Market, currency: Currency): boolean {
  return brand.regions.get(region)?.countries.some((one) => one.code === country && one.currency === currency) ?? false;
}
