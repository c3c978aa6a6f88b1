// The list of games as a popup.
import type { GameListItem } from '#contracts/games.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { PopupSheet } from '#web/platform/popups/PopupSheet.tsx';
import { closeAllPopups, usePopup } from '#web/platform/popups/popups.tsx';
import { GameList } from './GameList.tsx';
import { type GameChoice, isOtherClient } from '../rules.ts';

export type GameListPopupProps = {
  games: readonly GameListItem[];
  current: string;
  onChoose: (game: GameChoice) => void;
};

export function GameListPopup({ games, current, onChoose }: GameListPopupProps) {
  useLanguage();
  const { close } = usePopup();
  const choose = (game: GameChoice) => {
    if (!isOtherClient(current, game.client_id)) {
      close();
      return;
    }
    closeAllPopups();
    onChoose(game);
  };
  return (
    <PopupSheet title={t('game.choose')}>
      <GameList games={games} current={current} onChoose={choose} />
    </PopupSheet>
  );
}
