// Everything about one order, to read and to quote.
import type { BillingInfo } from '#contracts/orders.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { showMoment } from '#web/platform/moment.ts';
import { Picture } from '#web/ui/pictures/Picture.tsx';
import { Note } from '#web/ui/Note.tsx';
import { Money } from '#web/ui/figures/Money.tsx';
import { Signed } from '#web/ui/figures/Signed.tsx';
import { DeliveryLine } from '#web/features/orders/DeliveryLine.tsx';
import { OrderNumber } from '#web/features/orders/OrderNumber.tsx';
import { tellReview } from '#web/features/orders/review.ts';
import shared from '#web/features/orders/orders.module.css';
import { StageChip } from './StageChip.tsx';
import { HelpLine } from './HelpLine.tsx';
import styles from './history.module.css';

const MOMENTS = [
  ['receipt.placed', 'created_at'],
  ['receipt.paid', 'paid_at'],
  ['receipt.delivered', 'delivered_at'],
  ['receipt.refunded', 'refunded_at'],
] as const;

export function Receipt({ order }: { order: BillingInfo }) {
  useLanguage();
  const review = order.stage === 'review' ? tellReview(order.review_kind) : null;
  return (
    <div className={styles.stack}>
      <div className={styles.top}>
        <Picture picture={order.picture} art={order.art} isEager />
        <b>
          <bdi>{order.product_name}</bdi>
        </b>
        <span className={styles.big}>
          <Money text={order.price_shown} />
        </span>
        <StageChip order={order} />
      </div>
      {review && <Note tone="wait">{review.text}</Note>}
      <DeliveryLine order={order} />
      <dl className={shared.sum}>
        <Row name={t('receipt.character')}>
          <bdi>{order.role_name}</bdi> · <bdi>{order.game_server_name}</bdi>
        </Row>
        <Row name={t('receipt.game')}>
          <bdi>{order.game_name}</bdi>
        </Row>
        <Row name={t('receipt.account')}>
          <bdi>{order.user_name}</bdi>
        </Row>
        {order.content ? (
          <Row name={t('goods.inside')}>
            <bdi>{order.content}</bdi>
          </Row>
        ) : (
          order.bonus && (
            <Row name={t('receipt.bonus')}>
              <Signed text={order.bonus} />
            </Row>
          )
        )}
        {order.first_bonus && (
          <Row name={t('order.first_bonus')}>
            <Signed text={order.first_bonus} />
          </Row>
        )}
        {order.reduction && (
          <Row name={t(order.reduction.kind === 'offer' ? 'offer.title' : 'order.coupon')}>
            <bdi>{order.reduction.name || t('offer.personal')}</bdi>
          </Row>
        )}
        {order.promo_code && (
          <Row name={t('promo.title')}>
            <bdi dir="ltr">{order.promo_code}</bdi>
          </Row>
        )}
        {order.off_shown && (
          <Row name={t('order.discount')}>
            <Money text={`−${order.off_shown}`} />
          </Row>
        )}
        <Row name={t('receipt.method')}>{order.channel_name}</Row>
        {MOMENTS.filter(([, key]) => order[key] > 0).map(([name, key]) => (
          <Row name={t(name)} key={key}>
            {showMoment(order[key])}
          </Row>
        ))}
      </dl>
      <OrderNumber billingNo={order.billing_no} />
      {review ? <p className={styles.small}>{review.ask}</p> : <HelpLine />}
    </div>
  );
}

function Row({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
