// Opens the recharge popup. Where the panel stands beside the goods, the panel is it.
import { type ComponentType, useEffect, useEffectEvent } from 'react';
import { afterPaint } from '#web/platform/lazy/later.ts';
import { openPopup } from '#web/platform/popups/popups.tsx';
import { track } from '#web/platform/visitor/track.ts';
import type { RechargePopupProps } from './checkout/RechargePopup.tsx';
import type { PayTarget } from './paying/pay-order.ts';

/** From the press to the sheet: a second press within it is none. */
let isOpening = false;

/** @param Popup the recharge popup as the screen has put it together */
export function openRecharge<Props extends RechargePopupProps>(Popup: ComponentType<Props>, props: Props): void {
  if (isOpening || showPanel()) return;
  noteCheckout(props.target);
  isOpening = true;
  // The button answers the finger first; the sheet with all the ways to pay is drawn in the next task.
  afterPaint(() => {
    isOpening = false;
    openPopup(Popup, props);
  });
}

type Offered = Pick<PayTarget, 'product_id' | 'price_minor'>;

/** The player stands before the ways to pay, in whichever of the three forms. */
export function noteCheckout(target: Offered | null): void {
  track('recharge_open', target ? { product_id: target.product_id, price_minor: target.price_minor } : {});
}

/** The panel beside the goods, where the window has room for it. */
function panelInSight(): HTMLElement | null {
  const panel = document.querySelector<HTMLElement>('[data-order-panel]');
  return panel && panel.offsetParent !== null ? panel : null;
}

/** The panel is the popup where there is one: it stands before the player once goods and character are chosen. */
export function useNotedPanel(target: Offered | null): void {
  const tell = useEffectEvent(() => {
    if (panelInSight()) noteCheckout(target);
  });
  const productId = target?.product_id ?? '';
  useEffect(() => {
    if (productId !== '') tell();
  }, [productId]);
}

/** True when there is a panel in sight: it holds methods and button itself, and gets the focus. */
function showPanel(): boolean {
  const panel = panelInSight();
  if (!panel) return false;
  panel.scrollIntoView({ block: 'nearest' });
  panel.querySelector<HTMLElement>('input[type=radio]:checked, input[type=radio]')?.focus({ preventScroll: true });
  return true;
}
