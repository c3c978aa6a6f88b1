// Shows the chosen goods and their price: the parts that panel and popup share once something is chosen.
import { listIn } from '#kernel/languages.ts';
import { countIn, currentLanguage, t, useLanguage } from '#web/platform/i18n.ts';
import { Picture } from '#web/ui/pictures/Picture.tsx';
import { Money } from '#web/ui/figures/Money.tsx';
import { Signed } from '#web/ui/figures/Signed.tsx';
import type { OrderProduct, OrderView } from './OrderSummary.tsx';
import styles from './payments.module.css';

export function ProductBlock({ product }: Pick<OrderView, 'product'>) {
  useLanguage();
  if (!product) return null;
  const gift = product.parts ? nameOfParts(product.parts) : product.gift;
  return (
    <div className={styles.buy} data-order-art="">
      <Picture picture={product.picture} art={product.art} isEager />
      <span>
        <b>
          <bdi>{product.title}</bdi>
        </b>
        {gift && (
          <span className={styles.gift}>
            <Signed text={gift} />
          </span>
        )}
        {product.first && (
          <span className={styles.first} data-first="">
            {t('order.first_bonus')}: <Signed text={product.first} />
          </span>
        )}
      </span>
    </div>
  );
}

/** "1,000 Crystals, 20 Keys" */
function nameOfParts(parts: NonNullable<OrderProduct['parts']>): string {
  return listIn(
    currentLanguage(),
    parts.map(({ count, name }) => `${countIn(count)} ${name}`),
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
