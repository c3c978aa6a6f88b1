// Unpaid orders that keep another one from being placed: each can be gone on with or cancelled from here.
import { useState } from 'react';
import type { BillingInfo } from '#contracts/orders.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { showMoment } from '#web/platform/moment.ts';
import { PopupSheet } from '#web/platform/popups/PopupSheet.tsx';
import { usePopup } from '#web/platform/popups/popups.tsx';
import { Button } from '#web/ui/controls/Button.tsx';
import { Money } from '#web/ui/figures/Money.tsx';
import { Note } from '#web/ui/Note.tsx';
import { Picture } from '#web/ui/pictures/Picture.tsx';
import { useCancelOrder } from '#web/features/orders/use-cancel-order.ts';
import { StageChip } from '#web/features/orders/history/StageChip.tsx';
import history from '#web/features/orders/history/history.module.css';
import styles from './open-orders.module.css';

export type OpenOrdersPopupProps = {
  orders: readonly BillingInfo[];
  /** The server's sentence: why nothing was ordered. */
  text: string;
  /** False where the shop has just tried to cancel the order, and could not. */
  isCancellable: boolean;
  onContinue: (billingNo: string) => void;
};

export function OpenOrdersPopup({ orders, text, isCancellable, onContinue }: OpenOrdersPopupProps) {
  useLanguage();
  const { close } = usePopup();
  const [changed, setChanged] = useState<readonly BillingInfo[]>([]);
  const shown = orders.map((one) => changed.find(({ billing_no }) => billing_no === one.billing_no) ?? one);
  const hasRoom = shown.some(({ stage }) => stage !== 'unpaid');
  const foot = (
    <Button isWide onClick={close}>
      {t('result.close')}
    </Button>
  );
  return (
    <PopupSheet title={t('open_orders.title')} foot={foot}>
      <div className={styles.stack}>
        <Note tone={hasRoom ? 'ok' : 'wait'}>
          <span>{hasRoom ? t('open_orders.room') : text}</span>
        </Note>
        <ul className={history.history}>
          {shown.map((order) => (
            <OpenOrder
              key={order.billing_no}
              order={order}
              onContinue={() => {
                close();
                onContinue(order.billing_no);
              }}
              onCancelled={isCancellable ? (now) => setChanged((before) => [...before, now]) : null}
            />
          ))}
        </ul>
      </div>
    </PopupSheet>
  );
}

type OpenOrderProps = {
  order: BillingInfo;
  onContinue: () => void;
  /** Null: it cannot be cancelled. */
  onCancelled: ((order: BillingInfo) => void) | null;
};

function OpenOrder({ order, onContinue, onCancelled }: OpenOrderProps) {
  const { cancel, isCancelling, refusal } = useCancelOrder(order.billing_no, (now) => onCancelled?.(now));
  const { closes_at: closesAt } = order;
  const isUnpaid = order.stage === 'unpaid';
  return (
    <li className={styles.card}>
      <div className={history.order}>
        <span className={history.art}>
          <Picture picture={order.picture} art={order.art} />
        </span>
        <b>
          <bdi>{order.product_name}</bdi>
        </b>
        <span className={history.price}>
          <Money text={order.price_shown} />
        </span>
        <span className={history.under}>
          <span className={history.small}>
            <bdi>{order.role_name}</bdi> · <span className={history.when}>{showMoment(order.created_at)}</span>
          </span>
          {!isUnpaid && (
            <span className={history.chip}>
              <StageChip order={order} />
            </span>
          )}
        </span>
      </div>
      {isUnpaid && closesAt && !refusal && (
        <p className={history.small}>{t('open_orders.closes', { time: showMoment(closesAt) })}</p>
      )}
      {refusal && <Note tone="wait">{refusal}</Note>}
      {isUnpaid && (
        <div className={styles.two}>
          {onCancelled && (
            <Button kind="quiet" isBusy={isCancelling} onClick={cancel}>
              {t('result.cancel_order')}
            </Button>
          )}
          <Button onClick={onContinue}>{t('receipt.open_order')}</Button>
        </div>
      )}
    </li>
  );
}
