// The games of the brand as a row of icons under the hero: a visitor sees which there are. A press takes another one
// without a question: its character is remembered, and one press leads back.
import type { GameListItem } from '#contracts/games.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { type GameChoice, isOtherClient, listChoices } from '../rules.ts';
import styles from './game-row.module.css';

export type GameRowProps = {
  games: readonly GameListItem[];
  current: string;
  onChoose: (game: GameChoice) => void;
};

export function GameRow({ games, current, onChoose }: GameRowProps) {
  useLanguage();
  const choices = listChoices(games);
  if (choices.length < 2) return null;
  const choose = (game: GameChoice) => {
    if (isOtherClient(current, game.client_id)) onChoose(game);
  };
  return (
    <ul className={styles.row} aria-label={t('game.choose')}>
      {choices.map((game) => (
        <li key={game.client_id}>
          <button type="button" aria-pressed={game.client_id === current} onClick={() => choose(game)}>
            <img src={game.logo} alt="" width={44} height={44} />
            <bdi>{game.name}</bdi>
          </button>
        </li>
      ))}
    </ul>
  );
}
