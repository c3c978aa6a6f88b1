// The list of in-app products that Google Play Console exports. Pure.
// @source Android documentation, "Adding a batch of items to a product list"
// (docs/html/google/play/billing/billing_admin.jd of https://android.googlesource.com/platform/frameworks/base):
// columns, `;` between parts, prices in millionths, country and price by turns, no country for a price that is filled
// in from the home currency, pricing_template_id in its place
import { exponentOf, type Currency, type Money } from '#kernel/money.ts';
import type { CsvLine } from './sheet-types.ts';
import type { SheetFault } from './read-sheet-rules.ts';
import type { StoreFile, StorePrice } from './store-prices-rules.ts';

const MILLIONTHS = 6;

/** Newer exports have more columns behind these, about taxes. */
const COLUMNS = { id: 'product id', state: 'published state', price: 'price', autoFill: 'auto fill prices' } as const;

export function readGooglePlay(lines: readonly CsvLine[]): StoreFile {
  const [head, ...body] = lines;
  const names = (head?.cells ?? []).map((name) => name.trim().toLowerCase());
  const place = (column: string) => names.indexOf(column);
  const missing = [COLUMNS.id, COLUMNS.price].filter((column) => place(column) < 0);
  const faults: SheetFault[] = missing.map((column) => ({
    line: head?.line ?? 1,
    column,
    reason: 'is missing in the head; give the CSV file that Google Play Console exports under in-app products',
  }));
  const without = new Map<string, string[]>();
  const leave = (why: string, id: string) => without.set(why, [...(without.get(why) ?? []), id]);
  if (missing.length > 0) return { prices: [], without, faults };
  const prices = body.flatMap(({ line, cells }): StorePrice[] => {
    const cell = (column: string) => cells[place(column)]?.trim() ?? '';
    const storeId = cell(COLUMNS.id);
    const fault = (reason: string) => void faults.push({ line, column: 'price', reason });
    if (storeId === '') return [];
    if (/^unpublished/i.test(cell(COLUMNS.state))) {
      leave('products that are not published', storeId);
      return [];
    }
    const parts = cell(COLUMNS.price)
      .split(';')
      .map((part) => part.trim())
      .filter(Boolean);
    if (parts.length < 2) {
      leave('products without prices by country (auto fill or a pricing template)', storeId);
      return [];
    }
    if (parts.length % 2 === 1) {
      fault(`"${cell(COLUMNS.price)}" is not country and price by turns; write e.g. US; 1990000; DE; 1990000`);
      return [];
    }
    return pairsOf(parts).flatMap(([country, micros]): StorePrice[] => {
      if (!/^[A-Z]{2}$/.test(country) || !/^\d{1,15}$/.test(micros)) {
        fault(`"${country}; ${micros}" is not a country and a price in millionths; write e.g. US; 1990000`);
        return [];
      }
      return [
        {
          line,
          storeId,
          country,
          currency: null,
          amountIn: (currency) => fromMicros(micros, currency),
          shown: `${micros} millionths`,
        },
      ];
    });
  });
  return { prices, without, faults };
}

function pairsOf(parts: readonly string[]): [string, string][] {
  return parts.flatMap((part, index): [string, string][] => (index % 2 === 0 ? [[part, parts[index + 1] ?? '']] : []));
}

/** Null for what the currency cannot say: a part of a yen. */
function fromMicros(micros: string, currency: Currency): Money | null {
  const drop = MILLIONTHS - exponentOf(currency);
  const digits = micros.padStart(MILLIONTHS + 1, '0');
  const amountMinor = Number(digits.slice(0, -drop));
  return /^0*$/.test(digits.slice(-drop)) && Number.isSafeInteger(amountMinor) ? { amountMinor, currency } : null;
}
