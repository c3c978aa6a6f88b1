// Shows the receiver of the goods, the first thing under the hero: game, character with level, server, and the way to
// change them.
import type { RoleItem } from '#contracts/games.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { Button } from '#web/ui/controls/Button.tsx';
import { Chip } from '#web/ui/Chip.tsx';
import { Icon } from '#web/ui/pictures/Icon.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import type { GameChoice } from './rules.ts';
import styles from './receiver.module.css';

/** The card's state of the character. */
export type ReceiverState = 'loading' | 'anonymous' | 'chosen' | 'choose' | 'none' | 'notFound' | 'failed';

export type ReceiverCardProps = {
  game: GameChoice | null;
  role: RoleItem | null;
  state: ReceiverState;
  /** Logs in, chooses or changes, whatever the state asks for. */
  onChange: () => void;
  /** Opens the list of games; left out where there is one only. */
  onOtherGame?: (() => void) | undefined;
};

const BUTTONS = {
  loading: 'receiver.change',
  anonymous: 'login.submit',
  chosen: 'receiver.change',
  choose: 'receiver.choose_button',
  none: 'receiver.change',
  notFound: 'receiver.reselect',
  failed: 'goods.retry',
} as const;

export function ReceiverCard({ game, role, state, onChange, onOtherGame }: ReceiverCardProps) {
  useLanguage();
  if (!game || state === 'loading') return <ReceiverSkeleton />;
  return (
    <section className={styles.card} aria-label={t('receiver.label')}>
      <div className={styles.receiver}>
        <img className={styles.logo} src={game.logo} alt="" width={52} height={52} />
        <b>{role ? <RoleName role={role} /> : titleOf(state)}</b>
        <span className={styles.where}>
          <GameName name={game.name} onOtherGame={onOtherGame} />
          {role?.server_name && (
            <i>
              {/* The arrows of the other way part them already, and a line never begins with a dot. */}
              {onOtherGame ? ' ' : ' · '}
              <bdi>{role.server_name}</bdi>
            </i>
          )}
          {state === 'none' && <span className={styles.sentence}>{t('receiver.none', { game: game.name })}</span>}
        </span>
        <span className={styles.change}>
          <Button onClick={onChange}>{t(BUTTONS[state])}</Button>
        </span>
      </div>
    </section>
  );
}

/** The game's name, as the way to another game where there is one. */
function GameName({ name, onOtherGame }: { name: string; onOtherGame: (() => void) | undefined }) {
  if (!onOtherGame) return <bdi>{name}</bdi>;
  return (
    <button type="button" className={styles.other} aria-haspopup="dialog" onClick={onOtherGame}>
      <bdi>{name}</bdi>
      <Icon name="swap" />
      <span className="vh">{t('game.other')}</span>
    </button>
  );
}

function RoleName({ role }: { role: RoleItem }) {
  return (
    <>
      <bdi>{role.display}</bdi>
      {role.level > 0 && (
        <span className={styles.level}>
          <Chip>{t('receiver.level', { level: role.level })}</Chip>
        </span>
      )}
    </>
  );
}

function titleOf(state: ReceiverState): string {
  if (state === 'anonymous') return t('receiver.login');
  if (state === 'notFound') return t('receiver.not_found');
  if (state === 'failed') return t('receiver.load_error');
  return t('receiver.choose');
}

function ReceiverSkeleton() {
  return (
    <section className={styles.card} aria-busy="true" aria-label={t('receiver.label')}>
      <div className={styles.receiver}>
        <Skeleton className={styles.logo} />
        <Skeleton className={styles.boneName} />
        <Skeleton className={styles.boneWhere} />
      </div>
    </section>
  );
}
