// Opens the recharge popup; its code comes with the first use, or a little before.
import { lazyPart } from '#web/platform/lazy-part.ts';
import { openPopup } from '#web/platform/popups.tsx';
import { track } from '#web/platform/track.ts';
import type { RechargePopupProps } from './RechargePopup.tsx';

const RechargePopup = lazyPart(() => import('./RechargePopup.tsx').then((module) => module.RechargePopup));

/** Fetches the code of the popup ahead, once a product is chosen. */
export function warmRecharge(): void {
  void RechargePopup.preload();
}

export function openRecharge(props: RechargePopupProps): void {
  track('recharge_open', { product_id: props.target.product_id, price_minor: props.target.price_minor });
  openPopup(RechargePopup, props);
}
