// Declares PayPal's settings and the hosts that follow from them. No calls, no wire shapes.
import type { Environment } from '#kernel/environment.ts';
import type { SettingDeclaration } from '#server/modules/payments/provider.ts';

export const settings: readonly SettingDeclaration[] = [
  {
    name: 'CLIENT_ID',
    isRequired: true,
    isSecret: false,
    about: 'Client ID of the REST app: developer.paypal.com, Apps & Credentials, tab Sandbox or Live.',
  },
  {
    name: 'CLIENT_SECRET',
    isRequired: true,
    isSecret: true,
    about: 'Secret of the same REST app, shown beside its client ID.',
  },
  {
    name: 'WEBHOOK_ID',
    isRequired: true,
    isSecret: false,
    about:
      'ID of the webhook that points to /callback/paypal, listed at the bottom of the REST app; it is part of ' +
      'what PayPal signs.',
  },
  {
    name: 'API_BASE',
    isRequired: false,
    isSecret: false,
    about: 'Origin of the REST API; the official host of the environment unless set.',
  },
  {
    name: 'CERT_HOSTS',
    isRequired: false,
    isSecret: false,
    about:
      'Hosts (host or host:port, separated by commas) that webhook certificates may be fetched from; the ' +
      'official ones unless set.',
  },
  {
    name: 'PAY_HOSTS',
    isRequired: false,
    isSecret: false,
    about: 'Hosts (host or host:port, separated by commas) an approval link may point to; the official one unless set.',
  },
];

type Settings = Readonly<Record<string, string>>;

/**
 * @source PayPal OpenAPI files (checkout_orders_v2.json, "servers"); certificate hosts from the
 *   webhooks of PayPal's SDK tests, the api-m spelling of them is UNSURE: inferred
 */
const OFFICIAL: Record<Environment, { api: string; certificates: readonly string[]; pay: readonly string[] }> = {
  demo: {
    api: 'https://api-m.sandbox.paypal.com',
    certificates: ['api.sandbox.paypal.com', 'api-m.sandbox.paypal.com'],
    pay: ['www.sandbox.paypal.com'],
  },
  live: {
    api: 'https://api-m.paypal.com',
    certificates: ['api.paypal.com', 'api-m.paypal.com'],
    pay: ['www.paypal.com'],
  },
};

/** Origin of the REST API without a slash at its end. Throws when it is no URL, or plain http on the live side. */
export function apiBase(given: Settings, environment: Environment): string {
  const url = new URL(given['API_BASE'] || OFFICIAL[environment].api);
  if (environment === 'live' && url.protocol !== 'https:')
    throw new Error("PayPal's live API_BASE must begin with https");
  return url.href.replace(/(?<!\/)\/+$/, '');
}

/** `URL.host` values certificates may come from. */
export function certificateHosts(given: Settings, environment: Environment): readonly string[] {
  return hostList(given['CERT_HOSTS']) ?? OFFICIAL[environment].certificates;
}

/**
 * True when an operator named certificate hosts for a sandbox: a simulator that cannot hold PayPal's own certificate.
 */
export function isSimulatorCertificateHost(given: Settings, environment: Environment): boolean {
  return environment === 'demo' && hostList(given['CERT_HOSTS']) !== null;
}

export function payHosts(given: Settings, environment: Environment): readonly string[] {
  return hostList(given['PAY_HOSTS']) ?? OFFICIAL[environment].pay;
}

export function apiHosts(given: Settings, environment: Environment): readonly string[] {
  return [...new Set([new URL(apiBase(given, environment)).host, ...certificateHosts(given, environment)])];
}

function hostList(text: string | undefined): readonly string[] | null {
  const hosts = (text ?? '').split(',').map((host) => host.trim().toLowerCase());
  const named = hosts.filter((host) => host !== '');
  return named.length > 0 ? named : null;
}
