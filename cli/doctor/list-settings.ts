// Every setting there is, and whether it stands in the variables of this shop. Values are never shown.
import type { LoginProvider } from '#server/modules/accounts/logins/login-port.ts';
import type { PaymentProvider } from '#server/modules/payments/provider.ts';
import type { Config } from '#server/platform/config.ts';
import { OTHER_SETTINGS, SETTINGS } from '#server/platform/settings/settings-table.ts';
import { checkNames } from '#server/serve/check-names.ts';
import { type KnownOwner, listKnownGames, listKnownOwners } from '#server/serve/known-settings.ts';

export type SettingState = {
  readonly name: string;
  /** `off`: nothing of its provider, login or game is set. */
  readonly state: 'set' | 'default' | 'missing' | 'off' | 'unknown';
  readonly about: string;
};

export function listSettings(
  config: Pick<Config, 'names' | 'environment'>,
  providers: readonly PaymentProvider[],
  logins: readonly LoginProvider[],
): SettingState[] {
  const names = new Set(config.names);
  const isSet = (name: string): boolean => names.has(name) || names.has(`${name}_FILE`);
  const side = config.environment.toUpperCase();
  const prefixOf = ({ owner }: KnownOwner): string => `REFILL_${owner}_${side}_`;
  const games = new Set(config.names.map((name) => /^REFILL_GAME_(.+)_(?:DEMO|LIVE)_/.exec(name)?.[1]).filter(isText));
  const owners = [
    ...listKnownGames([...games].map((game) => game.toLowerCase())),
    ...listKnownOwners(providers, logins),
  ];
  const plain = [...Object.values(SETTINGS), ...OTHER_SETTINGS].map((one): SettingState => {
    const unset = one.name === 'DATABASE_URL' || one.name === 'REFILL_ENVIRONMENT' ? 'missing' : 'default';
    return { name: one.name, state: isSet(one.name) ? 'set' : unset, about: one.about };
  });
  const scoped = owners.flatMap((owner): SettingState[] => {
    const prefix = prefixOf(owner);
    const isOn = config.names.some((name) => name.startsWith(prefix));
    return owner.settings
      .filter((setting) => config.environment === 'live' || !setting.isLiveOnly)
      .map((setting) => {
        const name = `${prefix}${setting.name}`;
        const unset = isOn ? (setting.isRequired ? 'missing' : 'default') : 'off';
        return { name, state: isSet(name) ? 'set' : unset, about: setting.about };
      });
  });
  const unknown = checkNames(config.names, owners, false).map(({ name, remedy }): SettingState => ({
    name,
    state: 'unknown',
    about: remedy,
  }));
  return [...unknown, ...plain, ...scoped];
}

const isText = (text: string | undefined): text is string => text !== undefined;
