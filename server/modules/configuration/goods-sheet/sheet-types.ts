// The table of goods and price points: one row a price point; what else is said of a product stands in one of its rows.
import type { GoodsEntry } from '#contracts/game-file.ts';
import type { Currency } from '#kernel/money.ts';
import type { Country } from '#kernel/regions.ts';

/** In the order in which they are written. */
export const SHEET_COLUMNS = [
  'product_id', 'shelf', 'sort', 'tier', 'art', 'amount', 'name', 'is_coupon', 'is_special', 'stock', 'beta',
  'country', 'currency', 'price', 'list_price', 'from',
] as const; /* a row a line */ // prettier-ignore
export type SheetColumn = (typeof SHEET_COLUMNS)[number];

/** Cells as text; empty: nothing is said. */
export type SheetRow = Readonly<Record<SheetColumn, string>>;

/** Takes away what is there. */
export const NOTHING = '-';

/** A price point that a table sets; `null` takes it away, `undefined` leaves it. */
export type PricePoint = {
  readonly productId: string;
  /** Null: wherever the currency is charged. */
  readonly country: Country | null;
  /** The moment from which it holds, as it is written; null: now. */
  readonly from: string | null;
  readonly currency: Currency;
  readonly price: string | null | undefined;
  /** Null as well where a country has its own price, which has none. */
  readonly listPrice: string | null | undefined;
};

/** Lists the fields of a product that a table may change beside its prices; `null` removes a field. */
export type GoodsFields = {
  readonly [Field in keyof GoodsEntry]?: GoodsEntry[Field] | null;
};

export type GoodsSheet = {
  /** Of every product that the table names. */
  readonly goods: ReadonlyMap<string, GoodsFields>;
  readonly points: readonly PricePoint[];
};

/** The cells of one line of a table. */
export type CsvLine = {
  readonly line: number;
  readonly cells: readonly string[];
  /** The head of the column that the line's price was in, where a table has a column a price. */
  readonly of?: string;
};
