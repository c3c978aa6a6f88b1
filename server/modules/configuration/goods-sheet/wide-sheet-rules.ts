// The wide form of the table of goods: a row a product, a column a currency or a country. Read into the long form, a
// row a price point, and written from it. Pure.
import { isCurrency, type Currency } from '#kernel/money.ts';
import type { Country } from '#kernel/regions.ts';
import type { SheetFault } from './read-sheet-rules.ts';
import { type CsvLine, SHEET_COLUMNS, type SheetColumn, type SheetRow } from './sheet-types.ts';

/** The currency of a country, by the brands that sell the game there; null: none, or several. */
export type CurrencyOf = (country: Country) => Currency | null;

const POINT_COLUMNS = ['country', 'currency', 'price', 'list_price'] as const satisfies readonly SheetColumn[];

type PriceColumn = { readonly place: number; readonly head: string } & Pick<
  Record<SheetColumn, string>,
  'country' | 'currency'
> & { readonly isList: boolean };

/** `USD`, `USD list`, `DE`, `DE EUR`. Null: no column of prices. */
function readHead(
  head: string,
  place: number,
  countries: ReadonlySet<Country>,
  currencyOf: CurrencyOf,
): PriceColumn | string | null {
  const [first = '', second = '', ...rest] = head.toUpperCase().split(/\s+/);
  if (rest.length > 0) return null;
  const column = { place, head, country: '', currency: first, isList: second === 'LIST' };
  if (isCurrency(first)) return second === '' || second === 'LIST' ? column : null;
  if (!countries.has(first)) return null;
  if (second !== '') return isCurrency(second) ? { ...column, country: first, currency: second } : null;
  const currency = currencyOf(first);
  if (currency !== null) return { ...column, country: first, currency };
  return `is a country in which no brand, or more than one currency, sells this game; write e.g. "${first} EUR"`;
}

/** The lines as they are where the head has no column of prices; else a line a price point. */
export function unfoldWide(
  lines: readonly CsvLine[],
  countries: ReadonlySet<Country>,
  currencyOf: CurrencyOf,
): { readonly lines: readonly CsvLine[]; readonly faults: readonly SheetFault[] } {
  const [head, ...body] = lines;
  if (!head) return { lines, faults: [] };
  const plain = new Set<string>(SHEET_COLUMNS);
  const read = head.cells.map((name, place) =>
    plain.has(name.toLowerCase()) ? null : readHead(name, place, countries, currencyOf),
  );
  const prices = read.filter((one): one is PriceColumn => typeof one === 'object' && one !== null);
  const faults = read.flatMap((one, place) =>
    typeof one === 'string' ? [{ line: head.line, column: head.cells[place] ?? '', reason: one }] : [],
  );
  if (prices.length === 0 || faults.length > 0) return { lines, faults };
  const mixed = head.cells.find((name) => (POINT_COLUMNS as readonly string[]).includes(name.toLowerCase()));
  if (mixed !== undefined) {
    const reason = `cannot go with the column "${prices[0]?.head}"; give prices in one form, a row or a column each`;
    return { lines, faults: [{ line: head.line, column: mixed, reason }] };
  }
  const kept = head.cells.flatMap((_, place) => (prices.some((one) => one.place === place) ? [] : [place]));
  const from = head.cells.findIndex((name) => name.toLowerCase() === 'from');
  const id = head.cells.findIndex((name) => name.toLowerCase() === 'product_id');
  const unfold = (row: CsvLine): CsvLine[] => {
    const points = listPoints(prices, row.cells);
    const fields = kept.map((place) => (place === from && points.length > 0 ? '' : (row.cells[place] ?? '')));
    const tooMany = row.cells.slice(head.cells.length);
    const only = (wanted: readonly number[]) =>
      kept.map((place) => (wanted.includes(place) ? (row.cells[place] ?? '') : ''));
    return [
      { line: row.line, cells: [...fields, '', '', '', '', ...tooMany] },
      ...points.map(({ head: of, cells }) => ({ line: row.line, cells: [...only([id, from]), ...cells], of })),
    ];
  };
  const names = kept.map((place) => head.cells[place] ?? '');
  return { lines: [{ line: head.line, cells: [...names, ...POINT_COLUMNS] }, ...body.flatMap(unfold)], faults: [] };
}

/** Price and list price of one currency are one point. */
function listPoints(columns: readonly PriceColumn[], cells: readonly string[]): { head: string; cells: string[] }[] {
  const filled = columns.filter(({ place }) => (cells[place] ?? '') !== '');
  return filled.flatMap(({ country, currency, head, isList, place }) => {
    const other = columns.find((one) => one.country === country && one.currency === currency && one.isList !== isList);
    const otherCell = other ? (cells[other.place] ?? '') : '';
    if (isList && otherCell !== '') return [];
    const own = cells[place] ?? '';
    return [{ head, cells: isList ? [country, currency, '', own] : [country, currency, own, otherCell] }];
  });
}

/** Folds rows of the long form; the first cells of a product's first row are its fields. */
export function foldWide(rows: readonly SheetRow[]): { readonly head: string[]; readonly rows: string[][] } {
  const fields = SHEET_COLUMNS.filter((column) => !(POINT_COLUMNS as readonly string[]).includes(column));
  const heads = new Set<string>();
  const folded = new Map<string, { first: SheetRow; prices: Map<string, string> }>();
  for (const row of rows) {
    const key = JSON.stringify([row.product_id, row.from]);
    const entry = folded.get(key) ?? { first: row, prices: new Map<string, string>() };
    folded.set(key, entry);
    if (row.currency === '') continue;
    const head = row.country === '' ? row.currency : `${row.country} ${row.currency}`;
    for (const [name, cell] of [
      [head, row.price],
      [`${head} list`, row.list_price],
    ] as const) {
      if (cell === '') continue;
      heads.add(name);
      entry.prices.set(name, cell);
    }
  }
  // Currencies before countries, each with its list price behind it.
  const columns = [...heads].toSorted((a, b) => rank(a) - rank(b) || a.localeCompare(b, 'en'));
  return {
    head: [...fields, ...columns],
    rows: [...folded.values()].map(({ first, prices }) => [
      ...fields.map((column) => first[column]),
      ...columns.map((column) => prices.get(column) ?? ''),
    ]),
  };
}

const rank = (head: string): number => (/^[A-Z]{3}(?: list)?$/.test(head) ? 0 : 1);
