// The recharge popup with the coupon of its order. Its code comes after bar and panel: it brings the dialog library.
import { useEffect } from 'react';
import { beginCoupon } from '#web/features/coupons/choice.ts';
import * as payments from '#web/features/payments/checkout/RechargePopup.tsx';
import { useCheckoutCoupon, type WithCoupon } from './order-with-coupon.tsx';

export function RechargePopup({ goods, ...props }: WithCoupon) {
  const coupon = useCheckoutCoupon({ ...props, goods });
  useEffect(beginCoupon, []);
  return <payments.RechargePopup {...props} coupon={coupon} />;
}
