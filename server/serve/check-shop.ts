// Addresses and secrets of games and logins, as they are set.
import { isMetadataHost } from '#kernel/metadata-hosts.ts';
import type { Environment } from '#kernel/environment.ts';
import type { LoginProvider } from '#server/modules/accounts/logins/login-port.ts';
import type { Config } from '#server/platform/config.ts';
import type { Finding } from '#server/platform/settings/finding.ts';
import { variableOf } from '#server/platform/settings/scoped-settings.ts';
import { checkForms } from './check-forms.ts';
import { findGameFault } from './check-secrets.ts';
import { isOwnMachine } from './own-machine.ts';

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
      if (isMetadataHost(hostname))
        return [{ name: variable, reason: `leads to the credentials of a machine in a cloud (${hostname})`, remedy }];
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
    const owner = `login-${login.name}`;
    const faults = checkForms(settings, login.settings, owner, environment);
    const isOff = login.settings.some(({ isRequired, name }) => isRequired && !settings[name]);
    if (faults.length > 0 || isOff) return faults;
    try {
      login.open({ environment, settings, now, outbound: callsNobody, keysOutbound: callsNobody });
      return [];
    } catch (error) {
      const name = variableOf(owner, environment, '*');
      return [{ name, reason: 'cannot be used', remedy: (error as Error).message.replace(/\.$/, '') }];
    }
  });
}
