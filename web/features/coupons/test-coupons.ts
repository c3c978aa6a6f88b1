// Coupons as the server lists them, for tests.
import type { Coupon } from '#contracts/coupons.ts';

/** 2026/11/30 09:00 in Tokyo. */
const END = Date.UTC(2026, 10, 30);

export function couponOf(code: string, over: Partial<Coupon> = {}): Coupon {
  return {
    code,
    name: JSON.stringify({ en: `Coupon ${code}` }),
    name_shown: `Coupon ${code}`,
    use_category: 'avail',
    is_used: false,
    used_time: 0,
    valid_start_time: END - 864e5,
    valid_end_time: END,
    time_zone: 'Asia/Tokyo',
    discount_rate: '0.8',
    billing_no: '',
    products: [],
    goods: [],
    games_shown: [],
    min_spend_shown: {},
    is_applicable: true,
    ...over,
  };
}

/** One of each part of the list. */
export const EACH: readonly Coupon[] = [
  couponOf('AVAIL'),
  couponOf('CLAIM', { use_category: 'claim', is_applicable: false }),
  couponOf('SOON', { use_category: 'lock', is_applicable: false }),
  couponOf('HELD', { use_category: 'lock', is_applicable: false, billing_no: 'B1' }),
  couponOf('USED', { use_category: 'history', is_applicable: false, is_used: true, used_time: END - 36e5 }),
  couponOf('OVER', { use_category: 'history', is_applicable: false }),
];
