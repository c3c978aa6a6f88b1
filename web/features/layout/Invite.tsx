// Beside the goods on wide screens until something is chosen: what happens next, an offer, and who helps.
import type { ReactNode } from 'react';
import { useBrand } from '#web/platform/brand.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { readLegal } from '#web/platform/legal.ts';
import { currentRegion } from '#web/platform/region.ts';
import { HowItWorks } from './HowItWorks.tsx';
import styles from './invite.module.css';

/** @param props.offer what is worth choosing first */
export function Invite({ offer }: { offer: ReactNode }) {
  useLanguage();
  const { support, hours } = readLegal(useBrand(), [], '', currentRegion());
  return (
    <section className={styles.invite} aria-labelledby="how">
      {offer}
      <HowItWorks />
      {support && (
        <p className={styles.help}>
          <a href={support} target="_blank" rel="noopener noreferrer">
            {t('footer.support')}
          </a>
          {hours && <bdi dir="ltr">{hours}</bdi>}
        </p>
      )}
    </section>
  );
}
