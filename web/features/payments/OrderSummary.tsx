// Shows an order and its receiver: the lines that panel and popup share.
import type { ReactNode } from 'react';
import type { BundleOffer } from '#contracts/catalogue.ts';
import type { Picture } from '#contracts/pictures.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { useUser } from '#web/platform/visitor/session.ts';
import styles from './payments.module.css';

export type OrderProduct = {
  title: string;
  /** The bonus that comes with it, or a word about it. */
  gift: string;
  /** All that is in a bundle, in the place of `gift`. */
  parts?: BundleOffer['parts'] | undefined;
  /** The bonus of a first purchase, empty for none. */
  first?: string;
  art: string;
  picture?: Picture | undefined;
};

/** An order as it is read. Every amount comes from the server as shown text, nothing is computed here. */
export type OrderView = {
  product: OrderProduct | null;
  game: string;
  character: string;
  server: string;
  /** The pay button says this. */
  price: string;
  /** The price before a reduction or coupon, empty when there is none. */
  listPrice: string;
  /** Lists the discounts of coupon, offer and promo code; the amount is empty where only the price says it. */
  reductions?: readonly { kind: 'coupon' | 'offer' | 'promo'; off: string }[];
  /** Nothing is delivered to a character: a make-up payment. */
  isForAccount?: boolean;
};

type OrderLine = { key: string; name: string; value: ReactNode };

/** @param hasReceiver false where the lines above the button say already who receives it */
export function SummaryLines({ order, hasReceiver = true }: { order: OrderView; hasReceiver?: boolean }) {
  useLanguage();
  const lines: (OrderLine | false)[] = [
    { key: 'game', name: t('order.game'), value: <bdi>{order.game}</bdi> },
    hasReceiver && { key: 'character', name: t('order.character'), value: <Receiver order={order} /> },
  ];
  return <Lines lines={lines.filter((line) => line !== false)} />;
}

/**
 * Right above the button that pays: whose account pays, and who receives it. A link may have opened
 * the shop as somebody else, and this is where a player sees it.
 */
export function PayerLines({ order }: { order: OrderView }) {
  useLanguage();
  const user = useUser();
  if (!user) return null;
  const lines: (OrderLine | false)[] = [
    { key: 'account', name: t('order.account'), value: <bdi>{user.username}</bdi> },
    !order.isForAccount && {
      key: 'character',
      name: t('order.character'),
      value: <Receiver order={order} />,
    },
  ];
  return (
    <div data-payer="">
      <Lines lines={lines.filter((line) => line !== false)} />
    </div>
  );
}

/** Apart from each other: a name may be written the other way than the name of its server. */
export function Receiver({ order: { character, server } }: { order: OrderView }) {
  return (
    <>
      <bdi>{character || server || t('order.not_chosen')}</bdi>
      {character && server && <i>{' · '}</i>}
      {character && <bdi>{server}</bdi>}
    </>
  );
}

function Lines({ lines }: { lines: readonly OrderLine[] }) {
  return (
    <dl className={styles.sum}>
      {lines.map(({ key, name, value }) => (
        <div key={key}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
