// Paid, delivering, delivered, each with its time of day in the viewer's own zone.
import type { BillingInfo } from '#contracts/orders.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { showClock } from './clock.ts';
import { deliveryLine } from './stages.ts';
import styles from './orders.module.css';

const NAMES = {
  paid: 'order.stage_paid',
  delivering: 'order.stage_delivering',
  delivered: 'order.stage_delivered',
} as const;

export function DeliveryLine({ order }: { order: BillingInfo }) {
  useLanguage();
  const points = deliveryLine(order);
  if (!points) return null;
  return (
    <ol className={styles.line}>
      {points.map((point) => (
        <li key={point.name} data-state={point.state} aria-current={point.state === 'now' ? 'step' : undefined}>
          <b>{t(NAMES[point.name])}</b>
          {point.at > 0 && <i>{t('order.at', { time: showClock(point.at) })}</i>}
        </li>
      ))}
    </ol>
  );
}
