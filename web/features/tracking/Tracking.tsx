// Tracking as far as it is on the page: the sender, and the question where one has to be asked.
// Comes after the first picture.
import { useEffect, useRef } from 'react';
import { useBrand } from '#web/platform/brand.ts';
import { isFramed } from '#web/platform/frame.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { readLegal } from '#web/platform/legal.ts';
import { currentRegion } from '#web/platform/region.ts';
import { trackChoice, useIsTrackingAsked } from '#web/platform/visitor/track.ts';
import { chooseTracking } from './choose.ts';
import { Button } from '#web/ui/controls/Button.tsx';
import { startSending } from './sender.ts';
import styles from './tracking.module.css';

export function Tracking() {
  useEffect(startSending, []);
  return useIsTrackingAsked() ? <ConsentBar /> : null;
}

const isInGame = () => isFramed() || new URLSearchParams(location.search).get('visit') === 'sdk';

/**
 * Stands at the edge and stops nobody: the shop works without an answer. Yes and no look alike and are one press each.
 * @source GDPR article 7: as easy to withdraw as to give; EDPB guidelines 05/2020
 */
function ConsentBar() {
  useLanguage();
  const { privacy } = readLegal(useBrand(), [], '', currentRegion());
  const bar = useRef<HTMLElement>(null);
  // Whoever asked for it is led to it; whoever did not is not disturbed.
  const isAnswered = trackChoice() !== 'open';
  useEffect(() => {
    if (isAnswered) bar.current?.focus();
  }, [isAnswered]);
  return (
    <section
      ref={bar}
      className={styles.bar}
      data-in-game={isInGame() ? '' : undefined}
      aria-label={t('footer.tracking')}
      tabIndex={-1}
    >
      <p>
        {t('tracking.ask')}{' '}
        <a href={privacy} target="_blank" rel="noopener noreferrer">
          {t('footer.privacy')}
        </a>
      </p>
      <div className={styles.answers}>
        <Button onClick={() => chooseTracking('no')}>{t('tracking.decline')}</Button>
        <Button onClick={() => chooseTracking('yes')}>{t('tracking.accept')}</Button>
      </div>
    </section>
  );
}
