// Declares MyCard's settings, and the hosts, paths and addresses that follow from them. No calls, no wire shapes.
import type { Environment } from '#kernel/environment.ts';
import type { SettingDeclaration } from '#server/modules/payments/provider.ts';
import { commaList } from '#server/providers/payments/kit/settings.ts';

const VERSIONS = ['api', 'v1.1', 'v1.2', 'v1.6'] as const;

export const settings: readonly SettingDeclaration[] = [
  {
    name: 'FAC_SERVICE_ID',
    isRequired: true,
    isSecret: false,
    about: 'Service id (FacServiceId) that MyCard gave with the contract.',
  },
  {
    name: 'KEY',
    isRequired: true,
    isSecret: true,
    about: 'Vendor key of that service, at most 32 letters and digits: from the same letter of MyCard.',
  },
  {
    name: 'FAC_GAME_ID',
    isRequired: false,
    isSecret: false,
    about: 'Game id (FacGameId) that MyCard gave; empty unless set.',
  },
  {
    name: 'FAC_GAME_NAME',
    isRequired: false,
    isSecret: false,
    about: "Game name (FacGameName) as registered with MyCard; the brand's name unless set.",
  },
  {
    name: 'PATH_VERSION',
    isRequired: false,
    isSecret: false,
    form: { kind: 'choice', values: VERSIONS },
    about: 'Version in the path of the API that the contract names: api, v1.1, v1.2 or v1.6; v1.6 unless set.',
  },
  {
    name: 'HASH_STYLE',
    isRequired: false,
    isSecret: false,
    form: { kind: 'choice', values: ['lower', 'escapes'] },
    about:
      'How MyCard hashes: "lower" (everything in lower case) or "escapes" (only the percent escapes); by ' +
      'PATH_VERSION unless set.',
  },
  {
    name: 'CONFIRMED_CODES',
    isRequired: false,
    isSecret: false,
    form: { kind: 'list', of: { kind: 'text' } },
    about:
      'ReturnCodes of PaymentConfirm, separated by commas, that say "confirmed before": from the list of codes ' +
      'in the manual; none unless set.',
  },
  {
    name: 'CALLBACK_IPS',
    isRequired: false,
    isSecret: false,
    form: { kind: 'list', of: { kind: 'ip' } },
    about: 'Addresses MyCard calls from, separated by commas; the known ones unless set.',
  },
  {
    name: 'API_BASE',
    isRequired: false,
    isSecret: false,
    about: 'Address of the API without its version, ending in /MyBillingPay; made from the environment unless set.',
  },
  {
    name: 'PAY_BASE',
    isRequired: false,
    isSecret: false,
    about: "Address of the player's page, to which AuthCode is added; made from the environment unless set.",
  },
  {
    name: 'PAY_HOSTS',
    isRequired: false,
    isSecret: false,
    about: 'Hosts (host or host:port, separated by commas) the page may be at; the official ones unless set.',
  },
];

export type Settings = Readonly<Record<string, string>>;

/**
 * @source public integrations of MyBillingPay (github.com/xxtime/omnipay-mycard and others) agree on these.
 * UNSURE: MyCard's manual itself is given to contracted vendors only; an older sandbox is test.b2b.mycard520.com.tw.
 */
const API_BASES: Record<Environment, string> = {
  demo: 'https://testb2b.mycard520.com.tw/MyBillingPay',
  live: 'https://b2b.mycard520.com.tw/MyBillingPay',
};
const PAY_BASES: Record<Environment, string> = {
  demo: 'https://test.mycard520.com.tw/MyCardPay/',
  live: 'https://www.mycard520.com.tw/MyCardPay/',
};

/** @source the same integrations. UNSURE: complete? CALLBACK_IPS replaces them. */
const CALLBACK_IPS: Record<Environment, readonly string[]> = {
  demo: ['218.32.37.148', '40.83.124.36'],
  live: ['220.130.127.125', '210.71.189.165', '210.71.189.161', '40.81.30.67', '40.81.29.75'],
};

export type PathVersion = (typeof VERSIONS)[number];

/** `lower`: v1.2 and later. `escapes`: v1.0 and v1.1. */
export type HashStyle = 'lower' | 'escapes';

/** Throws when it is set to a version nobody knows. "api" is v1.0. */
export function pathVersion(given: Settings): PathVersion {
  const set = given['PATH_VERSION'] || 'v1.6';
  const version = VERSIONS.find((one) => one === set);
  if (!version) throw new Error(`MyCard's PATH_VERSION must be one of ${VERSIONS.join(', ')}`);
  return version;
}

/** Throws when it is set to a word that is none of the two. */
export function hashStyle(given: Settings): HashStyle {
  const set = given['HASH_STYLE'] ?? '';
  if (set === '') return ['api', 'v1.1'].includes(pathVersion(given)) ? 'escapes' : 'lower';
  if (set !== 'lower' && set !== 'escapes') throw new Error('MyCard\'s HASH_STYLE must be "lower" or "escapes"');
  return set;
}

/**
 * Address of the API with its version, without a slash at its end. Throws on a version nobody knows and on
 * plain http on the live side.
 */
export function apiBase(given: Settings, environment: Environment): string {
  const url = new URL(given['API_BASE'] || API_BASES[environment]);
  if (environment === 'live' && url.protocol !== 'https:')
    throw new Error("MyCard's live API_BASE must begin with https");
  return `${url.href.replace(/(?<!\/)\/+$/, '')}/${pathVersion(given)}`;
}

/** Throws also when HASH_STYLE is no style: a shop must hear of it at its start, not at its first payment. */
export function apiHosts(given: Settings, environment: Environment): readonly string[] {
  hashStyle(given);
  return [new URL(apiBase(given, environment)).host];
}

/** The player's page of an authorised trade. */
export function payPageUrl(given: Settings, environment: Environment, authCode: string): string {
  const url = new URL(given['PAY_BASE'] || PAY_BASES[environment]);
  url.searchParams.set('AuthCode', authCode);
  return url.href;
}

export function payHosts(given: Settings, environment: Environment): readonly string[] {
  const named = commaList(given['PAY_HOSTS']).map((host) => host.toLowerCase());
  return named.length > 0 ? named : [new URL(given['PAY_BASE'] || PAY_BASES[environment]).host];
}

export function isConfirmedCode(given: Settings, code: string): boolean {
  return commaList(given['CONFIRMED_CODES']).includes(code);
}

/** Returns true when MyCard calls from there: whole addresses are compared, as MyCard names no networks. */
export function isCallbackIp(given: Settings, environment: Environment, ip: string): boolean {
  const named = commaList(given['CALLBACK_IPS']);
  // A dual-stack socket writes this before an IPv4 address.
  const caller = ip.replace(/^::ffff:(?=\d+\.)/i, '');
  return (named.length > 0 ? named : CALLBACK_IPS[environment]).includes(caller);
}
