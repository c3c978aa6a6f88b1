// Offers an order that is not finished yet.
import type { BillingInfo } from '#contracts/orders.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { Button } from '#web/ui/Button.tsx';
import { Note } from '#web/ui/Note.tsx';
import styles from './orders.module.css';

export type UnfinishedNoteProps = { order: BillingInfo; onShow: () => void; onHide: () => void };

export function UnfinishedNote({ order, onShow, onHide }: UnfinishedNoteProps) {
  useLanguage();
  return (
    <div className={styles.unfinished}>
      <Note tone="wait">
        <p>
          {t('result.unfinished')} <bdi>{order.product_name}</bdi>
        </p>
        <div className={styles.row}>
          <Button onClick={onShow}>{t('result.unfinished_show')}</Button>
          <Button kind="quiet" onClick={onHide}>
            {t('result.unfinished_hide')}
          </Button>
        </div>
      </Note>
    </div>
  );
}
