// Declares Alipay's settings, the protocol that they choose of its two, and the hosts that follow from them. No calls,
// no wire shapes.
import type { Environment } from '#kernel/environment.ts';
import type { SettingDeclaration } from '#server/modules/payments/provider.ts';
import { isPrivateKey, isPublicKey } from './rsa.ts';

export const settings: readonly SettingDeclaration[] = [
  {
    name: 'PROTOCOL',
    isRequired: false,
    isSecret: false,
    form: { kind: 'choice', values: ['antom', 'open_platform'] },
    about:
      '"antom" (the global product, unless set) or "open_platform" (merchants in mainland China, CNY): what your ' +
      'contract says.',
  },
  {
    name: 'CLIENT_ID',
    isRequired: true,
    isSecret: false,
    about: 'Antom: the client id, Dashboard, Developer, Quick start. Open Platform: the app_id of the application.',
  },
  {
    name: 'PRIVATE_KEY',
    isRequired: true,
    isSecret: true,
    form: { kind: 'other', one: 'an RSA key in base64 or PEM', fits: isPrivateKey },
    about: 'Your own RSA-2048 private key, whose public half you gave Alipay; base64 without its PEM lines, or PEM.',
  },
  {
    name: 'PUBLIC_KEY',
    isRequired: true,
    isSecret: false,
    form: { kind: 'list', of: { kind: 'other', one: 'a public RSA key', many: 'public RSA keys', fits: isPublicKey } },
    about:
      "Alipay's public key (not your own) from the same page, base64; several, separated by commas, while it changes.",
  },
  {
    name: 'SELLER_ID',
    isRequired: false,
    isSecret: false,
    about: 'Open Platform only, and needed there: the seller id (PID), 2088 and twelve more digits; notices name it.',
  },
  {
    name: 'KEY_VERSION',
    isRequired: false,
    isSecret: false,
    form: { kind: 'whole', min: 1, max: 999_999 },
    about: 'Antom only: version of your key as the Dashboard shows it; 1 unless set.',
  },
  {
    name: 'PAYMENT_METHOD',
    isRequired: false,
    isSecret: false,
    about: 'Antom only: payment method of a channel that names none (its channelId is empty); ALIPAY_CN unless set.',
  },
  {
    name: 'SETTLEMENT_CURRENCY',
    isRequired: false,
    isSecret: false,
    form: { kind: 'currency' },
    about: 'Antom only: the currency you are settled in, when your contract has more than one.',
  },
  {
    name: 'MERCHANT_REGION',
    isRequired: false,
    isSecret: false,
    form: { kind: 'other', one: 'a country of two capitals', fits: (text) => /^[A-Z]{2}$/.test(text) },
    about: 'Antom only: your country, two letters, when your contract asks for it.',
  },
  {
    name: 'API_BASE',
    isRequired: false,
    isSecret: false,
    about:
      'Origin of the gateway. Antom: https://open-sea-global.alipay.com (Asia, unless set), ' +
      'https://open-na-global.alipay.com (North America), https://open-de-global.alipay.com (Europe), ' +
      'https://open.antglobal-us.com (US merchants).',
  },
  {
    name: 'PAY_HOSTS',
    isRequired: false,
    isSecret: false,
    about:
      'Hosts (host or host:port, separated by commas) a pay link may point to; those seen in the documentation ' +
      'unless set.',
  },
];

export type Settings = Readonly<Record<string, string>>;
export type Protocol = 'antom' | 'open_platform';

/** Throws when PROTOCOL is another word: a slip there would speak the wrong language to the wrong host. */
export function protocolOf(given: Settings): Protocol {
  const named = given['PROTOCOL'] || 'antom';
  if (named === 'antom' || named === 'open_platform') return named;
  throw new Error(`Alipay's PROTOCOL is "antom" or "open_platform", not "${named}"`);
}

/**
 * @source docs.antom.com, API overview (Antom, one host for both sides); opendocs.alipay.com (gateway);
 * UNSURE: the Open Platform's sandbox host is from public integrations, API_BASE replaces it
 */
const API_BASES: Record<Protocol, Record<Environment, string>> = {
  antom: { demo: 'https://open-sea-global.alipay.com', live: 'https://open-sea-global.alipay.com' },
  open_platform: { demo: 'https://openapi-sandbox.dl.alipaydev.com', live: 'https://openapi.alipay.com' },
};

/** @source docs.antom.com, API overview: gateways by region; the setting API_BASE lists them */
export const OFFICIAL_HOSTS = [
  'open-sea-global.alipay.com',
  'open-na-global.alipay.com',
  'open-de-global.alipay.com',
  'open.antglobal-us.com',
];

/**
 * Hosts that Antom's `normalUrl` is known to point to.
 * @source docs.antom.com, "Hosted mode" (checkout.antom.com) and "How to use the payment
 *   continuation URL" (global.alipay.com)
 * UNSURE: the rest is from memory and other wallets bring hosts of their own; PAY_HOSTS replaces the list
 */
const ANTOM_PAY_HOSTS = [
  'checkout.antom.com',
  'global.alipay.com',
  'ac.alipay.com',
  'open-sea-global.alipay.com',
  'open-na-global.alipay.com',
  'open-de-global.alipay.com',
];

/** Without a slash at its end. Throws on plain http on the live side. */
export function apiBase(given: Settings, environment: Environment): string {
  const url = new URL(given['API_BASE'] || API_BASES[protocolOf(given)][environment]);
  if (environment === 'live' && url.protocol !== 'https:')
    throw new Error("Alipay's live API_BASE must begin with https");
  return url.href.replace(/(?<!\/)\/+$/, '');
}

/** Throws one sentence when the settings do not make a whole, so that a half-set Alipay never starts. */
export function apiHosts(given: Settings, environment: Environment): readonly string[] {
  if (protocolOf(given) === 'open_platform' && !given['SELLER_ID'])
    throw new Error("Alipay's Open Platform needs SELLER_ID");
  return [new URL(apiBase(given, environment)).host];
}

export function payHosts(given: Settings, environment: Environment): readonly string[] {
  const named = (given['PAY_HOSTS'] ?? '')
    .split(',')
    .map((host) => host.trim().toLowerCase())
    .filter((host) => host !== '');
  if (named.length > 0) return named;
  return protocolOf(given) === 'antom' ? ANTOM_PAY_HOSTS : [new URL(apiBase(given, environment)).host];
}

/**
 * A report names this as the account the money went to: the client at Antom, application and seller on the Open
 * Platform.
 */
export function accountOf(given: Settings): string | null {
  const client = given['CLIENT_ID'];
  if (!client) return null;
  return protocolOf(given) === 'antom' ? client : `${client}/${given['SELLER_ID'] ?? ''}`;
}
