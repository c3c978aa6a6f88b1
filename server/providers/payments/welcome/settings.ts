// Declares Welcome Payments' settings and the hosts that follow from them. No calls, no wire shapes.
import type { Environment } from '#kernel/environment.ts';
import type { SettingDeclaration } from '#server/modules/payments/provider.ts';

export const settings: readonly SettingDeclaration[] = [
  {
    name: 'MID',
    isRequired: true,
    isSecret: false,
    about: 'Merchant id of 10 characters, from the contract; test ids work on the test hosts only.',
  },
  {
    name: 'SIGN_KEY',
    isRequired: true,
    isSecret: true,
    about:
      'Sign key that belongs to the merchant id: merchant console, or the mail with which the contract was opened.',
  },
  {
    name: 'BUYER_TEL',
    isRequired: true,
    isSecret: false,
    about:
      'Telephone number told for the payer, because Welcome demands one and the shop knows none: your own ' +
      'service number.',
  },
  {
    name: 'PC_BASE',
    isRequired: false,
    isSecret: false,
    about: 'Origin of the desktop script; the official one of the environment unless set.',
  },
  {
    name: 'MOBILE_BASE',
    isRequired: false,
    isSecret: false,
    about: 'Origin of the page for phones; the official one of the environment unless set.',
  },
  {
    name: 'API_BASE',
    isRequired: false,
    isSecret: false,
    about: 'Origin of the PAYAPI, for cancellations; the official one of the environment unless set.',
  },
  {
    name: 'APPROVAL_HOSTS',
    isRequired: false,
    isSecret: false,
    about:
      'Hosts (host or host:port, separated by commas) the approval of a payment may be asked of; those of the ' +
      'script and the page for phones unless set.',
  },
];

type Settings = Readonly<Record<string, string>>;

/** @source github.com/paywelcome/paywelcome.github.io (2022) */
const PC: Record<Environment, string> = {
  demo: 'https://tstdpay.paywelcome.co.kr',
  live: 'https://stdpay.paywelcome.co.kr',
};
const MOBILE: Record<Environment, string> = {
  demo: 'https://tmobile.paywelcome.co.kr',
  live: 'https://mobile.paywelcome.co.kr',
};
const API: Record<Environment, string> = {
  demo: 'https://tpayapi.paywelcome.co.kr',
  live: 'https://payapi.paywelcome.co.kr',
};

/** Address of the desktop script. @source the vendor's manual, PC Web Standard */
export function scriptUrl(given: Settings, environment: Environment): string {
  return `${origin(given['PC_BASE'] || PC[environment], environment)}/stdjs/WelStdPay.js`;
}

/** The overlay's own parts come from these, as a content policy writes it. */
export function scriptSources(given: Settings, environment: Environment): readonly string[] {
  return given['PC_BASE'] ? [new URL(scriptUrl(given, environment)).origin] : ['https://*.paywelcome.co.kr'];
}

/** @param way "wcard", "bank", "mobile" */
export function mobileUrl(given: Settings, environment: Environment, way: string): string {
  return `${origin(given['MOBILE_BASE'] || MOBILE[environment], environment)}/smart/${way}/`;
}

/** @param verb `repay`: of a part, or of what is left after parts */
export function cancelUrl(given: Settings, environment: Environment, verb: 'cancel' | 'repay' = 'cancel'): string {
  return `${origin(given['API_BASE'] || API[environment], environment)}/cancel/${verb}`;
}

export function payHosts(given: Settings, environment: Environment): readonly string[] {
  return [new URL(scriptUrl(given, environment)).host, new URL(mobileUrl(given, environment, 'wcard')).host];
}

/** UNSURE: whether transactions are ever sent to other hosts than these two; APPROVAL_HOSTS names them then. */
function approvalHosts(given: Settings, environment: Environment): readonly string[] {
  const named = (given['APPROVAL_HOSTS'] ?? '').split(',').map((host) => host.trim().toLowerCase());
  const filled = named.filter((host) => host !== '');
  return filled.length > 0 ? filled : payHosts(given, environment);
}

export function apiHosts(given: Settings, environment: Environment): readonly string[] {
  return [...new Set([new URL(cancelUrl(given, environment)).host, ...approvalHosts(given, environment)])];
}

/**
 * Returns true when an address that came through the browser may be called. Anybody can write one there: only https,
 * only hosts of the provider, nothing that hides another host.
 * @source the vendor's manual has authUrl, netCancelUrl and P_REQ_URL in the browser's answer
 */
export function isApprovalUrl(given: Settings, environment: Environment, text: string | undefined): text is string {
  if (text === undefined || text.length > 500 || !URL.canParse(text)) return false;
  const url = new URL(text);
  const isProtocolFit = url.protocol === 'https:' || (url.protocol === 'http:' && environment === 'demo');
  return (
    isProtocolFit && url.username === '' && url.password === '' && approvalHosts(given, environment).includes(url.host)
  );
}

/** Without a slash at its end. Throws when it is no URL, or plain http on the live side. */
function origin(text: string, environment: Environment): string {
  const url = new URL(text);
  if (environment === 'live' && url.protocol !== 'https:')
    throw new Error('live addresses of Welcome must begin with https');
  return url.href.replace(/(?<!\/)\/+$/, '');
}
