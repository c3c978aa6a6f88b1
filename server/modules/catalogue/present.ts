// Goods and limits in the wire's own shapes. Pure.
import type { FirstBonus, Goods, LimitProductInfo } from '#contracts/catalogue.ts';
import type { GoodsEntry } from '#contracts/game-file.ts';
import { listIn } from '#kernel/languages.ts';
import { type Money, toDecimal } from '#kernel/money.ts';
import { type Display, formsFor, type Game, type Product } from '#server/modules/configuration/service.ts';

/** One product at its price; nothing when its shelf does not exist. */
export function toGoods(
  game: Game,
  product: Product,
  priced: { price: Money; listPrice: Money | null; points: number },
  display: Display,
): Goods[] {
  const { file } = product;
  const shelf = game.file.shelves.find((entry) => entry.key === file.shelf);
  if (!shelf) return [];
  return [
    {
      value: product.id,
      display: display.nameOf(product),
      description: display.text(file.description),
      price: toDecimal(priced.price),
      price_minor: priced.price.amountMinor,
      price_shown: display.money(priced.price),
      list_price_shown: priced.listPrice ? display.money(priced.listPrice) : '',
      currency: priced.price.currency,
      typeKey: file.shelf,
      typeSort: shelf.sort,
      goodsSort: file.sort,
      isLimit: file.limit !== undefined || file.stock !== undefined,
      isCoupon: file.isCoupon ?? false,
      isSpecial: file.isSpecial ?? false,
      couponPoints: priced.points,
      art: file.art,
      ...(product.picture && { picture: product.picture }),
      tier: file.tier,
      amount: file.amount ?? 0,
      ...(product.unit && { unit: display.text(product.unit) }),
      flag: '',
      ...(file.firstTime && { first: toFirstBonus(file.firstTime.gifts, file, display) }),
    },
  ];
}

/** Whole times only where nothing but more of the same comes on top, and no other bonus makes it unclear of what. */
function toFirstBonus(
  gifts: NonNullable<GoodsEntry['gifts']>,
  { amount = 0, gifts: always = [] }: Pick<GoodsEntry, 'amount' | 'gifts'>,
  display: Display,
): FirstBonus {
  const more = gifts.reduce((sum, gift) => sum + (gift.isCurrency === true ? gift.count : 0), 0);
  const isMore = ({ isCurrency }: { isCurrency?: boolean | undefined }) => isCurrency === true;
  const isMultiple = amount > 0 && more % amount === 0 && gifts.every(isMore) && !always.some(isMore);
  const shown = gifts.map(({ name, count }) => `+${display.count(count)} ${display.text(formsFor(name, count))}`);
  return { times: isMultiple ? 1 + more / amount : 0, shown: listIn(display.language, shown) };
}

export type LimitRow = {
  readonly product_id: string;
  readonly used: number;
  readonly next_at: Date | null;
  readonly stock_left: number | null;
};

/** The tighter of the two bounds decides, own limit or stock. */
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
