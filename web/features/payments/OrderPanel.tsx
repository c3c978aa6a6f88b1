// The order on desktop: a panel beside the goods.
import type { ReactNode } from 'react';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { useUser } from '#web/platform/visitor/session.ts';
import { type OrderView, SummaryLines } from './OrderSummary.tsx';
import styles from './payments.module.css';

export type OrderPanelProps = {
  order: OrderView;
  /** The chosen goods, above the lines of the order, and the payment, below them; null while nothing is chosen. */
  chosen: { product: ReactNode; payment: ReactNode } | null;
};

export function OrderPanel({ order, chosen }: OrderPanelProps) {
  useLanguage();
  const user = useUser();
  return (
    <section className={styles.panel} aria-labelledby="order-panel" data-order-panel="">
      <h2 className="voice" id="order-panel">
        {t('order.title')}
      </h2>
      {chosen ? chosen.product : <p className={styles.nothing}>{t('order.nothing')}</p>}
      <SummaryLines order={order} hasReceiver={!chosen?.payment || !user} />
      {chosen?.payment}
    </section>
  );
}
