// Shows the outcome of a wish to be erased, for a browser that nobody is logged in with any more.
import { useState } from 'react';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { showMoment } from '#web/platform/moment.ts';
import { clear, loadText } from '#web/platform/visitor/storage.ts';
import { Button } from '#web/ui/controls/Button.tsx';
import { Note } from '#web/ui/Note.tsx';
import { useErasure } from './queries.ts';
import styles from './privacy.module.css';

export function ErasureStatus() {
  useLanguage();
  const [no, setNo] = useState(() => loadText('erasureNo'));
  const { data } = useErasure(no);
  if (!no || !data) return null;
  const time = showMoment(data.state === 'waiting' ? data.due_at : data.ended_at);
  return (
    <section className={styles.card}>
      <Note tone={data.state === 'waiting' ? 'wait' : 'ok'}>
        <p>{t(`privacy.is_${data.state}`, { time })}</p>
        <p className={styles.number}>{t('privacy.number', { no })}</p>
        {data.state !== 'waiting' && (
          <Button
            kind="quiet"
            onClick={() => {
              clear('erasureNo');
              setNo('');
            }}
          >
            {t('popup.close')}
          </Button>
        )}
      </Note>
    </section>
  );
}
