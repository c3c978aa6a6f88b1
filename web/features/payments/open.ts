// Opens the recharge popup; its code comes with the first use, or a little before. Where the panel stands
// beside the goods, the panel is it.
import { whenIdle } from '#web/platform/later.ts';
import { lazyPart } from '#web/platform/lazy-part.ts';
import { openPopup } from '#web/platform/popups.tsx';
import { track } from '#web/platform/track.ts';
import type { RechargePopupProps } from './checkout/RechargePopup.tsx';

const RechargePopup = lazyPart(() => import('./checkout/RechargePopup.tsx').then((module) => module.RechargePopup));

/** Fetches the code of the popup ahead, once a product is chosen; never between the press and what it shows. */
export function warmRecharge(): void {
  whenIdle(() => void RechargePopup.preload());
}

export function openRecharge(props: RechargePopupProps): void {
  const told = props.target && { product_id: props.target.product_id, price_minor: props.target.price_minor };
  track('recharge_open', told ?? {});
  if (!showPanel()) openPopup(RechargePopup, props);
}

/** True when there is a panel in sight: it holds methods and button itself, and gets the focus. */
function showPanel(): boolean {
  const panel = document.querySelector<HTMLElement>('[data-order-panel]');
  if (!panel || panel.offsetParent === null) return false;
  panel.scrollIntoView({ block: 'nearest' });
  panel.querySelector<HTMLElement>('input[type=radio]:checked, input[type=radio]')?.focus({ preventScroll: true });
  return true;
}
