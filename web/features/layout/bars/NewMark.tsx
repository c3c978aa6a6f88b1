// A dot beside an entry of the navigation that has something new.
import { t } from '#web/platform/i18n.ts';
import { useUnseenEvent } from '#web/platform/visitor/unseen-event.ts';
import { paths } from '#web/paths.ts';
import styles from '../layout.module.css';

export function NewMark({ to }: { to: string }) {
  const isNew = useUnseenEvent() && to === paths.activity;
  if (!isNew) return null;
  return (
    <span className={styles.newMark} data-new-mark="">
      <span className="vh">{t('nav.new')}</span>
    </span>
  );
}
