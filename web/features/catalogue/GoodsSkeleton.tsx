// The shelf before its goods: the same boxes at the same heights, so that nothing moves.
import { useBrand } from '#web/platform/brand.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import cardStyles from './cards/card.module.css';
import styles from './goods.module.css';

const CARDS = [1, 2, 3, 4, 5, 6];
const NONE: readonly string[] = [];

/** @param specials names of the special offers, where the goods are known already and only not drawn yet */
export function GoodsSkeleton({ specials = NONE }: { specials?: readonly string[] }) {
  useLanguage();
  const isSpecialLast = useBrand().look.stage === 'split';
  const special = specials.length > 0 && (
    <div className={styles.section}>
      {isSpecialLast && <Skeleton className={`${styles.boneHead} ${styles.special}`} />}
      <div className={styles.shelf}>
        {specials.map((one) => (
          <BoneCard className={`${cardStyles.card} ${cardStyles.wide}`} key={one} />
        ))}
      </div>
    </div>
  );
  return (
    <div aria-busy="true" role="group" aria-label={t('goods.loading')}>
      {!isSpecialLast && special}
      <div className={styles.section}>
        <div className={styles.head}>
          <Skeleton className={styles.boneHead} />
        </div>
        <div className={styles.goods}>
          {CARDS.map((card) => (
            <BoneCard className={cardStyles.card} key={card} />
          ))}
        </div>
      </div>
      {isSpecialLast && special}
    </div>
  );
}

function BoneCard({ className }: { className: string | undefined }) {
  return (
    <span className={className}>
      <span className={cardStyles.stage} />
      <span className={cardStyles.body}>
        <Skeleton className={styles.boneAmount} />
        <Skeleton className={styles.boneGift} />
      </span>
      <span className={cardStyles.price} />
    </span>
  );
}
