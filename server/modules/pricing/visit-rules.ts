// Guesses a visitor's market from the address, the browser's stored choice, and hints. Pure.
import type { Country, Region } from '#kernel/regions.ts';

type Sold = { readonly countries: readonly { readonly code: Country }[] };
export type VisitedBrand = {
  readonly regions: ReadonlyMap<Region, Sold>;
  /** Region that the brand ties to the client of the address. @source specification section 4: "from client_id" */
  readonly tiedRegion: Region | undefined;
  /** The same for the client that the page opens where the address names none: a guess. */
  readonly likelyRegion: Region | undefined;
};

/** Empty texts and undefined stand for nothing. */
export type Visit = {
  readonly asked: string | undefined;
  readonly keptRegion: string | undefined;
  readonly keptCountry: string | undefined;
  /** Countries that the visitor may be in, the likeliest first. */
  readonly guesses: readonly Country[];
};

/**
 * The region and country of a visit; null when the address asks for a region that is not sold in. What a
 * browser kept may be out of date and is then passed over; what an address asks for is a claim.
 * @source specification section 4, "Payment region": "from query domain_area, for ssgame
 *   from client_id, or from storage"
 */
export function placeOfVisit(brand: VisitedBrand, visit: Visit): { region: Region; country: Country } | null {
  const { asked, keptRegion, keptCountry } = visit;
  const wishes = [...(keptCountry ? [keptCountry] : []), ...visit.guesses];
  const within = (region: Region, sold: Sold) => {
    const wish = wishes.find((code) => sold.countries.some((country) => country.code === code));
    return { region, country: wish ?? sold.countries[0]?.code ?? 'GLOBAL' };
  };
  const find = (region: string | undefined) => {
    const sold = region ? brand.regions.get(region) : undefined;
    return region && sold ? within(region, sold) : null;
  };
  if (asked) return find(asked);
  const known = find(brand.tiedRegion) ?? find(keptRegion) ?? find(brand.likelyRegion);
  if (known) return known;
  for (const wish of wishes)
    for (const [region, sold] of brand.regions)
      if (sold.countries.some((country) => country.code === wish)) return { region, country: wish };
  const [first] = brand.regions;
  return first ? within(...first) : null;
}

/**
 * Countries by the tags of a browser's languages: "pt-BR" is Brazil, "ja" Japan as Unicode's likely
 * subtags have it. English alone says nothing, for it is everybody's second language.
 */
export function countriesOfTags(tags: readonly string[]): Country[] {
  const found = tags.flatMap((tag) => {
    try {
      const locale = new Intl.Locale(tag.trim().replaceAll('_', '-'));
      const region = locale.region ?? (locale.language === 'en' ? undefined : locale.maximize().region);
      return region && /^[A-Z]{2}$/.test(region) ? [region] : [];
    } catch {
      // No language tag at all: headers are anybody's.
      return [];
    }
  });
  return [...new Set(found)];
}

export type MarketChoice = { readonly region: Region; readonly country: Country; readonly currency: string };

/** Every country of a brand once a currency, in the region in use where that has it, else in the first that does. */
export function listMarkets(
  regions: ReadonlyMap<Region, { readonly countries: readonly { code: Country; currency: string }[] }>,
  current: Region | undefined,
): MarketChoice[] {
  const own = [...regions].toSorted(([a], [b]) => Number(b === current) - Number(a === current));
  const found = new Map<string, MarketChoice>();
  for (const [region, { countries }] of own)
    for (const { code, currency } of countries)
      if (!found.has(`${code} ${currency}`)) found.set(`${code} ${currency}`, { region, country: code, currency });
  return [...found.values()];
}
