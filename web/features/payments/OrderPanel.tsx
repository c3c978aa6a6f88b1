// The order on desktop: a panel beside the goods, with the channels in it.
import type { ReactNode } from 'react';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { Button } from '#web/ui/Button.tsx';
import { MoneyIn } from '#web/ui/MoneyIn.tsx';
import { type OrderView, ProductBlock, SummaryLines, TotalLine } from './OrderSummary.tsx';
import styles from './payments.module.css';

/** `channels` is the list of ways to pay, its skeleton or its message. */
export function OrderPanel({ order, channels, onPay }: { order: OrderView; channels: ReactNode; onPay: () => void }) {
  useLanguage();
  return (
    <section className={styles.panel} aria-labelledby="order-panel">
      <h2 className="voice" id="order-panel">
        {t('order.title')}
      </h2>
      {order.product ? (
        <ProductBlock product={order.product} />
      ) : (
        <p className={styles.nothing}>{t('order.nothing')}</p>
      )}
      <SummaryLines order={order} />
      {order.product && <div className={styles.scroll}>{channels}</div>}
      {order.product && <TotalLine order={order} />}
      {order.product && (
        <Button kind="pay" isWide onClick={onPay}>
          <MoneyIn text={t('recharge.pay', { price: order.price })} money={order.price} />
        </Button>
      )}
    </section>
  );
}
