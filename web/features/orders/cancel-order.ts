// "Cancel this order": asked first, then closed at its provider and here. Comes with the press.
import type { QueryClient } from '@tanstack/react-query';
import { type BillingInfo, orderRoutes } from '#contracts/orders.ts';
import { change } from '#web/platform/calls/change.ts';
import { react } from '#web/platform/calls/reactions.ts';
import { t } from '#web/platform/i18n.ts';
import { showMoment } from '#web/platform/moment.ts';
import { confirm } from '#web/platform/popups/popups.tsx';
import { isFinal } from './stages.ts';
import { dropOrder } from './unfinished/order-info.ts';

/** An open order affects these: lists of orders, and everything that it had held. */
const TOUCHED = ['history', 'coupons', 'coupon-price', 'promo-price', 'goods', 'offers'];

/** @returns the order as it stands now, or in words why it stays; null: the player thought better of it */
export async function cancelOrder(queries: QueryClient, billingNo: string): Promise<BillingInfo | string | null> {
  const isSure = await confirm({
    title: t('result.cancel_title'),
    text: t('result.cancel_text'),
    cancel: t('result.cancel_keep'),
    confirm: t('result.cancel_order'),
  });
  if (!isSure) return null;
  const outcome = await change(orderRoutes.cancel, { billing_no: billingNo });
  if (outcome.kind !== 'ok') {
    react(outcome);
    return outcome.kind === 'network' ? t('network.failed') : `${outcome.msg}${tellClosing(outcome.content)}`;
  }
  if (isFinal(outcome.content.stage)) dropOrder(billingNo);
  for (const key of TOUCHED) void queries.invalidateQueries({ queryKey: [key] });
  return outcome.content;
}

/** When an order that cannot be cancelled ends if nothing is paid; empty where that is not known. */
function tellClosing(order: BillingInfo | null): string {
  return order?.closes_at ? ` ${t('open_orders.closes', { time: showMoment(order.closes_at) })}` : '';
}
