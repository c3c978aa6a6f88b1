// Says on every page of a browser in super mode that no money moves. It can not be closed: somebody else may use the device next.
import { readBoot } from '#web/platform/boot.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { Icon } from '#web/ui/Icon.tsx';
import styles from './layout.module.css';

/** The server draws the same in its first picture (server/shell/first-picture.ts). */
export function TestModeBar() {
  useLanguage();
  if (!readBoot().isBeta) return null;
  return (
    <p className={styles.test} role="status">
      <Icon name="alert" />
      <span>
        <strong>{t('test_mode.title')}</strong> · {t('test_mode.text')}
      </span>
    </p>
  );
}
