// What an operator sets for Welcome Payments and which hosts follow from it. No calls, no wire shapes.
import type { Mode, SettingDeclaration } from '#server/modules/payments/provider.ts';

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
      'Telephone number told for the payer, because Welcome demands one and the shop knows none: your own service number.',
  },
  {
    name: 'PC_BASE',
    isRequired: false,
    isSecret: false,
    about: 'Origin of the desktop script; the official one of the mode unless set.',
  },
  {
    name: 'MOBILE_BASE',
    isRequired: false,
    isSecret: false,
    about: 'Origin of the page for phones; the official one of the mode unless set.',
  },
  {
    name: 'API_BASE',
    isRequired: false,
    isSecret: false,
    about: 'Origin of the PAYAPI, for cancellations; the official one of the mode unless set.',
  },
  {
    name: 'APPROVAL_HOSTS',
    isRequired: false,
    isSecret: false,
    about:
      'Hosts (host or host:port, separated by commas) the approval of a payment may be asked of; those of the script and the page for phones unless set.',
  },
];

type Settings = Readonly<Record<string, string>>;

/** @source github.com/paywelcome/paywelcome.github.io (2022) */
const PC: Record<Mode, string> = {
  sandbox: 'https://tstdpay.paywelcome.co.kr',
  live: 'https://stdpay.paywelcome.co.kr',
};
const MOBILE: Record<Mode, string> = {
  sandbox: 'https://tmobile.paywelcome.co.kr',
  live: 'https://mobile.paywelcome.co.kr',
};
const API: Record<Mode, string> = {
  sandbox: 'https://tpayapi.paywelcome.co.kr',
  live: 'https://payapi.paywelcome.co.kr',
};

/** Address of the desktop script. @source the vendor's manual, PC Web Standard */
export function scriptUrl(given: Settings, mode: Mode): string {
  return `${origin(given['PC_BASE'] || PC[mode], mode)}/stdjs/WelStdPay.js`;
}

/** Where the overlay's own parts come from, as a content policy writes it. */
export function scriptSources(given: Settings, mode: Mode): readonly string[] {
  return given['PC_BASE'] ? [new URL(scriptUrl(given, mode)).origin] : ['https://*.paywelcome.co.kr'];
}

/** @param way "wcard", "bank", "mobile" */
export function mobileUrl(given: Settings, mode: Mode, way: string): string {
  return `${origin(given['MOBILE_BASE'] || MOBILE[mode], mode)}/smart/${way}/`;
}

export function cancelUrl(given: Settings, mode: Mode): string {
  return `${origin(given['API_BASE'] || API[mode], mode)}/cancel/cancel`;
}

export function payHosts(given: Settings, mode: Mode): readonly string[] {
  return [new URL(scriptUrl(given, mode)).host, new URL(mobileUrl(given, mode, 'wcard')).host];
}

/** UNSURE: whether transactions are ever sent to other hosts than these two; APPROVAL_HOSTS names them then. */
function approvalHosts(given: Settings, mode: Mode): readonly string[] {
  const named = (given['APPROVAL_HOSTS'] ?? '').split(',').map((host) => host.trim().toLowerCase());
  const filled = named.filter((host) => host !== '');
  return filled.length > 0 ? filled : payHosts(given, mode);
}

export function apiHosts(given: Settings, mode: Mode): readonly string[] {
  return [...new Set([new URL(cancelUrl(given, mode)).host, ...approvalHosts(given, mode)])];
}

/**
 * Whether an address that came through the browser may be called. Anybody can write one there: only https, only hosts of the provider, nothing that hides another host.
 * @source the vendor's manual has authUrl, netCancelUrl and P_REQ_URL in the browser's answer
 */
export function isApprovalUrl(given: Settings, mode: Mode, text: string | undefined): text is string {
  if (text === undefined || text.length > 500 || !URL.canParse(text)) return false;
  const url = new URL(text);
  const isProtocolFit = url.protocol === 'https:' || (url.protocol === 'http:' && mode === 'sandbox');
  return isProtocolFit && url.username === '' && url.password === '' && approvalHosts(given, mode).includes(url.host);
}

/** Without a slash at its end. Throws when it is no URL, or plain http on the live side. */
function origin(text: string, mode: Mode): string {
  const url = new URL(text);
  if (mode === 'live' && url.protocol !== 'https:') throw new Error('live addresses of Welcome must begin with https');
  return url.href.replace(/\/+$/, '');
}
