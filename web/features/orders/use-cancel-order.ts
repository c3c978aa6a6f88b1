// The press on "Cancel this order", on a result and on a receipt.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { BillingInfo } from '#contracts/orders.ts';
import { t } from '#web/platform/i18n.ts';

/** @param onDone gets the order as it stands then: cancelled, or paid meanwhile */
export function useCancelOrder(billingNo: string, onDone: (order: BillingInfo) => void) {
  const queries = useQueryClient();
  const [isCancelling, setCancelling] = useState(false);
  const [refusal, setRefusal] = useState('');
  const cancel = async () => {
    setCancelling(true);
    setRefusal('');
    const end = await import('./cancel-order.ts').then(
      (part) => part.cancelOrder(queries, billingNo),
      () => t('network.failed'),
    );
    setCancelling(false);
    if (typeof end === 'string') setRefusal(end);
    else if (end !== null) onDone(end);
  };
  return { cancel: () => void cancel(), isCancelling, refusal };
}
