// The table of goods and price points out of cells: every cell that cannot be is told, with its line and column. Pure.
import type { GameFile } from '#contracts/game-file.ts';
import { LANGUAGES, type Language } from '#kernel/languages.ts';
import { exponentOf, isCurrency, type Currency } from '#kernel/money.ts';
import { findNear } from '#kernel/near.ts';
import type { Country } from '#kernel/regions.ts';
import { explainAmountFault, findAmountFault } from '#server/modules/configuration/types/amount-types.ts';
import { instantOf } from '#server/modules/configuration/types/price-change-types.ts';
import {
  type CsvLine,
  type GoodsFields,
  type GoodsSheet,
  NOTHING,
  type PricePoint,
  SHEET_COLUMNS,
  type SheetColumn,
} from './sheet-types.ts';

export type SheetFault = { readonly line: number; readonly column: string; readonly reason: string };
type Known = {
  readonly game: Pick<GameFile, 'goods' | 'shelves'>;
  readonly countries: ReadonlySet<Country>;
};

type Form = Known & { readonly decimalMark: '.' | ',' };

/** A row as it was read: a column that the table does not have says nothing. */
type Cells = {
  readonly line: number;
  readonly of: (column: SheetColumn) => string;
  /** In other languages than English. */
  readonly names: Readonly<Partial<Record<Language, string>>>;
};
type Tell = (column: SheetColumn, reason: string) => undefined;

/** @param delimiter of the cells: beside semicolons, spreadsheets write a decimal comma */
export function readSheet(
  lines: readonly CsvLine[],
  known: Known,
  delimiter = ',',
): { readonly sheet: GoodsSheet; readonly faults: readonly SheetFault[]; readonly notes: readonly string[] } {
  const faults: SheetFault[] = [];
  const [head, ...body] = lines;
  const columns = readHead(head, faults);
  const goods = new Map<string, { fields: GoodsFields; said: Map<SheetColumn, { text: string; line: number }> }>();
  const points = new Map<string, { point: PricePoint; line: number }>();
  if (faults.length > 0) return { sheet: { goods: new Map(), points: [] }, faults, notes: [] };
  const decimalMark = delimiter === ';' && hasDecimalCommas(body, columns) ? ',' : '.';
  const form: Form = { ...known, decimalMark };
  for (const { line, cells, of: priceHead } of body) {
    const names = columns.flatMap((column, place) => {
      const language = languageOf(column);
      return language && cells[place] ? [[language, cells[place]]] : [];
    });
    const row: Cells = {
      line,
      of: (column) => cells[columns.indexOf(column)] ?? '',
      names: Object.fromEntries(names) as Cells['names'],
    };
    const tell: Tell = (column, reason) =>
      void faults.push({ line, column: PRICE_COLUMNS.has(column) ? (priceHead ?? column) : column, reason });
    // Fewer are well: spreadsheets leave out empty cells at the end of a line.
    if (cells.length > columns.length) {
      const remedy = cells.slice(columns.length).every((cell) => cell === '')
        ? 'take away the separators at its end'
        : 'quote a cell that holds a separator';
      faults.push({ line, column: '', reason: `has ${cells.length} cells, but the head ${columns.length}; ${remedy}` });
    }
    const id = row.of('product_id');
    if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,47}$/.test(id)) {
      tell(
        'product_id',
        id === '' ? 'is empty; every row names its product' : `"${id}" is not a key of letters, digits, "_" and "-"`,
      );
      continue;
    }
    const entry = goods.get(id) ?? { fields: {}, said: new Map() };
    goods.set(id, { ...entry, fields: { ...entry.fields, ...readFields(row, entry.said, known, tell) } });
    const point = readPoint(id, row, form, tell);
    if (!point) continue;
    const from = point.from === null ? '' : instantOf(point.from);
    const key = JSON.stringify([id, point.country, point.country === null ? point.currency : '', from]);
    const before = points.get(key);
    if (before) tell('price', `"${id}" has this price in line ${before.line} already; keep one of the rows`);
    points.set(key, { point, line });
  }
  for (const [id, { said }] of goods) {
    if (known.game.goods.some((product) => product.id === id)) continue;
    const line = body.find(({ cells }) => cells[columns.indexOf('product_id')] === id)?.line ?? 1;
    for (const column of ['shelf', 'sort', 'tier', 'art'] as const)
      if (!said.has(column)) faults.push({ line, column, reason: `is empty, but "${id}" is new; fill it in` });
  }
  return {
    sheet: {
      goods: new Map([...goods].map(([id, { fields }]) => [id, fields])),
      points: [...points.values()].map(({ point }) => point),
    },
    faults,
    notes: decimalMark === ',' ? ['Prices are read with a decimal comma, as in 4,99.'] : [],
  };
}

const PRICE_COLUMNS: ReadonlySet<string> = new Set<SheetColumn>(['country', 'currency', 'price', 'list_price']);

/** True when prices have commas and none has a point: "1.234,50" and a mix of both stay faults. */
function hasDecimalCommas(body: readonly CsvLine[], columns: readonly string[]): boolean {
  const places = [columns.indexOf('price'), columns.indexOf('list_price')].filter((place) => place >= 0);
  const prices = body.flatMap(({ cells }) => places.map((place) => cells[place] ?? ''));
  return prices.some((price) => /^\d+,\d{1,3}$/.test(price)) && !prices.some((price) => price.includes('.'));
}

/** The language of `name_de`, a column that no export has: names in other languages than English. */
function languageOf(column: string): Language | undefined {
  return LANGUAGES.find((language) => column === `name_${language}`);
}

function readHead(head: CsvLine | undefined, faults: SheetFault[]): string[] {
  const names = (head?.cells ?? []).map((name) => name.toLowerCase());
  const line = head?.line ?? 1;
  for (const [place, name] of names.entries()) {
    if (name === '') {
      const reason = `has no name for column ${place + 1}; name it, or take away the separator`;
      faults.push({ line, column: '', reason });
      continue;
    }
    const near = findNear(name, SHEET_COLUMNS);
    const remedy = near ? `did you mean "${near}"?` : `known are ${SHEET_COLUMNS.join(', ')}`;
    if (!SHEET_COLUMNS.includes(name as SheetColumn) && !languageOf(name))
      faults.push({ line, column: name, reason: `is no column; ${remedy}` });
    else if (names.indexOf(name) < place) faults.push({ line, column: name, reason: 'is there twice; remove one' });
  }
  if (!names.includes('product_id'))
    faults.push({ line, column: 'product_id', reason: 'is missing in the head; every row names its product' });
  return names;
}

type Reader = (text: string, known: Known) => unknown;
/** Null: what the cell says cannot be. */
const whole: Reader = (text) => (/^\d{1,9}$/.test(text) ? Number(text) : null);
const flag: Reader = (text) => (/^(?:true|false)$/i.test(text) ? text.toLowerCase() === 'true' : null);

/** Field of the file, how its cell is read, and what it must be. The checks of the file say the rest. */
const FIELDS: Partial<Record<SheetColumn, readonly [field: keyof GoodsFields, read: Reader, must: string]>> = {
  shelf: [
    'shelf',
    (text, { game }) => (game.shelves.some(({ key }) => key === text) ? text : null),
    'is no shelf of the game',
  ],
  sort: ['sort', (text) => (/^-?\d{1,9}$/.test(text) ? Number(text) : null), 'is not a whole number'],
  tier: ['tier', whole, 'is not a whole number'],
  art: ['art', (text) => text, ''],
  amount: ['amount', whole, 'is not a whole number'],
  name: ['name', (text) => ({ en: text }), ''],
  is_coupon: ['isCoupon', flag, 'is neither true nor false'],
  is_special: ['isSpecial', flag, 'is neither true nor false'],
  stock: ['stock', whole, 'is not a whole number'],
  beta: ['beta', flag, 'is neither true nor false'],
};

const REQUIRED: readonly SheetColumn[] = ['shelf', 'sort', 'tier', 'art'];

function readFields(
  row: Cells,
  said: Map<SheetColumn, { text: string; line: number }>,
  known: Known,
  tell: Tell,
): GoodsFields {
  const fields: Record<string, unknown> = {};
  for (const [column, [field, read, must]] of Object.entries(FIELDS) as [SheetColumn, [string, Reader, string]][]) {
    const text = row.of(column);
    if (text === '') continue;
    const before = said.get(column);
    if (before && before.text !== text)
      tell(column, `"${text}" is another than "${before.text}" of line ${before.line}; a product has one`);
    said.set(column, { text, line: row.line });
    if (text === NOTHING) {
      if (REQUIRED.includes(column)) tell(column, 'cannot be taken away; every product has one');
      fields[field] = null;
      continue;
    }
    const value = read(text, known);
    if (value === null) tell(column, `"${text}" ${must}; ${remedyOf(column, known)}`);
    else fields[field] = value;
  }
  if (Object.keys(row.names).length > 0 && fields.name !== null)
    fields.name = { ...(fields.name as object | undefined), ...row.names };
  return fields as GoodsFields;
}

function remedyOf(column: SheetColumn, { game }: Known): string {
  if (column === 'shelf') return `known are ${game.shelves.map(({ key }) => key).join(', ')}`;
  return FIELDS[column]?.[1] === flag ? 'write true, false or nothing' : 'write e.g. 10';
}

/** Nothing where the row names no price, or one that cannot be. */
function readPoint(productId: string, row: Cells, known: Form, tell: Tell): PricePoint | undefined {
  const [country, currency, price, listPrice] = (['country', 'currency', 'price', 'list_price'] as const).map(
    row.of,
  ) as [string, string, string, string];
  const from = row.of('from');
  if (country + currency + price + listPrice + from === '') return undefined;
  if (from !== '' && Number.isNaN(instantOf(from)))
    return tell('from', `"${from}" is no moment with its offset from UTC; write e.g. 2026-12-01T00:00:00Z`);
  if (!isCurrency(currency))
    return tell(
      'currency',
      currency === ''
        ? 'is empty; a price names its currency'
        : `"${currency}" is not a currency code of ISO 4217; write e.g. USD`,
    );
  if (country !== '' && !known.countries.has(country))
    return tell(
      'country',
      `"${country}" is no country of ISO 3166-1 or of regions/regions.yaml; write e.g. BR, or nothing for the ` +
        'price by currency',
    );
  if (country !== '' && listPrice !== '')
    return tell('list_price', 'stands beside the price of a country; list prices go by currency alone, empty the cell');
  const amounts = (['price', 'list_price'] as const).map((column) =>
    readAmount(column, writePoint(row.of(column), known), currency, tell),
  );
  if (amounts.includes('wrong')) return undefined;
  return {
    productId,
    country: country || null,
    from: from || null,
    currency,
    price: amounts[0],
    listPrice: country === '' ? amounts[1] : null,
  };
}

const writePoint = (price: string, { decimalMark }: Form): string =>
  decimalMark === ',' ? price.replace(',', '.') : price;

function readAmount(
  column: 'price' | 'list_price',
  text: string,
  currency: Currency,
  tell: Tell,
): string | null | undefined | 'wrong' {
  if (text === '') return undefined;
  if (text === NOTHING) return null;
  const wrong = (reason: string) => {
    tell(column, reason);
    return 'wrong' as const;
  };
  if (/^\d+,\d{1,2}$/.test(text)) return wrong(`"${text}" has a comma; write ${text.replace(',', '.')}`);
  if (/^(?:\d[\d.,]*\s*[^\d\s.,]+|[^\d\s.,-]+\s*\d[\d.,]*)$/u.test(text))
    return wrong(`"${text}" has more than an amount; write the amount alone, e.g. 4.99, and the code under currency`);
  if (!/^\d+(?:\.\d+)?$/.test(text)) return wrong(`"${text}" is not a decimal amount; write e.g. 4.99`);
  const fault = explainAmountFault(text, currency);
  const rounded = `, e.g. to ${Number(text).toFixed(exponentOf(currency))}`;
  if (fault !== null)
    return wrong(findAmountFault(text, currency) === 'too-many-decimals' ? `${fault}${rounded}` : fault);
  if (Number(text) === 0) return wrong(`"${text}" gives the product away; write a price above zero`);
  return text;
}
