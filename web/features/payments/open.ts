// Opens the recharge popup. Where the panel stands beside the goods, the panel is it.
import type { ComponentType } from 'react';
import { afterPaint } from '#web/platform/lazy/later.ts';
import { openPopup } from '#web/platform/popups/popups.tsx';
import { track } from '#web/platform/visitor/track.ts';
import type { RechargePopupProps } from './checkout/RechargePopup.tsx';

/** From the press to the sheet: a second press within it is none. */
let isOpening = false;

/** @param Popup the recharge popup as the screen has put it together */
export function openRecharge<Props extends RechargePopupProps>(Popup: ComponentType<Props>, props: Props): void {
  if (isOpening) return;
  const told = props.target && { product_id: props.target.product_id, price_minor: props.target.price_minor };
  track('recharge_open', told ?? {});
  if (showPanel()) return;
  isOpening = true;
  // The button answers the finger first; the sheet with all the ways to pay is drawn in the next task.
  afterPaint(() => {
    isOpening = false;
    openPopup(Popup, props);
  });
}

/** True when there is a panel in sight: it holds methods and button itself, and gets the focus. */
function showPanel(): boolean {
  const panel = document.querySelector<HTMLElement>('[data-order-panel]');
  if (!panel || panel.offsetParent === null) return false;
  panel.scrollIntoView({ block: 'nearest' });
  panel.querySelector<HTMLElement>('input[type=radio]:checked, input[type=radio]')?.focus({ preventScroll: true });
  return true;
}
