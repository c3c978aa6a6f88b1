// Declares PayerMax's settings, and the hosts that follow from them. No calls, no wire shapes.
import type { Environment } from '#kernel/environment.ts';
import type { SettingDeclaration } from '#server/modules/payments/provider.ts';
import { isPrivateKey, isPublicKey } from './rsa.ts';

export const settings: readonly SettingDeclaration[] = [
  {
    name: 'MERCHANT_NO',
    isRequired: true,
    isSecret: false,
    about: 'Merchant number: Merchant Portal (MMC), Developer, Basic configuration.',
  },
  {
    name: 'APP_ID',
    isRequired: true,
    isSecret: false,
    about: 'App id of the application the shop is: the same page.',
  },
  {
    name: 'PRIVATE_KEY',
    isRequired: true,
    isSecret: true,
    form: { kind: 'other', one: 'a PKCS#8 key in base64 or PEM', fits: isPrivateKey },
    about: 'Your own RSA-2048 private key (PKCS#8, base64), whose public half you uploaded there.',
  },
  {
    name: 'PUBLIC_KEY',
    isRequired: true,
    isSecret: false,
    form: { kind: 'list', of: { kind: 'other', one: 'a public RSA key', many: 'public RSA keys', fits: isPublicKey } },
    about:
      "PayerMax's public key (not your own), base64, from the same page; several, separated by commas, while " +
      'it changes.',
  },
  {
    name: 'SP_MERCHANT_NO',
    isRequired: false,
    isSecret: false,
    about: 'Only for shops of a service provider (ISV): its merchant number.',
  },
  {
    name: 'MERCHANT_AUTH_TOKEN',
    isRequired: false,
    isSecret: true,
    about: 'Only for shops of a service provider (ISV): the token you authorised it by.',
  },
  {
    name: 'API_BASE',
    isRequired: false,
    isSecret: false,
    about: 'Address of the gateway without the name of a call; the official one of the side unless set.',
  },
  {
    name: 'PAY_HOSTS',
    isRequired: false,
    isSecret: false,
    about: 'Hosts (host or host:port, separated by commas) a pay link may point to; the known ones unless set.',
  },
];

export type Settings = Readonly<Record<string, string>>;

/** @source docs.payermax.com, request addresses; github.com/payermax-all/payermax-server-sdk */
const API_BASES: Record<Environment, string> = {
  demo: 'https://pay-gate-uat.payermax.com/aggregate-pay/api/gateway',
  live: 'https://pay-gate.payermax.com/aggregate-pay/api/gateway',
};

/**
 * Hosts of the cashier.
 * @source docs.payermax.com, orderAndPay, redirectUrl (live). UNSURE: the sandbox's host is from
 *   memory; PAY_HOSTS replaces it
 */
const PAY_HOSTS: Record<Environment, readonly string[]> = {
  demo: ['cashier-n-uat.payermax.com', 'cashier-n.payermax.com'],
  live: ['cashier-n.payermax.com'],
};

/** Without a slash at its end. Throws on plain http on the live side. */
export function apiBase(given: Settings, environment: Environment): string {
  const url = new URL(given['API_BASE'] || API_BASES[environment]);
  if (environment === 'live' && url.protocol !== 'https:')
    throw new Error("PayerMax's live API_BASE must begin with https");
  return url.href.replace(/(?<!\/)\/+$/, '');
}

export function apiHosts(given: Settings, environment: Environment): readonly string[] {
  return [new URL(apiBase(given, environment)).host];
}

export function payHosts(given: Settings, environment: Environment): readonly string[] {
  const named = (given['PAY_HOSTS'] ?? '')
    .split(',')
    .map((host) => host.trim().toLowerCase())
    .filter((host) => host !== '');
  return named.length > 0 ? named : PAY_HOSTS[environment];
}
