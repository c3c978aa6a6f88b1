// Shows the receiver of the goods: a card once somebody is chosen, the form with area, server and character before and
// on demand.
import { type Ref, useState } from 'react';
import type { Pair } from '#contracts/envelope.ts';
import type { RoleItem } from '#contracts/games.ts';
import { askSwitchAccount } from '#web/features/accounts/login/login.ts';
import { ReceiverCard } from '#web/features/games/ReceiverCard.tsx';
import { RoleForm } from '#web/features/games/roles/RoleForm.tsx';
import type { GameChoice } from '#web/features/games/rules.ts';
import { useRoleForm } from '#web/features/games/roles/use-role-form.ts';
import type { Receiver } from '#web/features/games/use-receiver.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { openLogin } from '#web/platform/visitor/login.ts';
import { Button } from '#web/ui/controls/Button.tsx';
import { Icon } from '#web/ui/pictures/Icon.tsx';
import { Note } from '#web/ui/Note.tsx';
import styles from './classic.module.css';

/** The player's choice in the lists; null for "all". */
export type Chosen = { area: Pair | null; server: Pair | null };

export type RolePartProps = {
  receiver: Receiver;
  /** Values that the lists begin with. */
  first: { area: string; server: string };
  /** Gets the focus when a character is missing. */
  headingRef: Ref<HTMLHeadingElement>;
  /** The button that pays was pressed without one. */
  isAsked: boolean;
  onChoose: (role: RoleItem, chosen: Chosen) => void;
  onOtherGame: () => void;
};

export function RolePart(props: RolePartProps) {
  const { receiver, onChoose, onOtherGame } = props;
  const { game, role, state } = receiver;
  const [isOpen, setOpen] = useState(false);
  const isCard = !game || state === 'loading' || state === 'anonymous' || state === 'failed';
  if (isCard || (state === 'chosen' && !isOpen)) {
    const change = () => {
      if (state === 'anonymous') openLogin();
      else if (state === 'failed') receiver.retry();
      else setOpen(true);
    };
    return <ReceiverCard game={game} role={role} state={state} onChange={change} onOtherGame={onOtherGame} />;
  }
  return (
    <OpenForm
      {...props}
      game={game}
      onChoose={(next, chosen) => {
        setOpen(false);
        onChoose(next, chosen);
      }}
    />
  );
}

function OpenForm(props: RolePartProps & { game: GameChoice }) {
  const { game, receiver, first, headingRef, isAsked, onChoose, onOtherGame } = props;
  useLanguage();
  const form = useRoleForm(game.client_id, receiver.isAreaRole, first);
  const choose = (role: RoleItem) =>
    onChoose(role, {
      area: form.areas.find((area) => area.value === (form.area || role.area_id)) ?? null,
      server: pairOf(form.servers.find((server) => server.value === form.server)),
    });
  return (
    <section className={styles.form} aria-labelledby="role-part">
      <h2 className="voice" id="role-part" tabIndex={-1} ref={headingRef}>
        {t('role.title')}
      </h2>
      <div className={styles.head}>
        <img src={game.logo} alt="" width={40} height={40} />
        <b>
          <bdi>{game.name}</bdi>
        </b>
        <Button kind="quiet" onClick={onOtherGame}>
          <Icon name="swap" />
          {t('game.other')}
        </Button>
      </div>
      {isAsked && receiver.state === 'choose' && <Note tone="bad">{t('receiver.choose')}</Note>}
      {receiver.state === 'notFound' && <Note tone="bad">{t('receiver.not_found')}</Note>}
      <RoleForm {...form} gameName={game.name} chosen={receiver.role} onChoose={choose} />
      <Button kind="quiet" isWide onClick={() => void askSwitchAccount()}>
        {t('account.switch')}
      </Button>
    </section>
  );
}

function pairOf(one: Pair | undefined): Pair | null {
  return one ? { display: one.display, value: one.value } : null;
}
