// The last look before paying, where the area wants one: product, amount, character, seller and terms, and the sentence
// or the consent that stands beside the button.
import { type ReactNode, useEffect, useEffectEvent, useId, useRef } from 'react';
import type { Confirmation } from '#contracts/confirmations.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { useTaxIncluded } from '#web/platform/region.ts';
import { useUser } from '#web/platform/visitor/session.ts';
import { Money } from '#web/ui/figures/Money.tsx';
import { type OrderView, Receiver } from '#web/features/payments/OrderSummary.tsx';
import styles from '#web/features/payments/payments.module.css';

/** Our choice: so much of it in view is in view, or so much of the view where it is longer than that. */
const SEEN = 0.6;

export type ConfirmationLinesProps = {
  confirmation: Confirmation;
  order: OrderView;
  /** Once it has been in view. */
  onSeen?: () => void;
};

export function ConfirmationLines({ confirmation, order, onSeen }: ConfirmationLinesProps) {
  useLanguage();
  const titleId = useId();
  const user = useUser();
  const block = useRef<HTMLElement>(null);
  const seen = useEffectEvent(() => onSeen?.());
  useEffect(() => {
    if (!block.current) return;
    const look = new IntersectionObserver(
      (entries) => {
        const [last] = entries.slice(-1);
        if (!last) return;
        const view = last.rootBounds?.height ?? innerHeight;
        if (last.intersectionRatio >= SEEN || last.intersectionRect.height >= view * SEEN) seen();
      },
      { threshold: [0.2, 0.4, SEEN, 0.8, 1] },
    );
    look.observe(block.current);
    return () => look.disconnect();
  }, []);
  const isTaxIncluded = useTaxIncluded();
  const { form, seller, payment, delivery, returns } = confirmation;
  const lines: [string, ReactNode][] = [
    [t('confirm.product'), order.product?.title ?? ''],
    [t('order.account'), user?.username ?? ''],
    [t('order.character'), order.character && <Receiver key="receiver" order={order} />],
    [t('confirm.seller'), seller],
    [t('notice.trade_payment'), payment],
    [t('notice.trade_delivery'), delivery],
    [t('notice.trade_returns'), returns],
  ];
  return (
    <section ref={block} className={styles.confirmation} data-confirmation={form} aria-labelledby={titleId}>
      <h3 id={titleId}>{t('confirm.title')}</h3>
      <dl>
        {lines
          .filter(([, value]) => value !== '')
          .map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{typeof value === 'string' ? <bdi>{value}</bdi> : value}</dd>
            </div>
          ))}
        <div>
          <dt>{t(isTaxIncluded ? 'confirm.amount' : 'order.total')}</dt>
          <dd>
            <Money text={order.price} />
          </dd>
        </div>
      </dl>
    </section>
  );
}

export type ConsentLineProps = {
  confirmation: Confirmation;
  hasConsent: boolean;
  onConsent: (hasConsent: boolean) => void;
};

/** Right above the button: what a press means, or the right that ends by it and the consent that it waits for. */
export function ConsentLine({ confirmation: { form }, hasConsent, onConsent }: ConsentLineProps) {
  useLanguage();
  const rightId = useId();
  const words = t(`confirm.${form}_consent`);
  if (form === 'japan') return <p className={styles.consent}>{words}</p>;
  return (
    <div>
      <p className={styles.consent} id={rightId}>
        <b>{t('confirm.terms')}</b> · {t(`confirm.${form}_withdrawal`)}
      </p>
      <label className={styles.consent} data-consent="">
        <input
          type="checkbox"
          checked={hasConsent}
          aria-describedby={rightId}
          onChange={(event) => onConsent(event.currentTarget.checked)}
        />
        <span>{words}</span>
      </label>
    </div>
  );
}
