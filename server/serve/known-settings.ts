// Which scoped settings there are: gathered from the declarations of every provider, login and game. For
// unknown names and for the page.
import type { LoginProvider } from '#server/modules/accounts/logins/login-port.ts';
import type { PaymentProvider } from '#server/modules/payments/provider.ts';
import { GAME_SETTINGS, toVariablePart } from '#server/platform/settings/scoped-settings.ts';
import type { SettingForm } from '#kernel/setting-form.ts';
import { loginProviders } from '#server/providers/identity/registry.ts';
import { shopProviders } from '#server/providers/shop-payments.ts';

export type KnownSetting = {
  readonly name: string;
  readonly about: string;
  readonly isSecret: boolean;
  readonly isRequired: boolean;
  /** Least length of a secret in live, bytes. */
  readonly minBytes?: number;
  /** Any text unless given. */
  readonly form?: SettingForm;
  /** Without a meaning in demo. */
  readonly isLiveOnly?: boolean;
};

/** As in variables: "PAYPAL", "LOGIN_APPLE". */
export type KnownOwner = { readonly owner: string; readonly title: string; readonly settings: readonly KnownSetting[] };

/** For every provider outside, beside what its adapter declares. */
export const ALLOW_HOST = 'ALLOW_HOST';
const OUTSIDE_SETTINGS: readonly KnownSetting[] = [
  {
    name: ALLOW_HOST,
    isSecret: false,
    isRequired: false,
    isLiveOnly: true,
    form: { kind: 'list', of: { kind: 'host' } },
    about: 'Hosts by commas that addresses of the live side may name although they are none of the official ones.',
  },
  {
    name: 'CALLS_PER_SECOND',
    isSecret: false,
    isRequired: false,
    form: { kind: 'whole', min: 1, max: 999_999 },
    about: 'Most calls a second, where the contract names a limit; none unless set.',
  },
];

/** The operator's own service for real names. @source docs/real-names.md */
const REAL_NAME: KnownOwner = {
  owner: 'REALNAME',
  title: 'real names',
  settings: [
    {
      name: 'URL',
      isSecret: false,
      isRequired: false,
      // `checkGames` looks at it, with the addresses of games.
      form: { kind: 'text' },
      about: 'Where real names are checked for brands with `realName: operator`: https in live.',
    },
    {
      name: 'SECRETS',
      isSecret: true,
      isRequired: false,
      about: 'Secrets that sign these calls (`whsec_...`, 24 to 64 bytes in base64), by commas; the first signs.',
    },
  ],
};

/** Lists the settings that the provider's adapter declares, and those that every outside provider has. */
export const settingsOf = (provider: PaymentProvider): readonly KnownSetting[] =>
  provider.internalTender ? provider.settings : [...provider.settings, ...OUTSIDE_SETTINGS];

export function listKnownOwners(
  providers: readonly PaymentProvider[] = shopProviders,
  logins: readonly LoginProvider[] = loginProviders,
): readonly KnownOwner[] {
  return [
    ...providers.map((provider) => ({
      owner: toVariablePart(provider.name),
      title: provider.name,
      settings: settingsOf(provider),
    })),
    ...logins.map(({ name, settings }) => ({
      owner: toVariablePart(`login-${name}`),
      title: `login by ${name}`,
      settings,
    })),
    REAL_NAME,
  ];
}

/** @param gameIds "pocket-pitch" */
export function listKnownGames(gameIds: Iterable<string>): readonly KnownOwner[] {
  const settings = GAME_SETTINGS.map((setting) => ({ ...setting, isRequired: true }));
  return [...gameIds].map((id) => ({ owner: toVariablePart(`game-${id}`), title: `game ${id}`, settings }));
}
