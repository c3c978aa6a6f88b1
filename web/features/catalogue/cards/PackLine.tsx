// How much a pack gives for the money: its price per unit, how much more than the smallest, and a bar that grows from
// pack to pack. Beside packs with a bonus or a deal it says its own price per unit alone.
import type { PackOffer } from '#contracts/catalogue.ts';
import { countIn, t, useLanguage } from '#web/platform/i18n.ts';
import { MoneyIn } from '#web/ui/figures/MoneyIn.tsx';
import styles from './pack-line.module.css';

export type PackLineProps = {
  offer: PackOffer;
  isCompared: boolean;
  /** The player gets the first-purchase bonus with it. */
  isFirst: boolean;
  /** The chosen pack of which this one is the next larger: the line says the step between them. */
  from?: PackOffer | undefined;
};

export function PackLine({ offer, isCompared, isFirst, from }: PackLineProps) {
  useLanguage();
  const per = (isFirst && offer.first_per_shown) || offer.per_shown;
  const step = from && { count: countIn(from.next_count), price: from.next_shown };
  return (
    <span className={styles.line}>
      <bdi>
        {step ? (
          <MoneyIn text={t('goods.step_up', step)} money={step.price} />
        ) : (
          <MoneyIn text={t('goods.per_unit', { price: per, count: countIn(offer.per_count) })} money={per} />
        )}
      </bdi>
      {!step && isCompared && offer.more_percent > 0 && (
        <b className={styles.more}>
          <bdi>{t('goods.more_percent', { percent: offer.more_percent })}</bdi>
        </b>
      )}
      {isCompared && (
        <span className={styles.bar} style={{ '--share': `${offer.share_percent}%` }} aria-hidden="true" />
      )}
    </span>
  );
}
