// Offers an order that is not finished yet, or that arrived while nobody looked. Loaded after the first picture,
// for players who are logged in.
import { useEffect } from 'react';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { track } from '#web/platform/visitor/track.ts';
import { Button } from '#web/ui/controls/Button.tsx';
import { Note } from '#web/ui/Note.tsx';
import { tellReview } from '#web/features/orders/review.ts';
import styles from './unfinished.module.css';
import { useUnfinished } from './use-unfinished.ts';

export function UnfinishedNote({ onShow }: { onShow: (billingNo: string) => void }) {
  useLanguage();
  const { order, hide } = useUnfinished();
  const productId = order?.product_id;
  useEffect(() => {
    if (productId !== undefined) track('unfinished_show', { product_id: productId });
  }, [productId]);
  if (!order) return null;
  const isHere = order.stage === 'delivered';
  const review = order.stage === 'review' ? `${tellReview(order.review_kind).title} ·` : null;
  const words = review ?? t(isHere ? 'result.success_text' : 'result.unfinished');
  return (
    <div className={styles.unfinished}>
      <Note tone={isHere ? 'ok' : 'wait'}>
        <p>
          {words} <bdi>{order.product_name}</bdi>
        </p>
        <div className={styles.row}>
          <Button
            onClick={() => {
              track('unfinished_open', { product_id: order.product_id });
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
