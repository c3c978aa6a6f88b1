// The order of the new version once something is chosen, at its reduced price: bar, panel, and what pressing them leads
// to.
import { type ReactNode, useEffect } from 'react';
import { useCouponMarks } from '#web/features/coupons/marks.tsx';
import type { CouponPlace } from '#web/features/coupons/queries.ts';
import { gameOf } from '#web/features/orders/game-of.ts';
import * as payments from '#web/features/payments/ChosenOrder.tsx';
import { readBoot } from '#web/platform/boot.ts';
import { type OrderWithCoupon, usePricedOrder, useReductions, type WithCoupon } from './order-reductions.tsx';

export { ProductBlock } from '#web/features/payments/ChosenOrder.tsx';
export { OrderPanel } from '#web/features/payments/OrderPanel.tsx';
export { flyToOrder } from '#web/features/payments/fly.ts';
export * from './order-deeds.tsx';

export type Marks = ReadonlyMap<string, ReactNode>;

type AheadProps = {
  place: Pick<CouponPlace, 'clientId' | 'region' | 'country'>;
  /** Takes the marks of the player's coupons on cards; undefined once nobody is there. */
  onMarks: (marks: Marks | undefined) => void;
};

/** Draws nothing: reads the player's coupons before goods are chosen, for the order and for the cards. */
export function OrderAhead({ place, onMarks }: AheadProps) {
  const marks = useCouponMarks(gameOf(readBoot().games, place.clientId)?.gp_id ?? '', place);
  useEffect(() => {
    onMarks(marks);
    return () => onMarks(undefined);
  }, [marks, onMarks]);
  return null;
}

export function PricedBar({ target, goods, order, ...props }: OrderWithCoupon & payments.OrderBarProps) {
  const priced = usePricedOrder(order, { place: props.place, target, goods });
  return <payments.OrderBar {...props} order={priced} />;
}

export function PanelPayment({ goods, ...props }: WithCoupon) {
  return <payments.PanelPayment {...props} {...useReductions({ ...props, goods })} />;
}
