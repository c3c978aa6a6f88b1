// What is applied against what is set: games that cannot be reached, brands that cannot be paid at,
// channels that are not offered.
import type { Environment } from '#kernel/environment.ts';
import type { LoginProvider } from '#server/modules/accounts/logins/login-port.ts';
import type { Configuration } from '#server/modules/configuration/service.ts';
import { findMissing } from '#server/modules/payments/check.ts';
import type { PaymentProvider } from '#server/modules/payments/provider.ts';
import type { Config } from '#server/platform/config.ts';
import type { Finding } from '#server/platform/settings/finding.ts';
import { variableOf } from '#server/platform/settings/scoped-settings.ts';
import { findGameFault } from './check-secrets.ts';
import { isOwnMachine } from './own-machine.ts';

export type ShopFindings = { readonly faults: Finding[]; readonly warnings: Finding[] };

/**
 * Addresses and secrets of the games, as far as they are set: whether they can be used at all, and
 * in live whether they are safe.
 */
export function checkGames(config: Config, environment: Environment): Finding[] {
  return config.scoped
    .filter((one) => (one.owner.startsWith('GAME_') || one.owner === 'REALNAME') && one.environment === environment)
    .flatMap(({ name, value, variable }): Finding[] => {
      if (name === 'SECRETS' && environment === 'demo') {
        const fault = findGameFault(value.split(',')[0]?.trim() ?? '');
        return fault?.reason === 'is no base64' ? [{ name: variable, ...fault }] : [];
      }
      if (name !== 'URL') return [];
      const remedy = 'write the https address of the game server';
      if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol))
        return [{ name: variable, reason: 'is no address', remedy }];
      if (environment === 'demo') return [];
      const { hostname, protocol } = new URL(value);
      if (protocol !== 'https:')
        return [{ name: variable, reason: 'is not https: passwords of players would travel in clear', remedy }];
      return isOwnMachine(hostname) ? [{ name: variable, reason: `leads to this machine (${hostname})`, remedy }] : [];
    });
}

const callsNobody = () => Promise.reject(new Error('a check calls nobody'));

/** Logins that refuse their own settings: else the first line of a start would be a stack. */
export function checkLogins(
  config: Config,
  logins: readonly LoginProvider[],
  environment: Environment,
  now: () => number,
): Finding[] {
  return logins.flatMap((login): Finding[] => {
    const settings = config.providerSettings(`login-${login.name}`);
    if (login.settings.some(({ isRequired, name }) => isRequired && !settings[name])) return [];
    try {
      login.open({ environment, settings, now, outbound: callsNobody, keysOutbound: callsNobody });
      return [];
    } catch (error) {
      const name = variableOf(`login-${login.name}`, environment, '*');
      return [{ name, reason: 'cannot be used', remedy: (error as Error).message.replace(/\.$/, '') }];
    }
  });
}

/** Brands that cannot sell in this environment, and channels that wait for credentials. */
export function checkBrands(
  config: Config,
  configuration: Configuration,
  providers: readonly PaymentProvider[],
  environment: Environment,
): ShopFindings {
  const missingOf = new Map(
    providers.map((provider) => [
      provider.name,
      findMissing(provider, config.providerSettings(provider.name)).map(({ name }) => name),
    ]),
  );
  const isOn = (name: string) => missingOf.get(name)?.length === 0;
  const faults: Finding[] = [];
  const brands = [...configuration.brands.values()];
  for (const id of new Set(brands.flatMap((brand) => brand.file.games))) {
    if (config.gameServer(id) !== null) continue;
    const wanted = ['URL', 'SECRETS']
      .map((setting) => variableOf(`game-${id}`, environment, setting))
      .filter((variable) => !config.scoped.some((one) => one.variable === variable));
    const sellers = brands.filter((brand) => brand.file.games.includes(id)).map(({ key }) => key);
    faults.push({
      name: `game ${id}`,
      reason: `${wanted.length === 1 ? 'lacks its address or its secret' : 'has no address and no secret'}, and ${sellers.length === 1 ? 'the brand' : 'the brands'} ${sellers.join(', ')} cannot sell it`,
      remedy: `set ${wanted.join(' and ')}`,
    });
  }
  for (const brand of brands) {
    const name = `brand ${brand.key}`;
    const { URL: address, SECRETS: secrets } = config.providerSettings('realname');
    if (brand.file.realName === 'operator' && !(address && secrets))
      faults.push({
        name,
        reason: 'asks an operator for real names, and there is none to ask, so nobody can pay',
        remedy: `set ${variableOf('realname', environment, 'URL')} and ${variableOf('realname', environment, 'SECRETS')}`,
      });
    const channels = configuration.channels.filter(
      ({ file }) =>
        (!file.brands || file.brands.includes(brand.key)) && file.regions.some((region) => brand.regions.has(region)),
    );
    if (channels.some(({ file }) => isOn(file.provider))) continue;
    const wanted = [...new Set(channels.map(({ file }) => file.provider))];
    faults.push({
      name,
      reason: 'has no payment channel that works',
      remedy:
        wanted.length > 0
          ? `set the credentials of one of ${wanted.join(', ')} (docs/providers/)`
          : 'give it a channel in channels/channels.yaml and apply it',
    });
  }
  const warnings = [...new Set(configuration.channels.map(({ file }) => file.provider))]
    .filter((provider) => !isOn(provider))
    .map((provider): Finding => {
      const keys = configuration.channels.filter(({ file }) => file.provider === provider).map(({ key }) => key);
      const missing = (missingOf.get(provider) ?? []).map((setting) => variableOf(provider, environment, setting));
      return {
        name: provider,
        reason: `is not set up, so ${keys.length === 1 ? `its channel ${keys[0]} is` : `its ${keys.length} channels are`} not offered`,
        remedy: missing.length > 0 ? `set ${missing.join(', ')}` : 'there is no such provider',
      };
    });
  return { faults, warnings };
}
