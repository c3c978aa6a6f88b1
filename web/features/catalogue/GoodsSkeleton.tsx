// The shelf before its goods: the same boxes at the same heights, so that nothing moves.
import { t, useLanguage } from '#web/platform/i18n.ts';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import cardStyles from './cards/card.module.css';
import styles from './goods.module.css';

const CARDS = [1, 2, 3, 4, 5, 6];

export function GoodsSkeleton() {
  useLanguage();
  return (
    <section className={styles.section} aria-busy="true" aria-label={t('goods.loading')}>
      <div className={styles.head}>
        <Skeleton className={styles.boneHead} />
      </div>
      <div className={styles.goods}>
        {CARDS.map((card) => (
          <span className={cardStyles.card} key={card}>
            <span className={cardStyles.stage} />
            <span className={cardStyles.body}>
              <Skeleton className={styles.boneAmount} />
              <Skeleton className={styles.boneGift} />
            </span>
            <span className={cardStyles.price} />
          </span>
        ))}
      </div>
    </section>
  );
}
