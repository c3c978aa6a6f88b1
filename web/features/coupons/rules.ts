// Which coupon an order has by itself, and in which part of the list one stands. Pure.
import type { Coupon, CouponGoods } from '#contracts/coupons.ts';

/**
 * The coupon that an order has until the player says otherwise: the one that its unpaid order holds already, else the
 * one that leaves the least to pay. Only one that works for these goods.
 * @source specification section 4: "available coupons are sorted by ascending discount_rate and the first is
 *   auto-selected"
 */
export function firstChoice(coupons: readonly Coupon[]): Coupon | null {
  const fitting = coupons.filter((coupon) => coupon.is_applicable);
  return fitting.find(({ use_category: tab }) => tab === 'lock') ?? sortByRate(fitting)[0] ?? null;
}

/** The best first: the part of the price that is paid is the smallest. */
export function sortByRate(coupons: readonly Coupon[]): Coupon[] {
  return coupons.toSorted(
    (a, b) => Number(a.discount_rate) - Number(b.discount_rate) || a.valid_end_time - b.valid_end_time,
  );
}

/** Applies the player's choice of a coupon: this one, none (empty), or no choice (null). */
export function chosenOf(coupons: readonly Coupon[], said: string | null): Coupon | null {
  if (said === '') return null;
  return coupons.find(({ code, is_applicable: fits }) => fits && code === said) ?? firstChoice(coupons);
}

export type CouponParts = { avail: Coupon[]; claim: Coupon[]; lock: Coupon[]; history: Coupon[] };

export function partCoupons(coupons: readonly Coupon[]): CouponParts {
  const of = (tab: Coupon['use_category']) => coupons.filter((coupon) => coupon.use_category === tab);
  const endOf = (coupon: Coupon) => (coupon.is_used ? coupon.used_time : coupon.valid_end_time);
  return {
    avail: sortByRate(of('avail')),
    claim: sortByRate(of('claim')),
    lock: of('lock'),
    history: of('history').toSorted((a, b) => endOf(b) - endOf(a)),
  };
}

/** By product of a game: the rate of the best coupon that the player holds for it. */
export function bestRates(coupons: readonly Coupon[], gpId: string): ReadonlyMap<string, string> {
  const best = new Map<string, string>();
  for (const { goods, discount_rate: rate } of partCoupons(coupons).avail) {
    // The best come first.
    for (const { gp_id, product_id: id } of goods) if (gp_id === gpId && !best.has(id)) best.set(id, rate);
  }
  return best;
}

/** Lists the goods it can be used on, those of this game first. */
export function goodsFrom({ goods }: Coupon, gpId: string): CouponGoods[] {
  const here = (one: CouponGoods) => one.gp_id === gpId;
  return [...goods.filter(here), ...goods.filter((one) => !here(one))];
}
