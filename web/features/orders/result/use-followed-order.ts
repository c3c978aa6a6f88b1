// An order as its result shows it, on the popup and on the classic page: polled until nothing more happens to it by
// itself, told to the tracking, and asked for again by hand.
import { useState } from 'react';
import type { BillingInfo } from '#contracts/orders.ts';
import { t } from '#web/platform/i18n.ts';
import { showToast } from '#web/platform/toast.ts';
import { useOrder } from '#web/features/orders/queries.ts';
import { publicStatusOf } from '#web/features/orders/stages.ts';
import { useTrackedStatus } from './use-tracked-status.ts';

/** @param known what is known right after the payment was started; null when only the number is */
export function useFollowedOrder(billingNo: string, known: BillingInfo | null) {
  const [isChecking, setChecking] = useState(false);
  const followed = useOrder(billingNo, known);
  useTrackedStatus(followed.order);
  /** Asks now and says so when nothing has changed. */
  const checkNow = async () => {
    setChecking(true);
    const checked = await followed.check();
    setChecking(false);
    if (!checked) showToast(t('error.network'), 'bad');
    else if (publicStatusOf(checked) === 'pending') showToast(t('result.not_yet'));
  };
  return { ...followed, isChecking, checkNow };
}
