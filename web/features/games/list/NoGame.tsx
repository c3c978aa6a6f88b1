// In place of the goods where a link names a game that this brand does not have: one sentence, and the games it has.
// What was chosen before is let go of, or the next page would show it as if the link had meant it.
import { useEffect } from 'react';
import type { GameListItem } from '#contracts/games.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { VoidState } from '#web/ui/VoidState.tsx';
import { clearGame } from '../memory.ts';
import { GameList } from './GameList.tsx';
import styles from './game-list.module.css';
import type { GameChoice } from '../rules.ts';

export type NoGameProps = { games: readonly GameListItem[]; onChoose: (game: GameChoice) => void };

/** @source specification section 8: "-3001: clears the selected game" */
export function NoGame({ games, onChoose }: NoGameProps) {
  useLanguage();
  useEffect(clearGame, []);
  if (games.length === 0) return <VoidState art="st-empty" title={t('game.tip_no_data')} />;
  return (
    <>
      <div className={styles.lost}>
        <VoidState art="st-notfound" title={t('game.lost_title')} text={t('game.lost_text')} />
      </div>
      <section className={styles.instead} aria-label={t('game.choose')}>
        <GameList games={games} current="" onChoose={onChoose} />
      </section>
    </>
  );
}
