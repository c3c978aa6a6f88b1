// Goods and price points of a game file as rows of a table. Pure.
import type { GameFile, GoodsEntry } from '#contracts/game-file.ts';
import type { Currency } from '#kernel/money.ts';
import type { PriceLayer } from '#server/modules/configuration/types/price-change-types.ts';
import { SHEET_COLUMNS, type SheetColumn, type SheetRow } from './sheet-types.ts';

const EMPTY = Object.fromEntries(SHEET_COLUMNS.map((column) => [column, ''])) as Record<SheetColumn, string>;

/** In the order of the file; the first row of a product says what it is. */
export function listSheetRows({ goods }: Pick<GameFile, 'goods'>): SheetRow[] {
  return goods.flatMap((product) => {
    const [first, ...rest] = [
      ...listPoints(product.id, product),
      ...(product.priceChanges ?? []).flatMap((change) => listPoints(product.id, change, change.from)),
    ];
    return [{ ...EMPTY, ...fieldsOf(product), ...first }, ...rest.map((row) => ({ ...EMPTY, ...row }))];
  });
}

const show = (value: unknown): string => (value === undefined ? '' : String(value));

function fieldsOf(product: GoodsEntry): Partial<SheetRow> {
  return {
    product_id: product.id,
    shelf: product.shelf,
    sort: show(product.sort),
    tier: show(product.tier),
    art: product.art,
    amount: show(product.amount),
    name: show(product.name?.en),
    is_coupon: show(product.isCoupon),
    is_special: show(product.isSpecial),
    stock: show(product.stock),
    beta: show(product.beta),
  };
}

function listPoints(
  id: string,
  { prices = {}, listPrices = {}, countryPrices = {} }: Partial<PriceLayer>,
  from = '',
): Partial<SheetRow>[] {
  const ofCurrencies = [...new Set([...Object.keys(prices), ...Object.keys(listPrices)])].map((currency) => ({
    product_id: id,
    currency,
    price: show(prices[currency as Currency]),
    list_price: show(listPrices[currency as Currency]),
    from,
  }));
  const ofCountries = Object.entries(countryPrices).map(([country, { currency, amount }]) => ({
    product_id: id,
    country,
    currency,
    price: amount,
    from,
  }));
  return [...ofCurrencies, ...ofCountries];
}
