// The popup behind "Change": area, server, character, and the ways to another game or account.
import { useState } from 'react';
import type { RoleItem } from '#contracts/games.ts';
import { isFramed } from '#web/platform/frame.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { PopupSheet } from '#web/platform/popups/PopupSheet.tsx';
import { usePopup } from '#web/platform/popups/popups.tsx';
import { Button } from '#web/ui/controls/Button.tsx';
import { Icon } from '#web/ui/pictures/Icon.tsx';
import { RoleForm } from './RoleForm.tsx';
import type { GameChoice } from '../rules.ts';
import { useRoleForm } from './use-role-form.ts';
import styles from './roles.module.css';

export type RolePopupProps = {
  game: GameChoice;
  isAreaRole: boolean;
  current: RoleItem | null;
  /** Area and server that the address names, while nobody is chosen. */
  first?: { area: string; server: string } | undefined;
  onChoose: (role: RoleItem) => void;
  /** Opens the game list; left out where there is one game only. */
  onOtherGame?: (() => void) | undefined;
  onSwitchAccount: () => void;
};

export function RolePopup(props: RolePopupProps) {
  const { game, isAreaRole, current, first, onChoose, onOtherGame, onSwitchAccount } = props;
  useLanguage();
  const { close } = usePopup();
  const form = useRoleForm(game.client_id, isAreaRole, current ? undefined : first);
  const [chosen, setChosen] = useState(current);
  const use = () => {
    if (!chosen) return;
    onChoose(chosen);
    close();
  };
  const foot = !form.hasNone && (
    <Button kind="pay" isWide disabled={!chosen} onClick={use}>
      {t('role.confirm')}
    </Button>
  );
  return (
    <PopupSheet title={t('role.title')} foot={foot}>
      <div className={styles.form}>
        <div className={styles.current}>
          <img className={styles.small} src={game.logo} alt="" width={36} height={36} />
          <b>
            <bdi>{game.name}</bdi>
          </b>
          {onOtherGame && (
            <Button kind="quiet" onClick={onOtherGame}>
              <Icon name="swap" />
              {t('game.other')}
            </Button>
          )}
        </div>
        <RoleForm {...form} gameName={game.name} chosen={chosen} onChoose={setChosen} />
        {!isFramed() && (
          <Button kind="quiet" isWide onClick={onSwitchAccount}>
            {t('account.switch')}
          </Button>
        )}
      </div>
    </PopupSheet>
  );
}
