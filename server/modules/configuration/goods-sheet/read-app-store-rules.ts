// The prices of one in-app purchase that App Store Connect exports, a territory a line. Pure.
// @source App Store Connect, Pricing of an in-app purchase, "Download": Countries or Regions, Currency Code, Price,
// Proceeds, May Adjust Automatically. The columns are those of exports that tools on it read, e.g.
// https://github.com/rudrankriyam/App-Store-Connect-CLI (internal/cli/subscriptions); a territory is its English name,
// or the three letters of the App Store Connect API
// (https://developer.apple.com/documentation/appstoreconnectapi/territory)
import { ALPHA3_BY_COUNTRY } from '#kernel/country-alpha3.ts';
import { type Currency, isCurrency, parseDecimal } from '#kernel/money.ts';
import type { Country } from '#kernel/regions.ts';
import { findAmountFault } from '#server/modules/configuration/types/amount-types.ts';
import type { CsvLine } from './sheet-types.ts';
import type { SheetFault } from './read-sheet-rules.ts';
import type { StoreFile, StorePrice } from './store-prices-rules.ts';

const COLUMNS = { territory: 'countries or regions', currency: 'currency code', price: 'price' } as const;

/** Names of Apple that Unicode writes otherwise. */
const OTHER_NAMES: Readonly<Record<string, Country>> = {
  'china mainland': 'CN', 'hong kong': 'HK', macau: 'MO', 'korea republic of': 'KR', 'republic of korea': 'KR',
  'united states': 'US', 'congo democratic republic of the': 'CD', 'congo republic of the': 'CG', myanmar: 'MM',
  'türkiye': 'TR', turkey: 'TR', 'czech republic': 'CZ', 'st vincent and the grenadines': 'VC',
  'st kitts and nevis': 'KN', 'st lucia': 'LC', 'são tomé and príncipe': 'ST', 'cote divoire': 'CI',
}; /* a row a line */ // prettier-ignore

/** @param productId a file is of one product, and does not name it */
export function readAppStore(lines: readonly CsvLine[], productId: string): StoreFile {
  const [head, ...body] = lines;
  const names = (head?.cells ?? []).map((name) => name.trim().toLowerCase());
  const missing = Object.values(COLUMNS).filter((column) => !names.includes(column));
  const faults: SheetFault[] = missing.map((column) => ({
    line: head?.line ?? 1,
    column,
    reason:
      'is missing in the head; give the CSV file that App Store Connect exports under the prices of an in-app purchase',
  }));
  const without = new Map<string, string[]>();
  if (missing.length > 0) return { prices: [], without, faults };
  const countries = listTerritories();
  const prices = body.flatMap(({ line, cells }): StorePrice[] => {
    const cell = (column: string) => cells[names.indexOf(column)]?.trim() ?? '';
    const [territory, currency, text] = [cell(COLUMNS.territory), cell(COLUMNS.currency), cell(COLUMNS.price)];
    const country = countries.get(nameOf(territory));
    if (country === undefined) {
      const why = 'territories that are no country of ISO 3166-1';
      without.set(why, [...(without.get(why) ?? []), territory]);
      return [];
    }
    if (!isCurrency(currency)) {
      faults.push({ line, column: COLUMNS.currency, reason: `"${currency}" is not a currency code of ISO 4217` });
      return [];
    }
    if (!/^\d+(?:\.\d+)?$/.test(text)) {
      faults.push({ line, column: COLUMNS.price, reason: `"${text}" is not a decimal amount; write e.g. 4.99` });
      return [];
    }
    const amountIn = (one: Currency) => (findAmountFault(text, one) === null ? parseDecimal(text, one) : null);
    return [{ line, storeId: productId, country, currency, amountIn, shown: text }];
  });
  return { prices, without, faults };
}

const nameOf = (territory: string): string =>
  territory
    .toLowerCase()
    .replaceAll('&', 'and')
    .replace(/[.,'’()]/g, '')
    .replace(/\s+/g, ' ')
    .replace(/^saint /, 'st ')
    .trim();

/** By three letters, by two, and by English name. */
function listTerritories(): ReadonlyMap<string, Country> {
  const english = new Intl.DisplayNames(['en'], { type: 'region' });
  const entries = Object.entries(ALPHA3_BY_COUNTRY).flatMap(([country, alpha3]): [string, Country][] => [
    [nameOf(alpha3), country],
    [nameOf(country), country],
    [nameOf(english.of(country) ?? country), country],
  ]);
  return new Map([...entries, ...Object.entries(OTHER_NAMES)]);
}
