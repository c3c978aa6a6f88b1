// Declares Xsolla's settings and the hosts that follow from them. No calls, no wire shapes.
import type { Environment } from '#kernel/environment.ts';
import type { SettingDeclaration } from '#server/modules/payments/provider.ts';
import { commaList } from '#server/providers/payments/kit/settings.ts';

const ID = { kind: 'other', one: '1 to 15 digits', fits: (text: string) => /^[1-9]\d{0,14}$/.test(text) } as const;

export const settings: readonly SettingDeclaration[] = [
  {
    name: 'MERCHANT_ID',
    isRequired: true,
    isSecret: false,
    form: ID,
    about: 'Merchant ID: Publisher Account, Company settings, Company.',
  },
  {
    name: 'PROJECT_ID',
    isRequired: true,
    isSecret: false,
    form: ID,
    about: 'Project ID: Publisher Account, beside the name of the project.',
  },
  {
    name: 'API_KEY',
    isRequired: true,
    isSecret: true,
    about: 'API key valid for all projects of the company: Publisher Account, Company settings, API keys.',
  },
  {
    name: 'PROJECT_SECRET',
    isRequired: true,
    isSecret: true,
    form: { kind: 'list', of: { kind: 'text' } },
    about:
      'Secret key that signs webhooks: project settings, Webhooks; the old and the new one, separated by a ' +
      'comma, while it changes.',
  },
  {
    name: 'API_BASE',
    isRequired: false,
    isSecret: false,
    about: 'Origin of the merchant API; https://api.xsolla.com unless set.',
  },
  {
    name: 'PAY_STATION_BASE',
    isRequired: false,
    isSecret: false,
    about: 'Origin of the page the player pays on; the official one of the environment unless set.',
  },
  {
    name: 'PAY_HOSTS',
    isRequired: false,
    isSecret: false,
    about:
      'Hosts (host or host:port, separated by commas) a pay link may point to; the host of PAY_STATION_BASE ' +
      'unless set.',
  },
];

type Settings = Readonly<Record<string, string>>;

/** @source github.com/xsolla/xsolla-sdk-php: one API host for sandbox and live, two hosts of the pay page */
const API = 'https://api.xsolla.com';
const PAY_STATION: Record<Environment, string> = {
  demo: 'https://sandbox-secure.xsolla.com',
  live: 'https://secure.xsolla.com',
};

/** Origin without a slash at its end. Throws when it is no URL, or plain http on the live side. */
export function apiBase(given: Settings, environment: Environment): string {
  return origin(given['API_BASE'] || API, environment);
}

/** Address of the pay page of one token. */
export function payStationUrl(given: Settings, environment: Environment, token: string): string {
  const base = origin(given['PAY_STATION_BASE'] || PAY_STATION[environment], environment);
  return `${base}/paystation4/?token=${encodeURIComponent(token)}`;
}

export function apiHosts(given: Settings, environment: Environment): readonly string[] {
  return [new URL(apiBase(given, environment)).host];
}

export function payHosts(given: Settings, environment: Environment): readonly string[] {
  const named = commaList(given['PAY_HOSTS']).map((host) => host.toLowerCase());
  return named.length > 0 ? named : [new URL(given['PAY_STATION_BASE'] || PAY_STATION[environment]).host];
}

/** Keys that may have signed a webhook. Empty means nothing can be believed: sha1(body) alone anybody can compute. */
export function signingKeys(given: Settings): readonly string[] {
  return commaList(given['PROJECT_SECRET']);
}

function origin(text: string, environment: Environment): string {
  const url = new URL(text);
  if (environment === 'live' && url.protocol !== 'https:')
    throw new Error('live addresses of Xsolla must begin with https');
  return url.href.replace(/(?<!\/)\/+$/, '');
}
