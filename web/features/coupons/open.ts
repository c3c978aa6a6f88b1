// Opens the list of coupons; its code comes with the first use.
import { lazyPart } from '#web/platform/lazy/lazy-part.ts';
import { openPopup } from '#web/platform/popups/popups.tsx';
import type { CouponPopupProps } from './CouponPopup.tsx';

const CouponPopup = lazyPart(() => import('./CouponPopup.tsx').then((module) => module.CouponPopup));

export function openCoupons(props: CouponPopupProps): void {
  openPopup(CouponPopup, props);
}
