// Declares PingPong Checkout's settings, and the hosts that follow from them. No calls, no wire shapes.
import type { Environment } from '#kernel/environment.ts';
import type { SettingDeclaration } from '#server/modules/payments/provider.ts';
import { commaList } from '#server/providers/payments/kit/settings.ts';

export const settings: readonly SettingDeclaration[] = [
  {
    name: 'ACC_ID',
    isRequired: true,
    isSecret: false,
    about: 'Shop number (accId): merchant portal, Developer, Shop information.',
  },
  {
    name: 'SALT',
    isRequired: true,
    isSecret: true,
    about: 'Secret of the shop that signs requests and notices: the same page.',
  },
  {
    name: 'CLIENT_ID',
    isRequired: false,
    isSecret: false,
    about: 'Merchant number (clientId); the shop number without its last three digits unless set.',
  },
  {
    name: 'SIGN_TYPE',
    isRequired: false,
    isSecret: false,
    form: { kind: 'choice', values: ['SHA256', 'MD5'] },
    about: 'SHA256 (unless set) or MD5, as the shop was configured.',
  },
  {
    name: 'SOURCE_IPS',
    isRequired: false,
    isSecret: false,
    form: { kind: 'list', of: { kind: 'ip' } },
    about:
      'Addresses notices may come from, separated by commas; any unless set. PingPong names 3.125.243.2, ' +
      '3.126.196.22, 18.195.199.34 (live) and 52.76.198.228 (sandbox).',
  },
  {
    name: 'API_BASE',
    isRequired: false,
    isSecret: false,
    about: 'Origin of the API; the official one of the side unless set.',
  },
  {
    name: 'PAY_HOSTS',
    isRequired: false,
    isSecret: false,
    about: 'Hosts (host or host:port, separated by commas) a pay link may point to; the known ones unless set.',
  },
];

export type Settings = Readonly<Record<string, string>>;
export type SignType = 'SHA256' | 'MD5';

/** @source acquirer-api-docs-v4-en.pingpongx.com, addresses */
const API_BASES: Record<Environment, string> = {
  demo: 'https://sandbox-acquirer-payment.pingpongx.com',
  live: 'https://acquirer-payment.pingpongx.com',
};

/**
 * Hosts of `paymentUrl`.
 * @source the sandbox's from the published answer to prePay. UNSURE: the live one is made
 *   after it; PAY_HOSTS replaces it
 */
const PAY_HOSTS: Record<Environment, readonly string[]> = {
  demo: ['sandbox-acquirer-payment-ssr.pingpongx.com'],
  live: ['acquirer-payment-ssr.pingpongx.com'],
};

/** Without a slash at its end. Throws on plain http on the live side. */
export function apiBase(given: Settings, environment: Environment): string {
  const url = new URL(given['API_BASE'] || API_BASES[environment]);
  if (environment === 'live' && url.protocol !== 'https:')
    throw new Error("PingPong's live API_BASE must begin with https");
  return url.href.replace(/(?<!\/)\/+$/, '');
}

/** Throws on a SIGN_TYPE that nobody knows, so that a slip there never starts. */
export function apiHosts(given: Settings, environment: Environment): readonly string[] {
  signTypeOf(given);
  return [new URL(apiBase(given, environment)).host];
}

export function payHosts(given: Settings, environment: Environment): readonly string[] {
  const named = commaList(given['PAY_HOSTS']).map((host) => host.toLowerCase());
  return named.length > 0 ? named : PAY_HOSTS[environment];
}

/** Our two numbers. @source acquirer-api-docs-v4-en.pingpongx.com: clientId is accId without its last three digits */
export function accountOf(given: Settings): { accId: string; clientId: string } {
  const accId = given['ACC_ID'] ?? '';
  return { accId, clientId: given['CLIENT_ID'] || accId.slice(0, -3) };
}

export function signTypeOf(given: Settings): SignType {
  const named = given['SIGN_TYPE'] || 'SHA256';
  if (named === 'SHA256' || named === 'MD5') return named;
  throw new Error(`PingPong's SIGN_TYPE is SHA256 or MD5, not "${named}"`);
}

/** Returns true when a notice may come from there. */
export function isKnownSource(given: Settings, ip: string): boolean {
  const named = commaList(given['SOURCE_IPS']);
  return named.length === 0 || named.includes(ip);
}
