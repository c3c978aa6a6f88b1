// What is ordered, for whom, how it is paid and what it costs: the parts that bar, panel and popup share.
import { t, useLanguage } from '#web/platform/i18n.ts';
import { Art } from '#web/ui/Art.tsx';
import { Money } from '#web/ui/Money.tsx';
import styles from './payments.module.css';

/** An order as it is read. Every amount comes from the server as shown text, nothing is computed here. */
export type OrderView = {
  product: { title: string; gift: string; art: string } | null;
  game: string;
  character: string;
  server: string;
  method: string;
  /** What the pay button says. */
  price: string;
  /** The price before a reduction or coupon, empty when there is none. */
  listPrice: string;
  /** "−$1.80", empty without a coupon. */
  couponOff: string;
};

export function ProductBlock({ product }: Pick<OrderView, 'product'>) {
  if (!product) return null;
  return (
    <div className={styles.buy} data-order-art="">
      <Art name={product.art} />
      <span>
        <b>
          <bdi>{product.title}</bdi>
        </b>
        {product.gift && (
          <span className={styles.gift}>
            <bdi>{product.gift}</bdi>
          </span>
        )}
      </span>
    </div>
  );
}

export function SummaryLines({ order, hasMethod = false }: { order: OrderView; hasMethod?: boolean }) {
  useLanguage();
  return (
    <dl className={styles.sum}>
      <Line name={t('order.game')} value={order.game} />
      <Line
        name={t('order.character')}
        value={[order.character, order.server].filter(Boolean).join(' · ') || t('order.not_chosen')}
      />
      {hasMethod && <Line name={t('order.method')} value={order.method || t('order.not_chosen')} />}
      {order.couponOff && (
        <div>
          <dt>{t('order.coupon')}</dt>
          <dd className={styles.off}>
            <Money text={order.couponOff} />
          </dd>
        </div>
      )}
    </dl>
  );
}

function Line({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <bdi>{value}</bdi>
      </dd>
    </div>
  );
}

export function TotalLine({ order }: { order: OrderView }) {
  useLanguage();
  return (
    <div className={styles.total}>
      <span>{t('order.total')}</span>
      <span>
        {order.listPrice && (
          <s>
            <span className="vh">{t('goods.was')} </span>
            <Money text={order.listPrice} />
          </s>
        )}
        <b>
          <Money text={order.price} />
        </b>
      </span>
    </div>
  );
}
