// Tells once how an order on the screen ended; a game's page around the shop, also that it waits.
import { useEffect } from 'react';
import type { BillingInfo } from '#contracts/orders.ts';
import { tellGame } from '#web/platform/frame.ts';
import { track } from '#web/platform/visitor/track.ts';
import { publicStatusOf } from '#web/features/orders/stages.ts';

export function useTrackedStatus(order: BillingInfo | null): void {
  const publicStatus = order && publicStatusOf(order);
  const productId = order?.product_id ?? '';
  const billingNo = order?.billing_no ?? '';
  const status = order?.status ?? 0;
  useEffect(() => {
    if (billingNo !== '') tellGame({ type: 'order', billing_no: billingNo, status });
  }, [billingNo, status]);
  useEffect(() => {
    if (publicStatus === 'success') track('result_success', { product_id: productId });
    if (publicStatus === 'fail') track('result_fail', { product_id: productId });
  }, [publicStatus, productId]);
}
