// Below orders: whom to ask, and what with.
import { useBrand } from '#web/platform/brand.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { readLegal } from '#web/platform/legal.ts';
import { currentRegion } from '#web/platform/region.ts';
import styles from './history.module.css';

export function HelpLine() {
  useLanguage();
  const { support } = readLegal(useBrand(), [], '', currentRegion());
  return (
    <p className={styles.small}>
      {t('my.support')}
      {support && (
        <>
          {' '}
          <a href={support} target="_blank" rel="noopener noreferrer">
            {t('footer.support')}
          </a>
        </>
      )}
    </p>
  );
}
