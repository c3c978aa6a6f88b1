// The shelf before its goods: the same boxes at the same heights, so that nothing moves.
import { t, useLanguage } from '#web/platform/i18n.ts';
import { Skeleton } from '#web/ui/Skeleton.tsx';
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
          <span className={styles.bone} key={card}>
            <Skeleton className={styles.boneStage} />
            <span className={styles.body}>
              <Skeleton className={styles.boneAmount} />
              <Skeleton className={styles.boneGift} />
            </span>
            <Skeleton className={styles.bonePrice} />
          </span>
        ))}
      </div>
    </section>
  );
}
