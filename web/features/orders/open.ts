// Opens the popups of the orders; their code comes with the first use.
import type { BillingInfo } from '#contracts/orders.ts';
import { lazyPart } from '#web/platform/lazy/lazy-part.ts';
import { openPopup } from '#web/platform/popups/popups.tsx';
import { listUnfinished, rememberOrder } from './unfinished/order-info.ts';
import type { ReceiptPopupProps } from './history/ReceiptPopup.tsx';
import type { OpenOrdersPopupProps } from './open-orders/OpenOrdersPopup.tsx';
import type { ResultPopupProps } from './result/ResultPopup.tsx';
import { answerForOrder, isShownElsewhere } from './unfinished/tabs.ts';

const ResultPopup = lazyPart(() => import('./result/ResultPopup.tsx').then((module) => module.ResultPopup));
const ReceiptPopup = lazyPart(() => import('./history/ReceiptPopup.tsx').then((module) => module.ReceiptPopup));
const OpenOrdersPopup = lazyPart(() =>
  import('./open-orders/OpenOrdersPopup.tsx').then((module) => module.OpenOrdersPopup),
);
const ReturnedPopup = lazyPart(() => import('./result/ReturnedPopup.tsx').then((module) => module.ReturnedPopup));

/** Fetches the code of the result ahead, while the player chooses how to pay. */
export function warmResult(): void {
  void ResultPopup.preload();
}

/** Shows an order and keeps its number until it has been seen finished. */
export function openResult(props: ResultPopupProps, onClosed?: () => void): void {
  const { billingNo } = props;
  rememberOrder(billingNo);
  let isOpen = true;
  const onReceipt = (order: BillingInfo) => openReceipt({ order, onContinue: () => undefined });
  openPopup(ResultPopup, { ...props, onReceipt }, () => {
    isOpen = false;
    onClosed?.();
  });
  // Closed meanwhile, it comes back with the player, unless they have seen how it ended.
  answerForOrder(billingNo, () => {
    const isUnfinished = listUnfinished().some((one) => one.billing_no === billingNo);
    if (!isOpen && isUnfinished) openResult({ ...props, known: null, begun: 'back' }, onClosed);
  });
}

/**
 * Back from a provider's page: goes on with the order here, unless another tab does; then this one closes,
 * or says that it may be closed.
 */
export async function openReturned(props: ResultPopupProps, onClosed?: () => void): Promise<void> {
  const goOn = () => openResult(props, onClosed);
  if (!(await leaveToOtherTab(props.billingNo, goOn))) goOn();
}

/**
 * @returns whether another tab goes on with the order; then `onStay` is called when the player stays here all the same
 */
export async function leaveToOtherTab(billingNo: string, onStay: () => void): Promise<boolean> {
  if (!(await isShownElsewhere(billingNo))) return false;
  window.close();
  openPopup(ReturnedPopup, { onStay });
  return true;
}

/** Back from a provider's page in a tab where nobody is logged in. @param onStay to log in here */
export function openStranger(onStay: () => void): void {
  openPopup(ReturnedPopup, { onStay, isStranger: true });
}

export function openReceipt(props: ReceiptPopupProps): void {
  openPopup(ReceiptPopup, props);
}

/** Unpaid orders that kept another one from being placed. */
export function openUnpaidOrders(props: OpenOrdersPopupProps): void {
  openPopup(OpenOrdersPopup, props);
}
