// Declares Naver Pay's settings and the hosts that follow from them. No calls, no wire shapes.
import type { Environment } from '#kernel/environment.ts';
import type { SettingDeclaration } from '#server/modules/payments/provider.ts';

export const settings: readonly SettingDeclaration[] = [
  {
    name: 'CLIENT_ID',
    isRequired: true,
    isSecret: false,
    about: 'Client id of the partner: Naver Pay Developers, or the mail with which Naver Pay opened the contract.',
  },
  {
    name: 'CLIENT_SECRET',
    isRequired: true,
    isSecret: true,
    about: 'Client secret that came with the client id.',
  },
  {
    name: 'CHAIN_ID',
    isRequired: true,
    isSecret: false,
    about: 'Chain id of the shop inside the partner account, from the same mail.',
  },
  {
    name: 'PARTNER_ID',
    isRequired: false,
    isSecret: false,
    about: 'Partner id in the addresses of the API; naverpay-partner unless Naver Pay gave another one.',
  },
  {
    name: 'API_BASE',
    isRequired: false,
    isSecret: false,
    about: 'Origin of the API; the newer host of the environment unless set (older contracts: https://apis.naver.com).',
  },
  {
    name: 'PAY_BASE',
    isRequired: false,
    isSecret: false,
    about: 'Origin of the page the player pays on; the official one of the environment unless set.',
  },
];

type Settings = Readonly<Record<string, string>>;

/**
 * @source docs.pay.naver.com: pay.paygate.naver.com, as public integrations quote it;
 *   developers.pay.naver.com/docs/v2/api has apis.naver.com UNSURE: which of the two a contract is opened for; API_BASE
 * changes it.
 */
const API: Record<Environment, string> = {
  demo: 'https://dev-pay.paygate.naver.com',
  live: 'https://pay.paygate.naver.com',
};

/** @source developers.pay.naver.com/docs/v2/api, payment page */
const PAGE: Record<Environment, string> = { demo: 'https://test-m.pay.naver.com', live: 'https://m.pay.naver.com' };

const PARTNER = 'naverpay-partner';

/**
 * Address of one call.
 * @param call with its version: "v2.2/apply/payment"
 * @source developers.pay.naver.com: https://{host}/{partnerId}/naverpay/payments/{version}/{api}
 */
export function apiUrl(given: Settings, environment: Environment, call: string): string {
  const partner = encodeURIComponent(given['PARTNER_ID'] || PARTNER);
  return `${origin(given['API_BASE'] || API[environment], environment)}/${partner}/naverpay/payments/${call}`;
}

export function payPageUrl(given: Settings, environment: Environment, reserveId: string): string {
  return `${origin(given['PAY_BASE'] || PAGE[environment], environment)}/payments/${encodeURIComponent(reserveId)}`;
}

export function apiHosts(given: Settings, environment: Environment): readonly string[] {
  return [new URL(apiUrl(given, environment, '')).host];
}

export function payHosts(given: Settings, environment: Environment): readonly string[] {
  return [new URL(payPageUrl(given, environment, '')).host];
}

/** Without a slash at its end. Throws when it is no URL, or plain http on the live side. */
function origin(text: string, environment: Environment): string {
  const url = new URL(text);
  if (environment === 'live' && url.protocol !== 'https:')
    throw new Error('live addresses of Naver Pay must begin with https');
  return url.href.replace(/(?<!\/)\/+$/, '');
}
