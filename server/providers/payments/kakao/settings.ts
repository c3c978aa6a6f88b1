// Declares KakaoPay's settings and the hosts that follow from them. No calls, no wire shapes.
import type { Environment } from '#kernel/environment.ts';
import type { SettingDeclaration } from '#server/modules/payments/provider.ts';

export const settings: readonly SettingDeclaration[] = [
  {
    name: 'SECRET_KEY',
    isRequired: true,
    isSecret: true,
    about: 'Secret key of the application, "Secret key (dev)" for sandbox: KakaoPay Developers, application, keys.',
  },
  {
    name: 'CID',
    isRequired: true,
    isSecret: false,
    about: 'Merchant code of 10 characters from the contract; TC0ONETIME for sandbox.',
  },
  {
    name: 'API_BASE',
    isRequired: false,
    isSecret: false,
    about: 'Origin of the API; https://open-api.kakaopay.com unless set.',
  },
  {
    name: 'PAY_HOSTS',
    isRequired: false,
    isSecret: false,
    about: 'Hosts (host or host:port, separated by commas) of the pay page; the ones known today unless set.',
  },
];

type Settings = Readonly<Record<string, string>>;

/** One host for both sides: the key and the CID decide. @source developers.kakaopay.com, single payment */
const API = 'https://open-api.kakaopay.com';

/** The CID of KakaoPay's own test shop. @source developers.kakaopay.com, test payments */
const TEST_CID = 'TC0ONETIME';

/**
 * Hosts of `next_redirect_pc_url` and `next_redirect_mobile_url`.
 * UNSURE: from memory, the guide shows the addresses only as examples; PAY_HOSTS replaces them.
 */
const PAY_HOSTS: readonly string[] = ['online-payment.kakaopay.com', 'online-pay.kakao.com', 'mockup-pg-web.kakao.com'];

/**
 * Origin without a slash at its end. Throws when it is no URL, plain http on the live side, or the live side
 * has the CID of the test shop.
 */
export function apiBase(given: Settings, environment: Environment): string {
  const url = new URL(given['API_BASE'] || API);
  if (environment === 'live' && url.protocol !== 'https:')
    throw new Error("KakaoPay's live API_BASE must begin with https");
  // Both sides share their host, so nothing else would notice that purchases of the live side cost nothing.
  if (environment === 'live' && given['CID'] === TEST_CID) throw new Error(`KakaoPay's live CID cannot be ${TEST_CID}`);
  return url.href.replace(/(?<!\/)\/+$/, '');
}

export function apiHosts(given: Settings, environment: Environment): readonly string[] {
  return [new URL(apiBase(given, environment)).host];
}

export function payHosts(given: Settings): readonly string[] {
  const named = (given['PAY_HOSTS'] ?? '').split(',').map((host) => host.trim().toLowerCase());
  const filled = named.filter((host) => host !== '');
  return filled.length > 0 ? filled : PAY_HOSTS;
}
