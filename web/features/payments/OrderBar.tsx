// The order on phones: one row above the navigation, with the price on the button.
import { t, useLanguage } from '#web/platform/i18n.ts';
import { Art } from '#web/ui/Art.tsx';
import { Button } from '#web/ui/Button.tsx';
import { MoneyIn } from '#web/ui/MoneyIn.tsx';
import type { OrderView } from './OrderSummary.tsx';
import styles from './payments.module.css';

export function OrderBar({ order, onPay }: { order: OrderView; onPay: () => void }) {
  useLanguage();
  if (!order.product) return null;
  return (
    <section className={styles.bar} aria-label={t('order.title')}>
      <span className={styles.barArt} data-order-art="">
        <Art name={order.product.art} />
      </span>
      <span className={styles.barWhat}>
        <b>
          <bdi>{order.product.title}</bdi>
        </b>
        <span>
          <bdi>{order.character || t('receiver.choose')}</bdi>
          {order.method && ` · ${order.method}`}
        </span>
      </span>
      <Button kind="pay" onClick={onPay}>
        <MoneyIn text={t('recharge.pay', { price: order.price })} money={order.price} />
      </Button>
    </section>
  );
}
