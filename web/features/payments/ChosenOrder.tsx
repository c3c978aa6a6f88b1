// The order once something is chosen: the row above the navigation on phones, the parts of the panel
// on desktop. Loaded after the first picture, with the methods and their rules.
import { t, useLanguage } from '#web/platform/i18n.ts';
import { Picture } from '#web/ui/pictures/Picture.tsx';
import { Button } from '#web/ui/controls/Button.tsx';
import { Money } from '#web/ui/figures/Money.tsx';
import { MoneyIn } from '#web/ui/figures/MoneyIn.tsx';
import { CheckoutFoot, CheckoutMethods } from './checkout/CheckoutParts.tsx';
import { type CheckoutInput, useCheckout } from './checkout/use-checkout.ts';
import { nameOfChoice, useMethods } from './methods/use-methods.ts';
import { useNotedPanel } from './open.ts';
import { ProductBlock } from './OrderBlocks.tsx';
import type { OrderView } from './OrderSummary.tsx';
import type { ChannelPlace } from './queries.ts';
import { useRoomBelow } from './use-room-below.ts';
import styles from './payments.module.css';

export { ProductBlock };

export type OrderBarProps = {
  order: OrderView;
  place: ChannelPlace;
  onPay: () => void;
  /** The button says this while something is missing before it. */
  missing?: string | undefined;
};

/** On phones: one row, with the price on the button. */
export function OrderBar({ order, place, onPay, missing }: OrderBarProps) {
  useLanguage();
  const method = nameOfChoice(useMethods(place).choice);
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
          {method && (
            <i>
              {' · '}
              <bdi>{method}</bdi>
            </i>
          )}
        </span>
        {order.listPrice && <Reduced order={order} />}
      </span>
      <Button kind="pay" aria-disabled={missing !== undefined || undefined} onClick={onPay}>
        <MoneyIn text={missing ?? t('recharge.pay', { price: order.price })} money={order.price} />
      </Button>
    </section>
  );
}

const REDUCTIONS = { coupon: 'order.coupon', offer: 'offer.title', promo: 'promo.title' } as const;

/** The price before, and what took it down: the card in the page may say another one than the button. */
function Reduced({ order: { listPrice, reductions = [] } }: Pick<OrderBarProps, 'order'>) {
  return (
    <span data-reduced="">
      <s>
        <span className="vh">{t('goods.was')} </span>
        <Money text={listPrice} />
      </s>
      {reductions.map(({ kind, off }) => (
        <i key={kind}>
          {' · '}
          <bdi>{t(REDUCTIONS[kind])}</bdi>
          {off && (
            <>
              {' '}
              <Money text={`−${off}`} />
            </>
          )}
        </i>
      ))}
    </span>
  );
}

/** On desktop the panel is the sheet: methods, who pays and receives, the total, and the button that pays at once. */
export function PanelPayment(props: CheckoutInput) {
  const checkout = useCheckout(props);
  useRoomBelow('[data-order-panel]');
  useNotedPanel(props.target);
  return (
    <>
      <CheckoutMethods checkout={checkout} />
      <CheckoutFoot checkout={checkout} />
    </>
  );
}
