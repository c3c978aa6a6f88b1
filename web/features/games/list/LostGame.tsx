// Above the games where a link names one that this brand does not have. What was chosen before is let go of, or the next
// page would show it as if the link had meant it.
import { useEffect } from 'react';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { Note } from '#web/ui/Note.tsx';
import { clearGame } from '../memory.ts';
import styles from './game-list.module.css';

/** @source specification section 8: "-3001: clears the selected game" */
export function LostGame() {
  useLanguage();
  useEffect(clearGame, []);
  return (
    <Note tone="wait" icon="info">
      <h2 className={styles.lostTitle}>{t('game.lost_title')}</h2>
      <p>{t('game.lost_text')}</p>
    </Note>
  );
}
