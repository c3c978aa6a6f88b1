// Payment regions and the countries of the channel list: what the specification names, which an
// operator's regions file may add to.
// Pure tables; who sees what is the brand's file.
import { COUNTRY_CODES } from './countries.ts';

/** A payment region: one of REGIONS or of the operator's regions file. */
export type Region = string;

/** A country by its two letters, GLOBAL, or a code of the region map or the operator's regions file. */
export type Country = string;

/** @source specification section 3, "Payment regions" */
export const REGIONS = ['universal', 'eru', 'sea', 'ja', 'kr', 'twhk', 'useuro', 'ru', 'hk', 'codapay', 'mea'] as const;

/**
 * Codes of the specification's region map that are no country of ISO 3166-1, with the country that each
 * stands for. All others of that map are; their names come from Unicode in the language of the page.
 * @source specification section 3, "Region-to-name map": GLOBAL carries the channels offered everywhere,
 *   Myanmar has its currency's code
 */
const MAPPED_COUNTRIES: Readonly<Record<string, { readonly iso: string | null }>> = {
  GLOBAL: { iso: null },
  MMK: { iso: 'MM' },
};

/** Every code that needs no regions file. */
export function knownCountries(): Country[] {
  return [...Object.keys(MAPPED_COUNTRIES), ...COUNTRY_CODES];
}

/** The code that Unicode names a country by; null for GLOBAL. */
export function isoOf(code: Country): string | null {
  const mapped = MAPPED_COUNTRIES[code];
  return mapped ? mapped.iso : code;
}
