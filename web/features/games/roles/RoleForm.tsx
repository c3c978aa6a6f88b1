// Area, server and character: native selects for the long lists, cards for the characters.
import type { Pair } from '#contracts/envelope.ts';
import type { RoleItem, ServerItem } from '#contracts/games.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { Button } from '#web/ui/controls/Button.tsx';
import { Note } from '#web/ui/Note.tsx';
import { type Option, Select } from '#web/ui/controls/Select.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { initialOf } from '#web/ui/figures/initial.ts';
import { serversOf } from '../rules.ts';
import styles from './roles.module.css';

export type RoleFormProps = {
  gameName: string;
  isAreaRole: boolean;
  areas: readonly Pair[];
  servers: readonly ServerItem[];
  /** Value of the chosen area and server; empty is "all". */
  area: string;
  server: string;
  /** Null while they load. */
  roles: readonly RoleItem[] | null;
  isFailed: boolean;
  /** The account has no character in this game. */
  hasNone: boolean;
  /** Reads the characters again: one may have been made in the game a moment ago. */
  onRetry: () => void;
  isRetrying: boolean;
  /** So few characters in all that they are found by eye: area and server come after them. */
  hasFew: boolean;
  chosen: RoleItem | null;
  onArea: (area: string) => void;
  onServer: (server: string) => void;
  onChoose: (role: RoleItem) => void;
};

export function RoleForm(props: RoleFormProps) {
  useLanguage();
  const { isAreaRole, areas, area, onArea, server, onServer } = props;
  const servers = serversOf(props.servers, isAreaRole && area !== '', area);
  if (props.hasNone || (props.isFailed && !props.roles))
    return (
      <div className={styles.form}>
        {props.hasNone ? (
          <Note>{t('receiver.none', { game: props.gameName })}</Note>
        ) : (
          <Note tone="bad">{t('receiver.load_error')}</Note>
        )}
        <Button onClick={props.onRetry} isBusy={props.isRetrying}>
          {t('goods.retry')}
        </Button>
      </div>
    );
  const filters = (
    <div className={styles.filters} data-below={props.hasFew ? '' : undefined}>
      {isAreaRole && (
        <Select label={t('role.area')} options={withAll(t('role.all_areas'), areas)} value={area} onChange={onArea} />
      )}
      {servers.length > 1 && (
        <Select
          label={t('role.server')}
          options={withAll(t('role.all_servers'), servers)}
          value={server}
          onChange={onServer}
        />
      )}
    </div>
  );
  const hasFilters = isAreaRole || servers.length > 1;
  return (
    <div className={styles.form}>
      {hasFilters && !props.hasFew && filters}
      <RoleCards roles={props.roles} chosen={props.chosen} onChoose={props.onChoose} />
      {hasFilters && props.hasFew && filters}
    </div>
  );
}

/** Choices of a list behind the one that leaves it open. */
function withAll(all: string, list: readonly Pair[]): Option[] {
  return [{ value: '', label: all }, ...list.map((one) => ({ value: one.value, label: one.display }))];
}

function RoleCards({ roles, chosen, onChoose }: Pick<RoleFormProps, 'roles' | 'chosen' | 'onChoose'>) {
  if (!roles) {
    return (
      <div className={styles.roles} aria-busy="true">
        <Skeleton className={styles.bone} />
        <Skeleton className={styles.bone} />
      </div>
    );
  }
  if (roles.length === 0) return <p role="status">{t('role.empty_server')}</p>;
  return (
    <fieldset className={styles.roles}>
      <legend>{t('role.character')}</legend>
      {roles.map((role) => (
        <label className={styles.role} key={`${role.server_id}/${role.value}`}>
          <input
            type="radio"
            name="role"
            checked={chosen?.value === role.value && chosen.server_id === role.server_id}
            onChange={() => onChoose(role)}
          />
          <span className={styles.mark} aria-hidden="true">
            {initialOf(role.display)}
          </span>
          <span>
            <b>
              <bdi>{role.display}</bdi>
            </b>
            <small>
              {role.level > 0 && <i>{`${t('receiver.level', { level: role.level })} · `}</i>}
              <bdi>{role.server_name}</bdi>
            </small>
          </span>
          <span className={styles.dot} aria-hidden="true" />
        </label>
      ))}
    </fieldset>
  );
}
