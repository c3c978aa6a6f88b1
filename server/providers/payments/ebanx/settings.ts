// Declares EBANX's settings, and the hosts and certificates that follow from them. No calls, no wire shapes.
import type { Environment } from '#kernel/environment.ts';
import { X509Certificate } from 'node:crypto';
import type { SettingDeclaration } from '#server/modules/payments/provider.ts';

export const settings: readonly SettingDeclaration[] = [
  {
    name: 'INTEGRATION_KEY',
    isRequired: true,
    isSecret: true,
    about: 'Integration key of the merchant account, another one for sandbox: EBANX dashboard, settings, integration.',
  },
  {
    name: 'PAYER_EMAIL',
    isRequired: true,
    isSecret: false,
    about:
      'Mail address told for the payer, because EBANX demands one and the shop knows none; {player} in it ' +
      'becomes the id of the player: pay+{player}@example.com.',
  },
  {
    name: 'CERTIFICATES',
    isRequired: true,
    isSecret: false,
    form: { kind: 'other', one: 'one or more certificates in PEM', fits: isCertificates },
    about:
      'Public certificate (PEM) that signs notifications, from developer.ebanx.com, "Payments Notification"; ' +
      'several one after the other while it changes. Line ends may be written \\n.',
  },
  {
    name: 'API_BASE',
    isRequired: false,
    isSecret: false,
    about: 'Address of the API; the official one of the environment unless set.',
  },
  {
    name: 'PAY_BASE',
    isRequired: false,
    isSecret: false,
    about:
      'Origin of the hosted checkout, where a payment that was begun before is taken up; the official one unless set.',
  },
  {
    name: 'PAY_HOSTS',
    isRequired: false,
    isSecret: false,
    about: 'Hosts (host or host:port, separated by commas) a pay link may point to; the known ones unless set.',
  },
];

type Settings = Readonly<Record<string, string>>;

/** @source github.com/ebanx/benjamin (2025) */
const API: Record<Environment, string> = { demo: 'https://sandbox.ebanxpay.com', live: 'https://api.ebanxpay.com' };

/**
 * @source github.com/ebanx/benjamin: redirect_url of recorded answers, checkout.ebanx.com
 * UNSURE: the host of the sandbox's page; older material has sandbox.ebanx.com
 */
const PAGE: Record<Environment, string> = { demo: 'https://sandbox.ebanxpay.com', live: 'https://checkout.ebanx.com' };
const PAY_HOSTS: Record<Environment, readonly string[]> = {
  demo: ['sandbox.ebanxpay.com', 'sandbox.ebanx.com', 'checkout.ebanx.com'],
  live: ['checkout.ebanx.com', 'checkout.ebanxpay.com'],
};

export function apiBase(given: Settings, environment: Environment): string {
  return origin(given['API_BASE'] || API[environment], environment);
}

/** Page of a payment that exists already. @source recorded answers of github.com/ebanx/benjamin: /checkout?hash= */
export function checkoutUrl(given: Settings, environment: Environment, hash: string): string {
  return `${origin(given['PAY_BASE'] || PAGE[environment], environment)}/checkout?hash=${encodeURIComponent(hash)}`;
}

export function apiHosts(given: Settings, environment: Environment): readonly string[] {
  return [new URL(apiBase(given, environment)).host];
}

export function payHosts(given: Settings, environment: Environment): readonly string[] {
  const named = (given['PAY_HOSTS'] ?? '').split(',').map((host) => host.trim().toLowerCase());
  const filled = named.filter((host) => host !== '');
  return filled.length > 0 ? filled : PAY_HOSTS[environment];
}

/** Certificates that may sign a notification; what cannot be read is left out, and signs nothing. */
export function certificates(given: Settings): readonly X509Certificate[] {
  const text = (given['CERTIFICATES'] ?? '').replaceAll('\\n', '\n');
  const pems = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return pems.flatMap((pem) => {
    try {
      return [new X509Certificate(pem)];
    } catch {
      return [];
    }
  });
}

/** One that cannot be read would be left out without a word, and what it signs refused. */
function isCertificates(text: string): boolean {
  const begun = text.match(/-----BEGIN/g)?.length ?? 0;
  return begun > 0 && certificates({ CERTIFICATES: text }).length === begun;
}

/** The address told for a player. */
export function payerEmail(given: Settings, playerRef: string): string {
  return (given['PAYER_EMAIL'] ?? '').replaceAll('{player}', playerRef.replaceAll(/[^A-Za-z0-9-]/g, ''));
}

/** Without a slash at its end. Throws when it is no URL, or plain http on the live side. */
function origin(text: string, environment: Environment): string {
  const url = new URL(text);
  if (environment === 'live' && url.protocol !== 'https:')
    throw new Error('live addresses of EBANX must begin with https');
  return url.href.replace(/(?<!\/)\/+$/, '');
}
