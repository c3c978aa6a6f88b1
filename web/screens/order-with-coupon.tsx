// The order once something is chosen, with its coupon or offer: bar and panel. Features do not know each other, so the
// screens put payments, coupons and offers together.
import type { Goods } from '#contracts/catalogue.ts';
import { CouponLine } from '#web/features/coupons/CouponLine.tsx';
import { useCoupon } from '#web/features/coupons/use-coupon.ts';
import { OfferLine } from '#web/features/offers/OfferLine.tsx';
import { useOffer } from '#web/features/offers/use-offer.ts';
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
  const offered = useOffer({ clientId, region, country, ...receiver }, goods?.value ?? '');
  const isOpen = goods?.isCoupon === true;
  // An offer and a coupon never come together, and the offer is what stands on the card.
  const coupon = useCoupon({ clientId, region, country, productId, ...receiver }, isOpen && !offered?.isUsed);
  const couponLine = ({ isTaken }: { isTaken: boolean }) =>
    isOpen && coupon.isAsked ? <CouponLine coupon={coupon} isTaken={isTaken} /> : null;
  if (offered) {
    const { offer, isUsed, isOver, leave, take } = offered;
    const line = { offer, isUsed, isOver, onLeave: leave, onTake: take };
    if (isUsed)
      return {
        chosen: { ...offer, isOffer: true },
        usable: 0,
        isPending: false,
        refuse: offered.refuse,
        reload: offered.refresh,
        line: ({ isTaken }) => <OfferLine {...line} isTaken={isTaken} />,
      };
    return {
      ...coupon,
      usable: isOpen ? coupon.usable : 0,
      line: (how) => (
        <>
          <OfferLine {...line} isTaken />
          {couponLine(how)}
        </>
      ),
    };
  }
  return isOpen && coupon.isAsked ? { ...coupon, line: couponLine } : null;
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
