// The question before another game is taken, wherever one can be: the row of icons, the popup, step 1.
import { t } from '#web/platform/i18n.ts';
import { confirm } from '#web/platform/popups/popups.tsx';
import type { GameChoice } from '../rules.ts';

/** False for every way out but the button. @source specification section 5: "before switching account or game" */
export function askSwitchGame(game: GameChoice): Promise<boolean> {
  return confirm({
    title: t('game.switch_title', { game: game.name }),
    text: t('game.switch_text'),
    cancel: t('account.cancel'),
    confirm: t('game.switch_confirm'),
  });
}
