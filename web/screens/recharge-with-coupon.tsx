// The recharge popup with coupon and promo code of its order. Its code comes after bar and panel: it brings the dialog
// library.
import { useEffect } from 'react';
import { beginCoupon } from '#web/features/coupons/choice.ts';
import * as payments from '#web/features/payments/checkout/RechargePopup.tsx';
import { useReductions, type WithCoupon } from './order-reductions.tsx';

export function RechargePopup({ goods, ...props }: WithCoupon) {
  const reductions = useReductions({ ...props, goods });
  useEffect(beginCoupon, []);
  return <payments.RechargePopup {...props} {...reductions} />;
}
