// Says on every page of a browser in super mode that it is a beta user's. It cannot be closed: somebody
// else may use the device next.
import { readBoot } from '#web/platform/boot.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { Icon } from '#web/ui/pictures/Icon.tsx';
import styles from '../layout.module.css';

/** The server draws the same in its first picture (server/shell/first-picture.ts). */
export function BetaBar() {
  useLanguage();
  if (!readBoot().isBeta) return null;
  return (
    <p className={styles.betaBar} role="status">
      <Icon name="alert" />
      <span>
        <strong>{t('beta.title')}</strong> · {t('beta.text')}
      </span>
    </p>
  );
}
