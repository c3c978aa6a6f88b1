// Tells once how an order on the screen ended.
import { useEffect } from 'react';
import type { BillingInfo } from '#contracts/orders.ts';
import { track } from '#web/platform/visitor/track.ts';
import { faceOf } from '#web/features/orders/stages.ts';

export function useTrackedFace(order: BillingInfo | null): void {
  const face = order && faceOf(order);
  const productId = order?.product_id ?? '';
  useEffect(() => {
    if (face === 'success') track('result_success', { product_id: productId });
    if (face === 'fail') track('result_fail', { product_id: productId });
  }, [face, productId]);
}
