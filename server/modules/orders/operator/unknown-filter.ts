// Names the filter of a search or a report that nothing can fit, so that a misspelt one is no empty list.
import { knownCountries } from '#kernel/regions.ts';
import type { Configuration } from '#server/modules/configuration/service.ts';

type UnknownFilter = { readonly name: 'brand' | 'country'; readonly reason: string };

/** For a person who wrote a brand's key. */
export function sayNoBrand({ brands }: Configuration): string {
  return `there is no such brand; known are ${[...brands.keys()].join(', ')}`;
}

/**
 * Asked where nothing was found: a brand, or an operator's own code of a country, that is configured no longer may have
 * orders and money in the books. Null: the list is empty because nothing fits.
 */
export function findUnknownFilter(
  configuration: Configuration,
  { brand, country = null }: { readonly brand: string | null; readonly country?: string | null },
): UnknownFilter | null {
  const brands = [...configuration.brands.values()];
  if (brand !== null && !brands.some(({ key }) => key === brand))
    return { name: 'brand', reason: sayNoBrand(configuration) };
  const regions = brands.flatMap((one) => [...one.regions.values()]);
  const isKnown = (code: string) =>
    knownCountries().includes(code) || regions.some(({ countries }) => countries.some((one) => one.code === code));
  if (country !== null && !isKnown(country))
    return { name: 'country', reason: 'there is no such country; write e.g. JP' };
  return null;
}
