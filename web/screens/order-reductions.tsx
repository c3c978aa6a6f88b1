// Combines the order's discounts: coupon, offer and promo code. Features do not know each other, so the screens of both
// versions put them together here.
import { useEffect, useEffectEvent } from 'react';
import type { Goods } from '#contracts/catalogue.ts';
import { chooseCode, noteCouponOut } from '#web/features/codes/code-choice.ts';
import { PromoLine } from '#web/features/codes/PromoLine.tsx';
import { type OrderPromo, usePromo } from '#web/features/codes/use-promo.ts';
import { dropCoupon, keyOfGoods, useCouponChoice } from '#web/features/coupons/choice.ts';
import { CouponLine } from '#web/features/coupons/CouponLine.tsx';
import { useCoupon } from '#web/features/coupons/use-coupon.ts';
import { OfferLine } from '#web/features/offers/OfferLine.tsx';
import { useOffer } from '#web/features/offers/use-offer.ts';
import {
  type CheckoutCoupon,
  type CheckoutPromo,
  couponOf,
  promoOf,
  viewWith,
} from '#web/features/payments/checkout/checkout-coupon.ts';
import type { CheckoutInput } from '#web/features/payments/checkout/use-checkout.ts';
import { useMethods } from '#web/features/payments/methods/use-methods.ts';
import type { OrderView } from '#web/features/payments/OrderSummary.tsx';
import type { PayTarget } from '#web/features/payments/paying/pay-order.ts';
import type { ChannelPlace } from '#web/features/payments/queries.ts';

export type OrderWithCoupon = { place: ChannelPlace; target: PayTarget | null; goods: Goods | null };

/** The coupon of an order as its checkout has it; null where coupons have no place. */
function useCheckoutCoupon({ place, target, goods }: OrderWithCoupon): CheckoutCoupon | null {
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

/** The promo code of an order as its checkout has it, beside this coupon; null where the brand has no codes. */
function useCheckoutPromo(given: OrderWithCoupon, coupon: CheckoutCoupon | null): CheckoutPromo | null {
  const { place, target } = given;
  const promo = usePromo(
    {
      client_id: place.clientId,
      product_id: place.productId,
      ...(place.region && { domain_area: place.region }),
      ...(place.country && { country: place.country }),
      ...(target && { server_id: target.server_id, areaId: target.area_id, role_id: target.role_id }),
    },
    coupon?.chosen?.code ?? '',
  );
  useOneOfBoth(keyOfGoods(place), promo, coupon);
  if (!promo.isShown) return null;
  const isCouponBetter = isBetter(coupon, promo);
  return {
    ...promo,
    line: ({ isBeside }) => <PromoLine promo={promo} isBeside={isBeside} isCouponBetter={isCouponBetter} />,
  };
}

/** Returns true when the coupon leaves no more to pay than the code alone. */
function isBetter(coupon: CheckoutCoupon | null, { alone }: OrderPromo): boolean {
  return coupon?.chosen != null && alone !== null && coupon.chosen.price_minor <= alone.price_minor;
}

/**
 * A typed code that goes with no coupon takes the place of one; a coupon that is chosen afterwards takes that of the
 * code. One of the address was not asked for: it takes the place of a dearer coupon that nobody chose, and stays at
 * hand beside any other.
 */
function useOneOfBoth(about: string, promo: OrderPromo, coupon: CheckoutCoupon | null): void {
  const { said } = useCouponChoice(about);
  // The goods that have both: those of another choice are decided anew.
  const both = promo.isExclusive && coupon?.chosen != null ? about : '';
  const decide = useEffectEvent(() => {
    if (promo.choice.isLinked) {
      if (said || isBetter(coupon, promo)) return;
    } else if (promo.choice.isCouponOut && said) return chooseCode('');
    dropCoupon(about);
    noteCouponOut();
  });
  useEffect(() => {
    if (both !== '') decide();
  }, [both]);
}

/** Coupon and promo code of an order, for its checkout. */
export function useReductions(given: OrderWithCoupon) {
  const coupon = useCheckoutCoupon(given);
  // Nothing comes beside an offer; a code is there again when it is left.
  const isOffer = coupon?.chosen?.isOffer === true;
  const promo = useCheckoutPromo(given, isOffer ? null : coupon);
  return { coupon, promo: isOffer ? null : promo };
}

/** The order at the price with its coupon and promo code, for buttons outside of the checkout. */
export function usePricedOrder(order: OrderView, given: OrderWithCoupon): OrderView {
  const { coupon, promo } = useReductions(given);
  const { choice } = useMethods(given.place);
  const route = choice?.option ?? choice?.method.route ?? null;
  const used = couponOf(coupon, route, given.place.currency);
  return viewWith(order, used, promoOf(promo, used, route, given.place.currency));
}

export type WithCoupon = Omit<CheckoutInput, 'coupon' | 'promo'> & OrderWithCoupon;
