// The prompt after a login: what the check is for, and the way there. It can wait until the player wants to buy.
// @source specification section 1, "A real-name check prompt"
import { t, useLanguage } from '#web/platform/i18n.ts';
import { PopupSheet } from '#web/platform/popups/PopupSheet.tsx';
import { usePopup } from '#web/platform/popups/popups.tsx';
import { Button } from '#web/ui/controls/Button.tsx';
import { useRealName } from './use-real-name.ts';
import styles from './realname.module.css';

export function RealNamePopup() {
  useLanguage();
  const { close } = usePopup();
  const { isBusy, begin } = useRealName(() => location.reload());
  const foot = (
    <div className={styles.foot}>
      <Button kind="pay" isWide isBusy={isBusy} onClick={begin}>
        {t('real_name.start')}
      </Button>
      <Button isWide onClick={close}>
        {t('real_name.later')}
      </Button>
    </div>
  );
  return (
    <PopupSheet title={t('real_name.title')} foot={foot}>
      <p className={styles.text}>{t('real_name.prompt')}</p>
    </PopupSheet>
  );
}
