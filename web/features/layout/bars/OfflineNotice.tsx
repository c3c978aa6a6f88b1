// Says that the line is gone, under the header, for as long as it is.
import { t, useLanguage } from '#web/platform/i18n.ts';
import { useIsOffline } from '#web/platform/calls/offline.ts';
import { Icon } from '#web/ui/pictures/Icon.tsx';
import styles from '../layout.module.css';

export function OfflineNotice() {
  useLanguage();
  const isOffline = useIsOffline();
  return (
    <div role="status">
      {isOffline && (
        <p className={styles.offline}>
          <Icon name="wifi-off" />
          {t('network.offline')}
        </p>
      )}
    </div>
  );
}
