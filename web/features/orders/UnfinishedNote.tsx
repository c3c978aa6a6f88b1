// Offers an order that is not finished yet. Loaded after the first picture, for players who are logged in.
import { t, useLanguage } from '#web/platform/i18n.ts';
import { Button } from '#web/ui/Button.tsx';
import { Note } from '#web/ui/Note.tsx';
import styles from './orders.module.css';
import { useUnfinished } from './use-unfinished.ts';

export function UnfinishedNote({ onShow }: { onShow: (billingNo: string) => void }) {
  useLanguage();
  const { order, hide } = useUnfinished();
  if (!order) return null;
  return (
    <div className={styles.unfinished}>
      <Note tone="wait">
        <p>
          {t('result.unfinished')} <bdi>{order.product_name}</bdi>
        </p>
        <div className={styles.row}>
          <Button
            onClick={() => {
              hide();
              onShow(order.billing_no);
            }}
          >
            {t('result.unfinished_show')}
          </Button>
          <Button kind="quiet" onClick={hide}>
            {t('result.unfinished_hide')}
          </Button>
        </div>
      </Note>
    </div>
  );
}
