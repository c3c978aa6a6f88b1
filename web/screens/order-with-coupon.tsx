// The order once something is chosen, with its coupon: bar and panel. Features do not know each other, so the
// screens put payments and coupons together.
import type { Goods } from '#contracts/catalogue.ts';
import { CouponLine } from '#web/features/coupons/CouponLine.tsx';
import { useCoupon } from '#web/features/coupons/use-coupon.ts';
import * as payments from '#web/features/payments/ChosenOrder.tsx';
import { type CheckoutCoupon, couponOf, viewWith } from '#web/features/payments/checkout/checkout-coupon.ts';
import type { CheckoutInput } from '#web/features/payments/checkout/use-checkout.ts';
import { useMethods } from '#web/features/payments/methods/use-methods.ts';
import type { OrderView } from '#web/features/payments/OrderSummary.tsx';
import type { PayTarget } from '#web/features/payments/paying/pay-order.ts';
import type { ChannelPlace } from '#web/features/payments/queries.ts';

export { OrderBar, ProductBlock } from '#web/features/payments/ChosenOrder.tsx';

export type OrderWithCoupon = { place: ChannelPlace; target: PayTarget | null; goods: Goods | null };

/** The coupon of an order as its checkout has it; null where coupons have no place. */
export function useCheckoutCoupon({ place, target, goods }: OrderWithCoupon): CheckoutCoupon | null {
  const { clientId, region, country, productId } = place;
  const receiver = {
    serverId: target?.server_id ?? '',
    areaId: target?.area_id ?? '',
    roleId: target?.role_id ?? '',
  };
  const isOpen = goods?.isCoupon === true;
  const coupon = useCoupon({ clientId, region, country, productId, ...receiver }, isOpen);
  if (!isOpen || !coupon.isAsked) return null;
  return { ...coupon, line: ({ isTaken }) => <CouponLine coupon={coupon} isTaken={isTaken} /> };
}

/** The order at the price with its coupon, for buttons outside of the checkout. */
export function usePricedOrder(order: OrderView, given: OrderWithCoupon): OrderView {
  const coupon = useCheckoutCoupon(given);
  const { choice } = useMethods(given.place);
  return viewWith(order, couponOf(coupon, choice?.option ?? choice?.method.route ?? null, given.place.currency));
}

export function PricedBar({ target, goods, order, ...props }: OrderWithCoupon & payments.OrderBarProps) {
  const priced = usePricedOrder(order, { place: props.place, target, goods });
  return <payments.OrderBar {...props} order={priced} />;
}

export type WithCoupon = Omit<CheckoutInput, 'coupon'> & OrderWithCoupon;

export function PanelPayment({ goods, ...props }: WithCoupon) {
  const coupon = useCheckoutCoupon({ ...props, goods });
  return <payments.PanelPayment {...props} coupon={coupon} />;
}
