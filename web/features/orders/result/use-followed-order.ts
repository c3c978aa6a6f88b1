// An order as its result shows it, on the popup and on the classic page: polled until nothing more happens to it by
// itself, told to the tracking, and asked for again by hand.
import { useEffect, useEffectEvent, useState } from 'react';
import type { BillingInfo } from '#contracts/orders.ts';
import { t } from '#web/platform/i18n.ts';
import { showToast } from '#web/platform/toast.ts';
import { useOrder } from '#web/features/orders/queries.ts';
import { type PublicStatus, publicStatusOf } from '#web/features/orders/stages.ts';
import { useTrackedStatus } from './use-tracked-status.ts';

/** What can still be paid, or be tried anew. */
const TO_BE_PAID: ReadonlySet<PublicStatus> = new Set(['pending', 'declined', 'fail']);

/**
 * @param known what is known right after the payment was started; null when only the number is
 * @param onPaid once the order is no longer one to be paid: what was chosen for it is bought
 */
export function useFollowedOrder(billingNo: string, known: BillingInfo | null, onPaid?: (order: BillingInfo) => void) {
  const [isChecking, setChecking] = useState(false);
  const followed = useOrder(billingNo, known);
  const { order } = followed;
  useTrackedStatus(order);
  const isPaid = order !== null && !TO_BE_PAID.has(publicStatusOf(order));
  const tellPaid = useEffectEvent(() => {
    if (order) onPaid?.(order);
  });
  useEffect(() => {
    if (isPaid) tellPaid();
  }, [isPaid]);
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
