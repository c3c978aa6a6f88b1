// One order of the history: art, product, price, where it stands. A press opens its receipt.
import type { BillingInfo } from '#contracts/orders.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { showMoment } from '#web/platform/moment.ts';
import { Picture } from '#web/ui/pictures/Picture.tsx';
import { Money } from '#web/ui/figures/Money.tsx';
import { DeliveryLine } from '#web/features/orders/DeliveryLine.tsx';
import { isFinal } from '#web/features/orders/stages.ts';
import { StageChip } from './StageChip.tsx';
import styles from './history.module.css';

export function OrderCard({ order, onOpen }: { order: BillingInfo; onOpen: (order: BillingInfo) => void }) {
  useLanguage();
  return (
    <li className={styles.card}>
      <button type="button" className={styles.open} aria-haspopup="dialog" onClick={() => onOpen(order)}>
        <span className="vh">{t('receipt.title')}</span>
        <span className={styles.order}>
          <span className={styles.art}>
            <Picture picture={order.picture} art={order.art} />
          </span>
          <b>
            <bdi>{order.product_name}</bdi>
          </b>
          <span className={styles.price}>
            <Money text={order.price_shown} />
          </span>
          <span className={styles.under}>
            <span className={styles.small}>
              <bdi>{order.role_name}</bdi> · <span className={styles.when}>{showMoment(order.created_at)}</span>
            </span>
            <span className={styles.chip}>
              <StageChip order={order} />
            </span>
          </span>
        </span>
      </button>
      {!isFinal(order.stage) && <DeliveryLine order={order} />}
    </li>
  );
}
