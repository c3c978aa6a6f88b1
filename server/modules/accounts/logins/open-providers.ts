// The identity providers that are set up.
import type { Environment } from '#kernel/environment.ts';
import type { LoginKind } from '#contracts/logins.ts';
import type { Log } from '#server/platform/log.ts';
import { guardOutbound } from '#server/platform/outbound/outbound-guard.ts';
import type { Outbound } from '#server/platform/outbound/outbound.ts';
import type { BrandLogins, LoginProvider, OpenLogin } from './login-port.ts';

export type OpenLoginProvider = { readonly name: string; readonly login: OpenLogin };

export type OpenLoginProviders = {
  get(kind: LoginKind): OpenLoginProvider | null;
  /** The kinds a brand offers: in its file, with an app, and set up here. */
  offered(logins: BrandLogins): LoginKind[];
  /** Provider name by kind, of all that there are. */
  readonly names: ReadonlyMap<LoginKind, string>;
  /** Hosts our logins may call. */
  apiHosts(): string[];
};

/** Throws one sentence when a setting cannot be used: better no start than a login at somebody else's. */
export function openLoginProviders(deps: {
  providers: readonly LoginProvider[];
  environment: Environment;
  /** Settings of `login-<name>`. */
  settingsOf: (owner: string) => Readonly<Record<string, string>>;
  outbound: Outbound;
  log: Log;
  now: () => number;
}): OpenLoginProviders {
  const openProviders = new Map<LoginKind, OpenLoginProvider>();
  for (const provider of deps.providers) {
    // Circuit breakers of its own: one company's bad hour does not keep the others waiting, and keys that
    // a stranger's notice asks for do not keep its players out.
    const guard = (name: string) =>
      guardOutbound(deps.outbound, {
        name,
        callsPerSecond: null,
        onChange: (login, circuit) =>
          deps.log.warn({ alert: 'circuit', provider: login, circuit }, `calls to ${login}: ${circuit}`),
      });
    const outbound = guard(`login ${provider.name}`);
    const keysOutbound = guard(`login ${provider.name} keys`);
    const settings = deps.settingsOf(`login-${provider.name}`);
    // Without its credentials a provider is off: never half on.
    if (!provider.settings.every(({ isRequired, name }) => !isRequired || settings[name])) continue;
    try {
      const { environment, now } = deps;
      const login = provider.open({ environment, settings, outbound, keysOutbound, now });
      openProviders.set(provider.kind, { name: provider.name, login });
    } catch (error) {
      throw new Error(`login by ${provider.name}: ${(error as Error).message}`, { cause: error });
    }
  }
  const get: OpenLoginProviders['get'] = (kind) => openProviders.get(kind) ?? null;
  return {
    get,
    offered: (logins) => logins.kinds.filter((kind) => Boolean(get(kind)?.login.appOf(logins))),
    names: new Map(deps.providers.map(({ kind, name }) => [kind, name])),
    apiHosts: () => [...openProviders.values()].flatMap(({ login }) => [...login.apiHosts]),
  };
}
