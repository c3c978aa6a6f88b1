// Declares Pagsmile's settings and the hosts that follow from them. No calls, no wire shapes.
import { DAY_SECONDS } from '#kernel/time.ts';
import type { Environment } from '#kernel/environment.ts';
import type { SettingDeclaration } from '#server/modules/payments/provider.ts';
import { commaList, wholeSetting } from '#server/providers/payments/kit/settings.ts';

/** Our choice: a week, several times as long as Pagsmile repeats a notification. */
const LONGEST_MAX_AGE_SECONDS = 604_800;

export const settings: readonly SettingDeclaration[] = [
  {
    name: 'APP_ID',
    isRequired: true,
    isSecret: false,
    about: 'Id of the application the money goes to, 17 digits: Pagsmile dashboard, Apps.',
  },
  {
    name: 'SECRET_KEYS',
    isRequired: true,
    isSecret: true,
    form: { kind: 'list', of: { kind: 'text' } },
    about:
      'Security key of the application, "Pagsmile_sk_...": Pagsmile dashboard, Apps; several, separated by ' +
      'commas, while it changes: calls use the first.',
  },
  {
    name: 'API_BASE',
    isRequired: false,
    isSecret: false,
    about: 'Address of the gateway without /trade; made from the environment unless set.',
  },
  {
    name: 'PAY_HOSTS',
    isRequired: false,
    isSecret: false,
    about: 'Hosts (host or host:port, separated by commas) the checkout page may be on; the known ones unless set.',
  },
  {
    name: 'WEBSITE_URL',
    isRequired: false,
    isSecret: false,
    isOwnAddress: true,
    about: 'Address of the shop as registered with Pagsmile, where they ask for it in every order.',
  },
  {
    name: 'NOTIFY_MAX_AGE_SECONDS',
    isRequired: false,
    isSecret: false,
    form: { kind: 'whole', min: 1, max: LONGEST_MAX_AGE_SECONDS },
    about: 'How far the time beside the signature may be from ours; 86400 unless set.',
  },
  {
    name: 'NOTIFY_IPS',
    isRequired: false,
    isSecret: false,
    form: { kind: 'list', of: { kind: 'ip' } },
    about: 'Addresses notifications may come from, separated by commas: ask Pagsmile for them; any unless set.',
  },
];

type Settings = Readonly<Record<string, string>>;

/** @source docs.pagsmile.com, environments */
const API_BASE: Record<Environment, string> = {
  demo: 'https://gateway-test.pagsmile.com',
  live: 'https://gateway.pagsmile.com',
};

/**
 * @source docs.pagsmile.com, checkout page: hosts of `web_url` in the examples. UNSURE: other regions may have their
 * own; PAY_HOSTS replaces them
 */
const PAY_HOSTS: Record<Environment, readonly string[]> = {
  demo: ['checkout-testv2.pagsmile.com', 'checkout-test.pagsmile.com'],
  live: ['checkout.pagsmile.com'],
};

/** Our choice: a day covers the last repeat, 14 hours after the first, should it carry the first one's time. */
const NOTIFY_MAX_AGE_SECONDS = DAY_SECONDS;

/** Address of the gateway without a slash at its end. Throws for plain http on the live side. */
export function apiBase(given: Settings, environment: Environment): string {
  const url = new URL(given['API_BASE'] || API_BASE[environment]);
  if (environment === 'live' && url.protocol !== 'https:')
    throw new Error("Pagsmile's live API_BASE must begin with https");
  return url.href.replace(/(?<!\/)\/+$/, '');
}

export function apiHosts(given: Settings, environment: Environment): readonly string[] {
  return [new URL(apiBase(given, environment)).host];
}

export function payHosts(given: Settings, environment: Environment): readonly string[] {
  const named = commaList(given['PAY_HOSTS']).map((host) => host.toLowerCase());
  return named.length > 0 ? named : PAY_HOSTS[environment];
}

/** Keys that may have signed a notification; calls use the first. None is empty: with an empty key anybody can sign. */
export function secretKeys(given: Settings): readonly string[] {
  return commaList(given['SECRET_KEYS']);
}

/** Throws for what is no whole number. */
export function notifyMaxAgeMs(given: Settings): number {
  return wholeSetting(given, 'NOTIFY_MAX_AGE_SECONDS', NOTIFY_MAX_AGE_SECONDS) * 1000;
}

/** Returns true when a notification may come from this address; no list lets all in. */
export function isNotifyIp(given: Settings, ip: string): boolean {
  const ips = commaList(given['NOTIFY_IPS']);
  return ips.length === 0 || ips.includes(ip.replace(/^::ffff:/, ''));
}
