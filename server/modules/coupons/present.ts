// A coupon in the wire's own shape. Pure.
import type { Coupon, CouponGoods } from '#contracts/coupons.ts';
import { isCurrency, money } from '#kernel/money.ts';
import type { Display } from '#server/modules/configuration/service.ts';
import type { ClaimableCoupon } from './level-coupons.ts';
import { categoryOf } from './rules.ts';
import type { CouponRow, PricedCouponRow } from './store.ts';

/** By an operator, or because its level is lost: then it comes back with the level. What an order has stays. */
export function isWithdrawn(row: Pick<CouponRow, 'state' | 'is_of_lost_level'>): boolean {
  return row.state === 'void' || (row.state === 'free' && row.is_of_lost_level);
}

/** A coupon of a level that the player has not claimed yet, as if it were there. */
export function toClaimableRow({ coupon, code, valid_from, valid_end }: ClaimableCoupon): PricedCouponRow {
  return {
    code, name: coupon.name, discount_rate: coupon.rate, min_spend: coupon.minSpend, games: [...coupon.games],
    products: [...coupon.products], valid_from, valid_end, state: 'claimable', billing_no: null, is_used: false,
    used_at: null, is_begun: true, is_ended: false, is_of_lost_level: false, price_minor: null,
  }; /* a row a line */ // prettier-ignore
}

/** Null for a coupon that was withdrawn. */
export function toCoupon(
  row: CouponRow,
  given: { display: Display; timeZone: string; fits: boolean; gamesShown: string[]; goods: CouponGoods[] },
): Coupon | null {
  if (isWithdrawn(row)) return null;
  const { display, timeZone, fits, gamesShown, goods } = given;
  const category = categoryOf({ state: row.state, isUsed: row.is_used, isBegun: row.is_begun, isEnded: row.is_ended });
  if (!category) return null;
  return {
    code: row.code,
    name: JSON.stringify(row.name),
    name_shown: display.text(row.name),
    use_category: category,
    is_used: row.is_used,
    used_time: row.used_at?.getTime() ?? 0,
    valid_start_time: row.valid_from.getTime(),
    valid_end_time: row.valid_end.getTime(),
    time_zone: timeZone,
    discount_rate: shortenRate(row.discount_rate),
    billing_no: row.billing_no ?? '',
    products: row.products,
    goods,
    games_shown: gamesShown,
    min_spend_shown: Object.fromEntries(
      Object.entries(row.min_spend).flatMap(([currency, minor]) =>
        isCurrency(currency) ? [[currency, display.money(money(minor, currency))]] : [],
      ),
    ),
    is_applicable: fits,
  };
}

/** "0.800000", as the database writes it, is "0.8" to everybody else. */
function shortenRate(rate: string): string {
  return rate.replace(/(?<!0)0+$/, '').replace(/\.$/, '');
}
