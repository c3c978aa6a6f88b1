// How much a pack gives for the money: its price per unit, how much more than the smallest, and a bar
// that grows from pack to pack.
import type { PackOffer } from '#contracts/catalogue.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { showCount } from '#kernel/count.ts';
import { MoneyIn } from '#web/ui/figures/MoneyIn.tsx';
import styles from './pack-line.module.css';

/** @param from the chosen pack of which this one is the next larger: the line says the step between them */
export function PackLine({ offer, from }: { offer: PackOffer; from?: PackOffer | undefined }) {
  useLanguage();
  const step = from && { count: showCount(from.next_count), price: from.next_shown };
  return (
    <span className={styles.line}>
      <bdi>
        {step ? (
          <MoneyIn text={t('goods.step_up', step)} money={step.price} />
        ) : (
          <MoneyIn
            text={t('goods.per_unit', { price: offer.per_shown, count: showCount(offer.per_count) })}
            money={offer.per_shown}
          />
        )}
      </bdi>
      {!step && offer.more_percent > 0 && (
        <b className={styles.more}>
          <bdi>{t('goods.more_percent', { percent: offer.more_percent })}</bdi>
        </b>
      )}
      <span className={styles.bar} style={{ '--share': `${offer.share_percent}%` }} aria-hidden="true" />
    </span>
  );
}
