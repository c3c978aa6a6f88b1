// On My: the check that is due before anything can be bought. Nothing is shown once it is passed, or where none is
// asked.
import { useId } from 'react';
import { readBoot } from '#web/platform/boot.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { Button } from '#web/ui/controls/Button.tsx';
import { useRealName } from './use-real-name.ts';
import styles from './realname.module.css';

export function RealNameCard() {
  useLanguage();
  const id = useId();
  const { isBusy, begin } = useRealName(() => location.reload());
  if (!readBoot().isRealNameMissing) return null;
  return (
    <section className={styles.card} aria-labelledby={id}>
      <h2 id={id}>{t('real_name.title')}</h2>
      <p className={styles.text}>{t('real_name.prompt')}</p>
      <Button kind="pay" isBusy={isBusy} onClick={begin}>
        {t('real_name.start')}
      </Button>
    </section>
  );
}
