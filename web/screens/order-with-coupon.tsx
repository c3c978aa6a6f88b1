// The order of the new version once something is chosen, at its reduced price: bar, panel, and what pressing them leads
// to.
import { useCouponsAhead } from '#web/features/coupons/use-coupon.ts';
import * as payments from '#web/features/payments/ChosenOrder.tsx';
import { type OrderWithCoupon, usePricedOrder, useReductions, type WithCoupon } from './order-reductions.tsx';

export { ProductBlock } from '#web/features/payments/ChosenOrder.tsx';
export { OrderPanel } from '#web/features/payments/OrderPanel.tsx';
export * from './order-deeds.tsx';

/** Draws nothing: what the order has to know before it is there. */
export function OrderAhead() {
  useCouponsAhead(true);
  return null;
}

export function PricedBar({ target, goods, order, ...props }: OrderWithCoupon & payments.OrderBarProps) {
  const priced = usePricedOrder(order, { place: props.place, target, goods });
  return <payments.OrderBar {...props} order={priced} />;
}

export function PanelPayment({ goods, ...props }: WithCoupon) {
  return <payments.PanelPayment {...props} {...useReductions({ ...props, goods })} />;
}
