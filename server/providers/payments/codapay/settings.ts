// Declares Codapay's settings and the hosts that follow from them. No calls, no wire shapes.
import type { Environment } from '#kernel/environment.ts';
import type { SettingDeclaration } from '#server/modules/payments/provider.ts';
import { commaList } from '#server/providers/payments/kit/settings.ts';

const isProjectId = (text: string): boolean => /^[1-9]\d{0,14}$/.test(text);

export const settings: readonly SettingDeclaration[] = [
  {
    name: 'API_KEY',
    isRequired: true,
    isSecret: true,
    about: 'API key of the merchant (API v2.0) or of the title in its country (v1.0): Coda portal, Integration.',
  },
  {
    name: 'PROJECT_ID',
    isRequired: false,
    isSecret: false,
    form: { kind: 'other', one: '1 to 15 digits', fits: isProjectId },
    about: 'Number of the project (title product) in the Coda portal; with it the API v2.0 is used, without it v1.0.',
  },
  {
    name: 'API_BASE',
    isRequired: false,
    isSecret: false,
    about:
      'Address of the API with its version, up to ".../Payment"; made from the environment and PROJECT_ID unless set.',
  },
  {
    name: 'PAY_HOSTS',
    isRequired: false,
    isSecret: false,
    about: 'Hosts (host or host:port, separated by commas) the payment page may be on; the official ones unless set.',
  },
  {
    name: 'NOTIFY_IPS',
    isRequired: false,
    isSecret: false,
    form: { kind: 'list', of: { kind: 'ip' } },
    about: 'Addresses notifications may come from, separated by commas, as Coda tells them to you; any unless set.',
  },
];

type Settings = Readonly<Record<string, string>>;

/** @source coda-payments.gitbook.io, public technical documentation: environments */
const HOSTS: Record<Environment, string> = { demo: 'sandbox.codapayments.com', live: 'airtime.codapayments.com' };

/** The number of the project, which API v2.0 wants; null is v1.0. */
export function projectId(given: Settings): number | null {
  const text = given['PROJECT_ID'] ?? '';
  return isProjectId(text) ? Number(text) : null;
}

/** Address of the API without a slash at its end. Throws for plain http on the live side. */
export function apiBase(given: Settings, environment: Environment): string {
  const version = projectId(given) === null ? 'v1.0' : 'v2.0';
  const url = new URL(given['API_BASE'] || `https://${HOSTS[environment]}/airtime/api/restful/${version}/Payment`);
  if (environment === 'live' && url.protocol !== 'https:')
    throw new Error("Codapay's live API_BASE must begin with https");
  return url.href.replace(/(?<!\/)\/+$/, '');
}

/**
 * The payment page of a transaction, for API v1.0, whose answers may name none.
 * UNSURE: seen in a live page's referrer, not in the documentation.
 */
export function pageUrl(given: Settings, environment: Environment, txnId: string): string {
  return new URL(`/airtime/epc-checkout?type=3&txn_id=${encodeURIComponent(txnId)}`, apiBase(given, environment)).href;
}

export function apiHosts(given: Settings, environment: Environment): readonly string[] {
  return [new URL(apiBase(given, environment)).host];
}

/** UNSURE: the documentation shows no host of `redirectUrl`; the API's own is assumed, PAY_HOSTS corrects it. */
export function payHosts(given: Settings, environment: Environment): readonly string[] {
  const named = commaList(given['PAY_HOSTS']).map((host) => host.toLowerCase());
  return named.length > 0 ? named : [HOSTS[environment]];
}

/** Returns true when a notification may come from this address; no list lets all in. */
export function isNotifyIp(given: Settings, ip: string): boolean {
  const ips = commaList(given['NOTIFY_IPS']);
  return ips.length === 0 || ips.includes(ip.replace(/^::ffff:/, ''));
}
