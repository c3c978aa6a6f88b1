// The public status of an order as its result says it, without the buttons under it.
import { useState } from 'react';
import type { BillingInfo } from '#contracts/orders.ts';
import { currentLanguage, t, useLanguage } from '#web/platform/i18n.ts';
import { showMoment } from '#web/platform/moment.ts';
import { Icon } from '#web/ui/pictures/Icon.tsx';
import { Money } from '#web/ui/figures/Money.tsx';
import { Signed } from '#web/ui/figures/Signed.tsx';
import { DeliveryLine } from '#web/features/orders/DeliveryLine.tsx';
import { OrderNumber } from '#web/features/orders/OrderNumber.tsx';
import { tellReview } from '#web/features/orders/review.ts';
import {
  type Begun,
  type PublicStatus,
  publicStatusOf,
  type Tone,
  toneOf,
  type Waiting,
} from '#web/features/orders/stages.ts';
import { Box } from '#web/features/orders/celebration/Box.tsx';
import { Celebration } from '#web/features/orders/celebration/Celebration.tsx';
import { showSeconds, showTaken } from '#web/features/orders/clock.ts';
import shared from '#web/features/orders/orders.module.css';
import styles from './result.module.css';

type Words = {
  tone: Tone;
  icon: 'clock' | 'check' | 'close' | 'refresh';
  title: string;
  text: string;
  /** How to get help, where the order waits for a person. */
  ask?: string;
};

/** Title, text and colour; texts of failed orders follow the stage. */
function tellStatus(
  publicStatus: PublicStatus,
  order: BillingInfo,
  { begun, waiting }: Pick<ResultStatusProps, 'begun' | 'waiting'>,
  wasDeclined: boolean,
): Words {
  if (order.replenish_id) {
    const words = tellReplenish(publicStatus, order);
    if (words) return words;
  }
  switch (publicStatus) {
    case 'pending':
      if (waiting === 'noPage')
        return { tone: 'bad', icon: 'close', title: t('result.no_page_title'), text: t('result.no_page_text') };
      if (waiting === 'left')
        return { tone: 'wait', icon: 'clock', title: t('result.left_title'), text: t('result.left_text') };
      return begun === 'earlier'
        ? {
            tone: 'wait',
            icon: 'clock',
            title: t('result.begun_title'),
            text: t('result.begun_text', { time: showMoment(order.created_at) }),
          }
        : { tone: 'wait', icon: 'clock', title: t('result.pending_title'), text: t('result.pending_text') };
    case 'delivering':
      return { tone: 'wait', icon: 'clock', title: t('result.delivering_title'), text: t('result.delivering_text') };
    case 'review': {
      const tone = toneOf(order);
      return { tone, icon: tone === 'bad' ? 'close' : 'clock', ...tellReview(order.review_kind) };
    }
    case 'success':
      return {
        tone: 'ok',
        icon: 'check',
        title: t('result.success_title', { product: order.product_name, character: order.role_name }),
        text: t('result.success_text'),
      };
    case 'refund': {
      const isDone = order.stage === 'refunded';
      const title = t(isDone ? 'result.refunded_title' : 'result.refunding_title');
      const how = t(isDone ? 'result.refunded_text' : 'result.refund_text');
      const why = tellRefund(order);
      return { tone: 'plain', icon: 'refresh', title, ...(why ? { text: why, ask: how } : { text: how }) };
    }
    case 'declined':
      // No news: who is about to try again would take it for the answer.
      if (wasDeclined)
        return { tone: 'wait', icon: 'clock', title: t('order.stage_unpaid'), text: t('result.declined_text') };
      return { tone: 'bad', icon: 'close', title: t('result.declined_title'), text: t('result.declined_text') };
    case 'fail': {
      if (order.stage === 'cancelled')
        return { tone: 'plain', icon: 'close', title: t('result.cancelled_title'), text: t('result.cancelled_text') };
      const text = t(order.stage === 'expired' ? 'result.expired_text' : 'result.fail_text');
      return { tone: 'bad', icon: 'close', title: t('result.recharge_fail'), text };
    }
  }
}

/** Why the money goes back; empty where that is nobody's to say here. */
function tellRefund({ refund_kind: kind, role_name: character }: BillingInfo): string {
  if (kind === 'game_declined' && character) return t('result.refund_declined', { character: isolate(character) });
  return kind === 'too_late' ? t('result.refund_late') : '';
}

/** A make-up payment hands nothing over: the account is unblocked. Null: as any order. */
function tellReplenish(publicStatus: PublicStatus, order: BillingInfo): Words | null {
  if (publicStatus === 'delivering')
    return { tone: 'wait', icon: 'clock', title: t('replenish.paid_title'), text: t('replenish.paid_text') };
  if (publicStatus !== 'success') return null;
  const text = t('replenish.unblocked_text', { time: showMoment(order.delivered_at) });
  return { tone: 'ok', icon: 'check', title: t('replenish.unblocked_title'), text };
}

export type ResultStatusProps = { order: BillingInfo; begun: Begun; waiting: Waiting };

export function ResultStatus({ order, begun, waiting }: ResultStatusProps) {
  useLanguage();
  const publicStatus = publicStatusOf(order);
  // Seen to wait, or back from paying: the delivery is news. An order looked up later is a picture.
  const [isFresh] = useState(publicStatus !== 'success' || begun === 'back');
  const [wasDeclined] = useState(publicStatus === 'declined' && begun !== 'back');
  const words = tellStatus(publicStatus, order, { begun, waiting }, wasDeclined);
  const isReview = publicStatus === 'review';
  const number = (
    <div className={styles.number}>
      <OrderNumber billingNo={order.billing_no} />
    </div>
  );
  const ring = (
    <span className={styles.ring}>
      <Icon name={words.icon} />
    </span>
  );
  return (
    <>
      {/* The live part: a reader hears when waiting turns into done. */}
      <div className={styles.status} data-tone={words.tone} role="status">
        {order.replenish_id ? (
          ring
        ) : publicStatus === 'success' ? (
          <Celebration order={order} isLive={isFresh} />
        ) : publicStatus === 'delivering' ? (
          <span className={styles.waiting}>
            <Box />
          </span>
        ) : (
          ring
        )}
        <h2 className="voice">{words.title}</h2>
        {publicStatus === 'success' && !order.replenish_id && <p>{tellArrival(order)}</p>}
        <p className={shared.muted}>{words.text}</p>
        {words.ask && <p className={shared.muted}>{words.ask}</p>}
      </div>
      {/* Asked for in review: in sight above the buttons. */}
      {isReview && number}
      {publicStatus === 'pending' && (waiting === 'payment' || waiting === 'left') && (
        <Hints begun={waiting === 'left' ? 'back' : begun} />
      )}
      <OrderBox order={order} />
      {!isReview && number}
    </>
  );
}

/** A name of another script stays whole in the sentence: U+2068 and U+2069 isolate it, as `bdi` does in HTML. */
function isolate(name: string): string {
  return `\u2068${name}\u2069`;
}

/** "In Kestrel's bag on S1 at 16:07:12, 2.8 s after you paid". */
function tellArrival(order: BillingInfo): string {
  const { role_name: character, game_server_name: server, paid_at: paidAt, delivered_at: deliveredAt } = order;
  const where = { character: isolate(character), server: isolate(server), time: showSeconds(deliveredAt) };
  const seconds = showTaken(paidAt, deliveredAt, currentLanguage());
  return seconds === null ? t('result.arrived', where) : t('result.arrived_in', { ...where, seconds });
}

/** The first two say only what has happened. @source specification section 4, "Pending: three hints" */
function Hints({ begun }: { begun: Begun }) {
  const isOpen = begun === 'window';
  return (
    <ol className={styles.hints}>
      <li>{t(isOpen ? 'result.pending_hint_1' : 'result.pending_hint_open')}</li>
      <li>{t(isOpen ? 'result.pending_hint_2' : 'result.pending_hint_back')}</li>
      <li>{t('result.pending_hint_3')}</li>
    </ol>
  );
}

function OrderBox({ order }: { order: BillingInfo }) {
  return (
    <div className={styles.box}>
      <dl className={shared.sum}>
        <div>
          <dt>{t('order.product')}</dt>
          <dd>
            <bdi>{order.product_name}</bdi>
            {(order.content || order.bonus) && (
              <span className={styles.bonus}>
                <Signed text={order.content || order.bonus} />
              </span>
            )}
            {order.first_bonus && (
              <span className={styles.bonus}>
                {t('order.first_bonus')}: <Signed text={order.first_bonus} />
              </span>
            )}
          </dd>
        </div>
        {order.role_name && (
          <div>
            <dt>{t('order.character')}</dt>
            <dd>
              <bdi>{order.role_name}</bdi> · <bdi>{order.game_server_name}</bdi>
            </dd>
          </div>
        )}
        <div>
          <dt>{t('order.total')}</dt>
          <dd>
            <Money text={order.price_shown} />
          </dd>
        </div>
        {order.promo_code && (
          <div>
            <dt>{t('promo.title')}</dt>
            <dd>
              <bdi dir="ltr">{order.promo_code}</bdi>
            </dd>
          </div>
        )}
        {order.off_shown && (
          <div>
            <dt>{t('order.discount')}</dt>
            <dd>
              <Money text={`−${order.off_shown}`} />
            </dd>
          </div>
        )}
      </dl>
      <DeliveryLine order={order} />
    </div>
  );
}
