// Opens the popups of the orders; their code comes with the first use.
import { lazy } from 'react';
import { openPopup } from '#web/platform/popups.tsx';
import { rememberOrder } from './order-info.ts';
import type { ReceiptPopupProps } from './ReceiptPopup.tsx';
import type { ResultPopupProps } from './ResultPopup.tsx';

const ResultPopup = lazy(() => import('./ResultPopup.tsx').then((module) => ({ default: module.ResultPopup })));
const ReceiptPopup = lazy(() => import('./ReceiptPopup.tsx').then((module) => ({ default: module.ReceiptPopup })));

/** Fetches the code of the result ahead, while the player chooses how to pay. */
export function warmResult(): void {
  void import('./ResultPopup.tsx');
}

/** Shows an order and keeps its number until it has been seen finished. */
export function openResult(props: ResultPopupProps, onClosed?: () => void): void {
  rememberOrder(props.billingNo);
  openPopup(ResultPopup, props, onClosed);
}

export function openReceipt(props: ReceiptPopupProps): void {
  openPopup(ReceiptPopup, props);
}
