// Goods and limits in the wire's own shapes. Pure.
import type { Goods, LimitProductInfo } from '#contracts/catalogue.ts';
import { type Language, toBcp47 } from '#kernel/languages.ts';
import { type Money, showMoney, toDecimal } from '#kernel/money.ts';
import { COUNTRIES, type Country } from '#kernel/regions.ts';
import type { Game, Product } from '#server/modules/configuration/service.ts';

/** One product at its price; nothing when its shelf does not exist. */
export function toGoods(
  game: Game,
  product: Product,
  priced: { price: Money; listPrice: Money | null },
  language: Language,
): Goods[] {
  const { file } = product;
  const shelf = game.file.shelves.find((entry) => entry.key === file.shelf);
  if (!shelf) return [];
  return [
    {
      value: product.id,
      display: file.name[language] ?? file.name.en,
      description: file.description ? (file.description[language] ?? file.description.en) : '',
      price: toDecimal(priced.price),
      price_minor: priced.price.amountMinor,
      price_shown: showMoney(priced.price),
      list_price_shown: priced.listPrice ? showMoney(priced.listPrice) : '',
      currency: priced.price.currency,
      typeKey: file.shelf,
      typeSort: shelf.sort,
      goodsSort: file.sort,
      isLimit: file.limit !== undefined || file.stock !== undefined,
      isCoupon: file.isCoupon ?? false,
      isSpecial: file.isSpecial ?? false,
      couponPoints: file.couponPoints ?? 0,
      art: file.art,
      ...(product.picture && { picture: product.picture }),
      tier: file.tier,
      amount: file.amount ?? 0,
      flag: '',
    },
  ];
}

export type LimitRow = {
  readonly product_id: string;
  readonly used: number;
  readonly next_at: Date | null;
  readonly stock_left: number | null;
};

/** What is left under the tighter of the two bounds, own limit and stock. */
export function toLimitInfo(product: Product, row: LimitRow): LimitProductInfo {
  const { limit, stock = 0 } = product.file;
  const own = limit ? Math.max(0, limit.times - row.used) : Number.POSITIVE_INFINITY;
  const left = row.stock_left ?? Number.POSITIVE_INFINITY;
  const isStock = !limit || left < own;
  return {
    product_id: product.id,
    limit_type: isStock ? 'stock' : limit.type,
    frequency: isStock ? stock : limit.times,
    day_info: limit?.days ?? 0,
    extra_pay_times: Math.min(own, left),
    next_pay_time: own === 0 && row.next_at ? Math.floor(row.next_at.getTime() / 1000) : 0,
  };
}

/**
 * A country's name in the language of the page; the specification's own names where there is no country behind the code.
 * @source specification section 3, "Region-to-name map"
 */
export function countryName(code: Country, language: Language): string {
  if (code === 'GLOBAL') return COUNTRIES.GLOBAL;
  const iso = code === 'MMK' ? 'MM' : code;
  return new Intl.DisplayNames([toBcp47(language)], { type: 'region', fallback: 'none' }).of(iso) ?? COUNTRIES[code];
}
