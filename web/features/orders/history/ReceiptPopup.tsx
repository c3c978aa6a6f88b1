// The receipt of one order as a popup; an unpaid one can be gone on with from here.
import type { BillingInfo } from '#contracts/orders.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { PopupSheet } from '#web/platform/popups/PopupSheet.tsx';
import { usePopup } from '#web/platform/popups/popups.tsx';
import { Button } from '#web/ui/controls/Button.tsx';
import { Note } from '#web/ui/Note.tsx';
import { useCancelOrder } from '#web/features/orders/use-cancel-order.ts';
import { isFinal } from '#web/features/orders/stages.ts';
import { Receipt } from './Receipt.tsx';
import styles from './history.module.css';

export type ReceiptPopupProps = { order: BillingInfo; onContinue: (billingNo: string) => void };

export function ReceiptPopup({ order, onContinue }: ReceiptPopupProps) {
  useLanguage();
  const { close } = usePopup();
  const isReview = order.stage === 'review';
  const { cancel, isCancelling, refusal } = useCancelOrder(order.billing_no, close);
  const goOn = (
    <Button
      // No invitation to pay: an order in review must not be paid again.
      kind={isReview ? 'plain' : 'pay'}
      isWide
      onClick={() => {
        close();
        onContinue(order.billing_no);
      }}
    >
      {t(isReview ? 'result.unfinished_show' : 'receipt.open_order')}
    </Button>
  );
  const foot = isFinal(order.stage) ? null : order.stage === 'unpaid' ? (
    <div className={styles.foot}>
      {refusal && <Note tone="wait">{refusal}</Note>}
      <Button kind="quiet" isWide isBusy={isCancelling} onClick={cancel}>
        {t('result.cancel_order')}
      </Button>
      {goOn}
    </div>
  ) : (
    goOn
  );
  return (
    <PopupSheet title={t('receipt.title')} foot={foot}>
      <Receipt order={order} />
    </PopupSheet>
  );
}
