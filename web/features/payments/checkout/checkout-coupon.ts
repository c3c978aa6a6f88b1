// Declares a coupon and a promo code for a checkout. They are other features: the screens put them together (decision
// 32).
import type { ReactNode } from 'react';
import type { SubPaymentOption } from '#contracts/payments.ts';
import type { OrderView } from '#web/features/payments/OrderSummary.tsx';
import type { PayTarget } from '#web/features/payments/paying/pay-order.ts';
import { takesCoupon, takesDue } from '#web/features/payments/rules.ts';

/** Prices as the server told them: `price_minor` goes with the pay call, the others are read. */
export type PricedCoupon = {
  code: string;
  price_minor: number;
  price_shown: string;
  /** The discount, without a minus; empty for none. An offer says its price alone. */
  off_shown?: string;
  /** An offer on these goods, which stands in the place of a coupon: any way to pay takes it that takes its price. */
  isOffer?: boolean;
};

export type CheckoutCoupon = {
  /** Null: none is chosen, or its price is not there yet. */
  chosen: PricedCoupon | null;
  /** How many work for these goods. */
  usable: number;
  /** Is true while the amount to pay is not known yet. */
  isPending: boolean;
  /** The pay call was refused because of it (-3062). */
  refuse: (code: string) => void;
  /** An order stands: what it holds is not free any more. */
  reload: () => void;
  /** Its line in the order. */
  line: (how: { isTaken: boolean }) => ReactNode;
};

export type CheckoutPromo = {
  /** With the code alone, and with it on what the chosen coupon leaves; null: not to be had so. */
  alone: PricedCoupon | null;
  beside: PricedCoupon | null;
  isPending: boolean;
  /** The pay call was refused because of it, with these words. */
  refuse: (words: string) => void;
  reload: () => void;
  /** Its line in the order. */
  line: (how: { isBeside: boolean }) => ReactNode;
};

/** The promo code that this payment has: on what its coupon leaves, where it has one. */
export function promoOf(
  promo: CheckoutPromo | null,
  coupon: PricedCoupon | null,
  option: SubPaymentOption | null,
  currency: string,
): PricedCoupon | null {
  const priced = (coupon ? promo?.beside : promo?.alone) ?? null;
  return priced && takesDue(option, priced.price_minor, currency) ? priced : null;
}

/** The coupon that this payment has: the chosen one, where the way to pay takes it. */
export function couponOf(
  coupon: CheckoutCoupon | null,
  option: SubPaymentOption | null,
  currency: string,
): PricedCoupon | null {
  const chosen = coupon?.chosen ?? null;
  if (!chosen) return null;
  const takes = chosen.isOffer ? takesDue : takesCoupon;
  return takes(option, chosen.price_minor, currency) ? chosen : null;
}

/** The order at the price with its coupon and promo code, and what each of them is. */
export function viewWith(order: OrderView, coupon: PricedCoupon | null, promo: PricedCoupon | null): OrderView {
  const last = promo ?? coupon;
  if (!last) return order;
  const reductions: OrderView['reductions'] = [
    ...(coupon
      ? [{ kind: coupon.isOffer ? ('offer' as const) : ('coupon' as const), off: coupon.off_shown ?? '' }]
      : []),
    // A code may take nothing off, and support a creator.
    ...(promo?.off_shown ? [{ kind: 'promo' as const, off: promo.off_shown }] : []),
  ];
  const isLess = last.price_shown !== order.price;
  return { ...order, price: last.price_shown, listPrice: order.listPrice || (isLess ? order.price : ''), reductions };
}

export function targetWith(
  target: PayTarget | null,
  coupon: PricedCoupon | null,
  promo: PricedCoupon | null,
): PayTarget | null {
  return (
    target && {
      ...target,
      ...(coupon && { price_minor: coupon.price_minor, [coupon.isOffer ? 'offer_code' : 'coupon_code']: coupon.code }),
      ...(promo && { price_minor: promo.price_minor, promo_code: promo.code }),
    }
  );
}
