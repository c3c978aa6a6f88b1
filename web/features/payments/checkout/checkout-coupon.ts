// What a checkout needs of a coupon. The coupons are another feature: the screens put the two together (decision 32).
import type { ReactNode } from 'react';
import type { SubPaymentOption } from '#contracts/payments.ts';
import type { OrderView } from '#web/features/payments/OrderSummary.tsx';
import type { PayTarget } from '#web/features/payments/paying/pay-order.ts';
import { takesCoupon } from '#web/features/payments/rules.ts';

/** Prices as the server told them: `price_minor` goes with the pay call, the others are read. */
export type PricedCoupon = { code: string; price_minor: number; price_shown: string };

export type CheckoutCoupon = {
  /** Null: none is chosen, or its price is not there yet. */
  chosen: PricedCoupon | null;
  /** How many work for these goods. */
  usable: number;
  /** What is to pay is not known yet. */
  isPending: boolean;
  /** The pay call was refused because of it (-3062). */
  refuse: (code: string) => void;
  /** An order stands: what it holds is not free any more. */
  reload: () => void;
  /** Its line in the order. */
  line: (how: { isTaken: boolean }) => ReactNode;
};

/** The coupon that this payment has: the chosen one, where the way to pay takes it. */
export function couponOf(
  coupon: CheckoutCoupon | null,
  option: SubPaymentOption | null,
  currency: string,
): PricedCoupon | null {
  const chosen = coupon?.chosen ?? null;
  return chosen && takesCoupon(option, chosen.price_minor, currency) ? chosen : null;
}

/** The order at the price with the coupon. */
export function viewWith(order: OrderView, coupon: PricedCoupon | null): OrderView {
  return coupon ? { ...order, price: coupon.price_shown, listPrice: order.listPrice || order.price } : order;
}

export function targetWith(target: PayTarget | null, coupon: PricedCoupon | null): PayTarget | null {
  return target && coupon ? { ...target, price_minor: coupon.price_minor, coupon_code: coupon.code } : target;
}
