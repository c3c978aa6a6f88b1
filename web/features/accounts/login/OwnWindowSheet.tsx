// In a frame there is no login: the browser may keep our cookie away there, and nobody sees whose page asks. The
// shop in its own window has both.
import { t, useLanguage } from '#web/platform/i18n.ts';
import { PopupSheet } from '#web/platform/popups/PopupSheet.tsx';
import { currentRegion } from '#web/platform/region.ts';
import { buttonClass } from '#web/ui/controls/Button.tsx';
import { Icon } from '#web/ui/pictures/Icon.tsx';
import styles from '#web/features/accounts/accounts.module.css';
import { siteLink } from '#web/features/accounts/providers/offer-link.ts';

export function OwnWindowSheet({ clientId }: { clientId: string }) {
  useLanguage();
  return (
    <PopupSheet title={t('frame.title')}>
      <div className={styles.form}>
        <p className={styles.lead}>{t('frame.text')}</p>
        <a
          className={buttonClass('pay', true)}
          href={siteLink(location.origin, currentRegion() ?? '', clientId)}
          target="_blank"
          rel="noopener noreferrer"
        >
          {t('frame.open')}
          <Icon name="external" />
        </a>
      </div>
    </PopupSheet>
  );
}
