// Addresses of a live shop that lead nowhere good: plain http, this machine, a provider's sandbox or a stranger.
import { isMetadataHost } from '#kernel/metadata-hosts.ts';
import type { Environment } from '#kernel/environment.ts';
import { findMissing } from '#server/modules/payments/check.ts';
import type { PaymentProvider } from '#server/modules/payments/provider.ts';
import type { Config } from '#server/platform/config.ts';
import type { Finding } from '#server/platform/settings/finding.ts';
import { parseScopedName, variableOf } from '#server/platform/settings/scoped-settings.ts';
import { leadsOutside } from '#kernel/setting-form.ts';
import { checkForms } from './check-forms.ts';
import { isOwnMachine } from './own-machine.ts';
import { ALLOW_HOST, settingsOf } from './known-settings.ts';

type Settings = Readonly<Record<string, string>>;

/** The name alone tells a sandbox where a provider publishes no address at all. Our choice of words. */
const LOOKS_LIKE_SANDBOX = /(?:^|[.-])(?:sandbox|test|testing|staging|stage|uat|dev|demo)\d*(?:[.-]|$)/;

/** Of every provider that has settings in live. */
export function checkProviderAddresses(config: Config, providers: readonly PaymentProvider[]): Finding[] {
  return providers.flatMap((provider) => {
    const settings = config.providerSettings(provider.name);
    const addresses = provider.settings.filter(({ isOwnAddress, name }) => leadsOutside(name) && !isOwnAddress);
    const others = Object.fromEntries(
      Object.entries(settings).filter(([name]) => !addresses.some((one) => one.name === name)),
    );
    const live = hostsOf(provider, others, 'live');
    const official = [...live, ...(provider.officialHosts ?? [])];
    const allowed = listHosts(settings[ALLOW_HOST] ?? '');
    const rule = {
      // A provider that must be given an address has published none.
      official: addresses.some(({ isRequired }) => isRequired) ? null : [...official, ...allowed],
      sandboxes: hostsOf(provider, others, 'demo').filter((host) => !live.includes(host)),
      allowed,
      allowVariable: variableOf(provider.name, 'live', ALLOW_HOST),
    };
    return provider.settings.flatMap(({ isOwnAddress, name }) => {
      const value = settings[name];
      if (!value || !leadsOutside(name)) return [];
      const fault = findAddressFault(value, name.endsWith('HOSTS'), isOwnAddress ? { ...rule, official: null } : rule);
      return fault ? [{ name: variableOf(provider.name, 'live', name), ...fault }] : [];
    });
  });
}

/**
 * Settings of providers: each by its form, and together as the adapters of those that are on read them. In both
 * environments, for what a default would take the place of is a setting that its operator believes in.
 */
export function checkProviderSettings(
  config: Config,
  providers: readonly PaymentProvider[],
  environment: Environment,
): Finding[] {
  return providers.flatMap((provider) => {
    const settings = config.providerSettings(provider.name);
    const faults = checkForms(settings, settingsOf(provider), provider.name, environment);
    if (findMissing(provider, settings).length > 0) return faults;
    const name = variableOf(provider.name, environment, '*');
    try {
      provider.apiHosts(settings, environment);
      provider.payHosts(settings, environment);
      return faults;
    } catch (error) {
      const isKnown =
        faults.length > 0 && (error instanceof TypeError || faults.some((one) => isAbout(error as Error, one)));
      return isKnown ? faults : [...faults, { name, reason: 'cannot be used', remedy: explain(error) }];
    }
  });
}

/** Adapters name the setting in their sentence. */
const isAbout = ({ message }: Error, { name }: Finding): boolean =>
  message.includes(parseScopedName(name)?.name ?? name);

/** A URL that cannot be parsed is told by its own setting above; its text would repeat what was typed. */
function explain(error: unknown): string {
  if (error instanceof TypeError) return 'one of its addresses cannot be read';
  return (error as Error).message.replace(/\.$/, '');
}

type Rule = {
  readonly official: readonly string[] | null;
  readonly sandboxes: readonly string[];
  readonly allowed: readonly string[];
  readonly allowVariable: string;
};

function findAddressFault(value: string, isList: boolean, rule: Rule): Omit<Finding, 'name'> | null {
  // Told by its form.
  if (!isList && !URL.canParse(value)) return null;
  if (!isList && new URL(value).protocol !== 'https:')
    return {
      reason: 'is not https',
      remedy: 'credentials and amounts would travel in clear: write https, or unset it',
    };
  for (const host of isList ? listHosts(value) : [new URL(value).host]) {
    const name = host.replace(/:\d+$/, '');
    if (isMetadataHost(name))
      return { reason: `leads to the credentials of a machine in a cloud (${host})`, remedy: 'unset it' };
    if (isOwnMachine(name))
      return { reason: `leads to this machine (${host})`, remedy: 'unset it, and the official address holds' };
    if (rule.allowed.includes(host) || rule.allowed.includes(name)) continue;
    const mayAllow = `unset it, or name the host in ${rule.allowVariable} if that is what your contract says`;
    if (rule.sandboxes.includes(host) || (rule.official === null && LOOKS_LIKE_SANDBOX.test(name)))
      return { reason: `leads to a sandbox (${host}): play money would buy real goods`, remedy: mayAllow };
    if (rule.official && !rule.official.some((one) => isSameOrBelow(host, one)))
      return { reason: `leads to ${host}, which is no official host`, remedy: mayAllow };
  }
  return null;
}

/** @param pattern a host, or `*.` and a domain */
function isSameOrBelow(host: string, pattern: string): boolean {
  return pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern;
}

function listHosts(text: string): string[] {
  return text
    .split(',')
    .map((host) => host.trim().toLowerCase())
    .filter(Boolean);
}

function hostsOf(provider: PaymentProvider, settings: Settings, environment: Environment): string[] {
  try {
    return [...provider.apiHosts(settings, environment), ...provider.payHosts(settings, environment)];
  } catch {
    // Something else is missing as well; that is told where the settings are read.
    return [];
  }
}
