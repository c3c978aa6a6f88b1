// Carries out a press on Pay: the checkout, the results of orders and the ways on from them. It comes with the order's
// bar and panel: nothing of it can be pressed before they stand there.
import type { Goods } from '#contracts/catalogue.ts';
import { nextBest } from '#web/features/catalogue/rules.ts';
import { openResult, openReturned } from '#web/features/orders/open.ts';
import type { ResultPopupProps } from '#web/features/orders/result/ResultPopup.tsx';
import type { OfferPlace } from '#web/features/offers/queries.ts';
import { openRecharge } from '#web/features/payments/open.ts';
import type { OrderView } from '#web/features/payments/OrderSummary.tsx';
import { goToPay, payHref } from '#web/features/payments/paying/go-to-pay.ts';
import type { PayEnd } from '#web/features/payments/paying/pay-order.ts';
import { leaveTo } from '#web/platform/frame.ts';
import { lazyPart } from '#web/platform/lazy/lazy-part.ts';
import { afterSaleOf } from './offer-after.tsx';
import type { OrderParts } from './order-view.ts';
import type { WithCoupon } from './order-reductions.tsx';
import { viewPlaced } from './placed-order.ts';

export { openStranger, warmResult } from '#web/features/orders/open.ts';

/** The page does these when a result leads back to it. */
export type ResultWays = {
  goods: readonly Goods[];
  offerPlace: OfferPlace;
  onSelect: (goods: Goods) => void;
  /** Takes goods at the price of their offer. */
  onTake: (goods: Goods) => void;
  /** It is paid: the choice has done its work. */
  onPaid: (productId: string) => void;
  /** The same product once more, by another way to pay. */
  onRecharge: (productId: string) => void;
  /** The same product, for another character. */
  onCharacter: (productId: string) => void;
  onClosed: () => void;
};

type Shown = Pick<ResultPopupProps, 'known' | 'begun'>;

const RechargePopup = lazyPart(() => import('./recharge-with-coupon.tsx').then((module) => module.RechargePopup));

/** Fetches the code of the checkout ahead. */
export function warmCheckout(): void {
  void RechargePopup.preload();
}

export function openCheckout(props: WithCoupon): void {
  openRecharge(RechargePopup, props);
}

export function showResult(ways: ResultWays, billingNo: string, how: Shown): void {
  openResult(resultOf(ways, billingNo, how), ways.onClosed);
}

/** Back from the provider's page, or by a link to an order. */
export function showReturned(ways: ResultWays, billingNo: string): Promise<void> {
  return openReturned(resultOf(ways, billingNo, { known: null, begun: 'back' }), ways.onClosed);
}

/** After the pay call has made an order. @param paid what was paid, in the words of the page */
export function showPlaced(
  ways: ResultWays,
  end: Extract<PayEnd, { kind: 'order' }>,
  order: { parts: OrderParts; paid: OrderView; methodName: string },
): void {
  const { page, isEarlier } = end;
  // Of an order begun earlier only the server knows the time.
  const known = isEarlier ? null : viewPlaced(end, order.parts, order.paid, order.methodName);
  showResult(ways, end.billingNo, { known, begun: page === 'refused' ? 'none' : page });
  // The order is remembered, and its return address leads back to it.
  if (page === 'refused') leaveTo(end.url);
}

function resultOf(ways: ResultWays, billingNo: string, how: Shown): ResultPopupProps {
  return {
    billingNo,
    ...how,
    hrefOf: payHref,
    nextAfter: (bought) => offerAfter(ways, bought.product_id),
    afterSale: afterSaleOf({ place: ways.offerPlace, goods: ways.goods, onTake: ways.onTake }),
    onToPay: goToPay,
    onPaid: (bought) => ways.onPaid(bought.product_id),
    onRecharge: (before) => ways.onRecharge(before.product_id),
    onCharacter: (before) => ways.onCharacter(before.product_id),
  };
}

/** Offers the pack after the one that was bought. */
function offerAfter({ goods, onSelect }: ResultWays, productId: string) {
  const bought = goods.find((one) => one.value === productId);
  const next = bought && nextBest(goods, bought, new Map());
  if (!next) return null;
  return { product: next.display, price: next.price_shown, take: () => onSelect(next) };
}
