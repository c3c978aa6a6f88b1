// An order as its result shows it, on the popup and on the classic page: polled until nothing more happens to it by
// itself, told to the tracking, and asked for again by hand.
import { useEffect, useEffectEvent, useState } from 'react';
import type { BillingInfo } from '#contracts/orders.ts';
import { t } from '#web/platform/i18n.ts';
import { showToast } from '#web/platform/toast.ts';
import { useCancelOrder } from '#web/features/orders/use-cancel-order.ts';
import { useOrder } from '#web/features/orders/queries.ts';
import { type PublicStatus, publicStatusOf, waitingOf } from '#web/features/orders/stages.ts';
import { useTrackedStatus } from './use-tracked-status.ts';

/** These can still be paid, or be tried anew. */
const TO_BE_PAID: ReadonlySet<PublicStatus> = new Set(['pending', 'declined', 'fail']);

/**
 * @param known what is known right after the payment was started; null when only the number is
 * @param onPaid once the order is no longer one to be paid: what was chosen for it is bought
 */
export function useFollowedOrder(billingNo: string, known: BillingInfo | null, onPaid?: (order: BillingInfo) => void) {
  const [isChecking, setChecking] = useState(false);
  const [said, setSaid] = useState('');
  const [wentAt, setWentAt] = useState(0);
  const followed = useOrder(billingNo, known);
  const { order, isAnswered } = followed;
  const cancelling = useCancelOrder(billingNo, followed.put);
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
    setSaid('');
    const checked = await followed.check();
    setChecking(false);
    const isWaiting = checked !== null && publicStatusOf(checked) === 'pending';
    const words = checked === null ? t('network.failed') : isWaiting ? t('result.not_yet') : '';
    showToast(words, checked === null ? 'bad' : 'plain');
    setSaid(words);
  };
  return {
    ...followed,
    ...cancelling,
    isChecking,
    checkNow,
    /** Beside the buttons: what the last press came to. Empty for nothing. */
    said: cancelling.refusal || said,
    waiting: order ? waitingOf(order, isAnswered, wentAt) : 'starting',
    /** A press on the way to the provider's page: having left it before is no news any more. */
    noteGoing: () => setWentAt(order?.left_at ?? 0),
  };
}
