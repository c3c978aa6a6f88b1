// The games of the brand; a game with editions opens them under itself.
import { useState } from 'react';
import type { GameListItem } from '#contracts/games.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { Picture } from '#web/ui/pictures/Picture.tsx';
import { Icon } from '#web/ui/pictures/Icon.tsx';
import { type GameChoice, listChoices } from '../rules.ts';
import styles from './game-list.module.css';

export type GameListProps = {
  games: readonly GameListItem[];
  current: string;
  onChoose: (game: GameChoice) => void;
  /** A page of its own: from tablets on with key art. */
  hasArt?: boolean;
};

export function GameList({ games, hasArt, ...given }: GameListProps) {
  useLanguage();
  if (games.length === 0) return <p>{t('game.tip_no_data')}</p>;
  return (
    <ul className={hasArt ? `${styles.list} ${styles.posters}` : styles.list}>
      {games.map((game) => (
        <li key={game.client_id}>
          {hasArt && <Picture picture={game.hero} sizes="560px" />}
          <GameRow game={game} {...given} />
        </li>
      ))}
    </ul>
  );
}

function GameRow({ game, current, onChoose }: { game: GameListItem } & Pick<GameListProps, 'current' | 'onChoose'>) {
  const choices = listChoices([game]);
  const hasEditions = Object.keys(game.sub_game).length > 0;
  const isCurrent = choices.some((choice) => choice.client_id === current);
  const [isOpen, setIsOpen] = useState(hasEditions && isCurrent);
  const [only] = choices;
  if (!hasEditions && only) return <ChoiceButton choice={only} isCurrent={isCurrent} onChoose={onChoose} />;
  return (
    <>
      <button type="button" className={styles.game} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        <img src={game.logo} alt="" width={64} height={64} />
        <span>
          <b>{game.name}</b>
          <small>{t('game.editions', { count: choices.length })}</small>
          <From game={game} />
        </span>
        <Icon name="chevron-right" />
      </button>
      {isOpen && (
        <ul className={styles.editions}>
          {choices.map((choice) => (
            <li key={choice.code}>
              <ChoiceButton choice={choice} isCurrent={choice.client_id === current} onChoose={onChoose} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** The lowest price, where it is known. */
function From({ game: { from_shown: price } }: { game: Pick<GameChoice, 'from_shown'> }) {
  return price && <small className={styles.from}>{t('game.from', { price })}</small>;
}

function ChoiceButton(props: { choice: GameChoice; isCurrent: boolean; onChoose: (game: GameChoice) => void }) {
  const { choice, isCurrent, onChoose } = props;
  return (
    <button
      type="button"
      className={styles.game}
      aria-current={isCurrent ? 'true' : undefined}
      onClick={() => onChoose(choice)}
    >
      <img src={choice.logo} alt="" width={64} height={64} />
      <span>
        <b>{choice.name}</b>
        {isCurrent && <small>{t('game.selected')}</small>}
        <From game={choice} />
      </span>
      <Icon name={isCurrent ? 'check' : 'chevron-right'} />
    </button>
  );
}
