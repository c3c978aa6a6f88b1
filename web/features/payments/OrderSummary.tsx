// What an order is, and for whom: the lines that panel and popup share.
import type { Picture } from '#contracts/pictures.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { useUser } from '#web/platform/session.ts';
import { Money } from '#web/ui/Money.tsx';
import styles from './payments.module.css';

/** An order as it is read. Every amount comes from the server as shown text, nothing is computed here. */
export type OrderView = {
  product: { title: string; gift: string; art: string; picture?: Picture | undefined } | null;
  game: string;
  character: string;
  server: string;
  /** What the pay button says. */
  price: string;
  /** The price before a reduction or coupon, empty when there is none. */
  listPrice: string;
  /** "−$1.80", empty without a coupon. */
  couponOff: string;
};

export function SummaryLines({ order }: { order: OrderView }) {
  useLanguage();
  return (
    <dl className={styles.sum}>
      <Line name={t('order.game')} value={order.game} />
      <Line name={t('order.character')} value={receiverOf(order)} />
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

/**
 * Right above the button that pays: whose account pays, and who receives it. A link may have opened the shop as somebody else, and
 * this is where a player sees it.
 */
export function PayerLines({ order }: { order: OrderView }) {
  useLanguage();
  const user = useUser();
  if (!user) return null;
  return (
    <dl className={styles.sum} data-payer="">
      <Line name={t('order.account')} value={user.username} />
      <Line name={t('order.character')} value={receiverOf(order)} />
    </dl>
  );
}

const receiverOf = ({ character, server }: OrderView): string =>
  [character, server].filter(Boolean).join(' · ') || t('order.not_chosen');

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
