// The order once something is chosen: the row above the navigation on phones, the parts of the panel on desktop. Loaded after the
// first picture, with the channels and their rules.
import { t, useLanguage } from '#web/platform/i18n.ts';
import { Picture } from '#web/ui/Picture.tsx';
import { Button } from '#web/ui/Button.tsx';
import { MoneyIn } from '#web/ui/MoneyIn.tsx';
import { Channels } from './Channels.tsx';
import { CountryLine } from './CountryLine.tsx';
import { ProductBlock, TotalLine } from './OrderBlocks.tsx';
import type { OrderView } from './OrderSummary.tsx';
import { type ChannelPlace, useChosenName } from './queries.ts';
import styles from './payments.module.css';

export { ProductBlock };

export type ChosenOrderProps = { order: OrderView; place: ChannelPlace; onPay: () => void };

/** On phones: one row, with the price on the button. */
export function OrderBar({ order, place, onPay }: ChosenOrderProps) {
  useLanguage();
  const method = useChosenName(place);
  if (!order.product) return null;
  return (
    <section className={styles.bar} aria-label={t('order.title')}>
      <span className={styles.barArt} data-order-art="">
        <Picture picture={order.product.picture} art={order.product.art} isEager />
      </span>
      <span className={styles.barWhat}>
        <b>
          <bdi>{order.product.title}</bdi>
        </b>
        <span>
          <bdi>{order.character || t('receiver.choose')}</bdi>
          {method && ` · ${method}`}
        </span>
      </span>
      <PayButton order={order} onPay={onPay} />
    </section>
  );
}

/** On desktop: the ways to pay, the total and the button, under the lines of the order. */
export function PanelPayment({ order, place, onPay }: ChosenOrderProps) {
  return (
    <>
      <CountryLine />
      <div className={styles.scroll}>
        <Channels name="panel-way" place={place} hasCoupon={false} />
      </div>
      <TotalLine order={order} />
      <PayButton order={order} isWide onPay={onPay} />
    </>
  );
}

type PayButtonProps = { order: OrderView; isWide?: boolean; onPay: () => void };

function PayButton({ order, isWide = false, onPay }: PayButtonProps) {
  useLanguage();
  return (
    <Button kind="pay" isWide={isWide} onClick={onPay}>
      <MoneyIn text={t('recharge.pay', { price: order.price })} money={order.price} />
    </Button>
  );
}
