// Beside the goods on wide screens until something is chosen: what happens next, an offer, and who helps.
import type { ReactNode } from 'react';
import { useBrand } from '#web/platform/brand.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { readLegal } from '#web/platform/legal.ts';
import { currentRegion } from '#web/platform/region.ts';
import { Icon } from '#web/ui/pictures/Icon.tsx';
import styles from './invite.module.css';

const STEPS = [
  { icon: 'gem', title: 'how.choose', text: 'how.choose_text' },
  { icon: 'card', title: 'how.pay', text: 'how.pay_text' },
  { icon: 'check', title: 'how.play', text: 'how.play_text' },
] as const;

/** @param props.offer what is worth choosing first */
export function Invite({ offer }: { offer: ReactNode }) {
  useLanguage();
  const { support, hours } = readLegal(useBrand(), [], '', currentRegion());
  return (
    <section className={styles.invite} aria-labelledby="invite">
      {offer}
      <h2 className="voice" id="invite">
        {t('how.title')}
      </h2>
      <ol className={styles.steps}>
        {STEPS.map(({ icon, title, text }) => (
          <li key={title}>
            <span className={styles.mark} aria-hidden="true">
              <Icon name={icon} />
            </span>
            <b>{t(title)}</b>
            <span>{t(text)}</span>
          </li>
        ))}
      </ol>
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
