// Finds the goods of all games of a brand on which a coupon can be used: My names them, and leads to them. Pure.
import type { CouponGoods } from '#contracts/coupons.ts';
import type { Brand, Display, Game } from '#server/modules/configuration/service.ts';
import { marketOf, quote } from '#server/modules/pricing/service.ts';
import { takesCoupons } from './rules.ts';

type Terms = {
  readonly games: readonly string[];
  readonly products: readonly string[];
  /** Minor units by currency. */
  readonly min_spend: Readonly<Record<string, number>>;
};
type Priced = { gameId: string; productId: string; minor: number; currency: string; goods: CouponGoods };

/** The goods of these games that take coupons, the cheapest of each game first. */
export function listReach(
  brand: Brand,
  games: readonly Game[],
  place: { domain_area?: string; country?: string },
  display: Display,
): Priced[] {
  return games.flatMap((game) => {
    const market = marketOf(brand, place.domain_area, place.country, game.file.clients.web);
    const sold = [...game.products.values()].flatMap((product): Priced[] => {
      const priced = market && takesCoupons(brand, game, product) ? quote(market, product) : null;
      if (!priced) return [];
      const { amountMinor: minor, currency } = priced.price;
      const shown = { name: display.nameOf(product), price_shown: display.money(priced.price) };
      const goods = { gp_id: game.file.gpId, product_id: product.id, ...shown };
      return [{ gameId: game.id, productId: product.id, minor, currency, goods }];
    });
    return sold.toSorted((a, b) => a.minor - b.minor);
  });
}

/** A least price in a currency that the coupon does not name is none it can be used at. */
export function goodsOfCoupon(reach: readonly Priced[], { games, products, min_spend: least }: Terms): CouponGoods[] {
  const hasLeast = Object.keys(least).length > 0;
  return reach
    .filter(({ gameId }) => games.length === 0 || games.includes(gameId))
    .filter(({ productId }) => products.length === 0 || products.includes(productId))
    .filter(({ minor, currency }) => !hasLeast || minor >= (least[currency] ?? Number.POSITIVE_INFINITY))
    .map(({ goods }) => goods);
}
