// Declares Airwallex's settings and the hosts that follow from them. No calls, no wire shapes.
import type { Environment } from '#kernel/environment.ts';
import type { SettingDeclaration } from '#server/modules/payments/provider.ts';
import { commaList, wholeSetting } from '#server/providers/payments/kit/settings.ts';

/** Our choice: a week. A repeat that is older than that proves nothing any more. */
const LONGEST_MAX_AGE_SECONDS = 604_800;

export const settings: readonly SettingDeclaration[] = [
  {
    name: 'CLIENT_ID',
    isRequired: true,
    isSecret: false,
    about: 'Client ID of the API key: Airwallex web app, Developer, API keys.',
  },
  {
    name: 'API_KEY',
    isRequired: true,
    isSecret: true,
    about: 'API key with permissions for payment intents and refunds: Airwallex web app, Developer, API keys.',
  },
  {
    name: 'WEBHOOK_SECRETS',
    isRequired: true,
    isSecret: true,
    form: { kind: 'list', of: { kind: 'text' } },
    about:
      'Secret of the webhook subscription: Airwallex web app, Developer, Webhooks; several, separated by commas, ' +
      'while it changes.',
  },
  {
    name: 'ACCOUNT_ID',
    isRequired: true,
    isSecret: false,
    about: 'Id of the account the money goes to, "acct_...": Airwallex web app, Account, Account details.',
  },
  {
    name: 'API_BASE',
    isRequired: false,
    isSecret: false,
    about: 'Address of the API without /api/v1; made from the environment unless set.',
  },
  {
    name: 'SCRIPT_URL',
    isRequired: false,
    isSecret: false,
    about: "Address of Airwallex's script that leads to the hosted payment page; the official one unless set.",
  },
  {
    name: 'PAY_HOSTS',
    isRequired: false,
    isSecret: false,
    about:
      "Hosts (host or host:port, separated by commas) a wallet's pay link may point to, besides Airwallex's own " +
      'pages: see the answer to a confirm on the demo side.',
  },
  {
    name: 'WEBHOOK_MAX_AGE_SECONDS',
    isRequired: false,
    isSecret: false,
    form: { kind: 'whole', min: 1, max: LONGEST_MAX_AGE_SECONDS },
    about: 'How old the signed time of a webhook may be; 300 unless set.',
  },
  {
    name: 'WEBHOOK_IPS',
    isRequired: false,
    isSecret: false,
    form: { kind: 'list', of: { kind: 'ip' } },
    about:
      "Addresses webhooks may come from, separated by commas, as Airwallex's page on webhooks lists them; any " +
      'unless set.',
  },
];

type Settings = Readonly<Record<string, string>>;

/** @source airwallex.com/docs API: sandbox ("demo") and production */
const API_BASE: Record<Environment, string> = {
  demo: 'https://api-demo.airwallex.com',
  live: 'https://api.airwallex.com',
};

/**
 * One script for both sides; `env` tells it which. @source airwallex.com/docs, Airwallex.js, installation from the CDN
 */
const SCRIPT_URL = 'https://static.airwallex.com/components/sdk/v1/index.js';

/** Hosts of the hosted payment page. @source npm @airwallex/components-sdk 1.35.2, its table of environments */
const PAGE_HOSTS: Record<Environment, readonly string[]> = {
  demo: ['checkout-demo.airwallex.com'],
  live: ['checkout.airwallex.com'],
};

/** Our choice, with what other providers of signed times advise: five minutes. */
const WEBHOOK_MAX_AGE_SECONDS = 300;

/** Address of the API without a slash at its end. Throws for plain http on the live side. */
export function apiBase(given: Settings, environment: Environment): string {
  return address(given['API_BASE'] || API_BASE[environment], environment, 'API_BASE').replace(/(?<!\/)\/+$/, '');
}

export function scriptUrl(given: Settings, environment: Environment): string {
  return address(given['SCRIPT_URL'] || SCRIPT_URL, environment, 'SCRIPT_URL');
}

export function apiHosts(given: Settings, environment: Environment): readonly string[] {
  return [new URL(apiBase(given, environment)).host];
}

export function payHosts(given: Settings, environment: Environment): readonly string[] {
  const named = commaList(given['PAY_HOSTS']).map((host) => host.toLowerCase());
  return [...new Set([new URL(scriptUrl(given, environment)).host, ...PAGE_HOSTS[environment], ...named])];
}

/** Secrets that may have signed a webhook. None is empty: with an empty key anybody can sign. */
export function webhookSecrets(given: Settings): readonly string[] {
  return commaList(given['WEBHOOK_SECRETS']);
}

/** Throws for what is no whole number. */
export function webhookMaxAgeMs(given: Settings): number {
  return wholeSetting(given, 'WEBHOOK_MAX_AGE_SECONDS', WEBHOOK_MAX_AGE_SECONDS) * 1000;
}

/** Returns true when a webhook may come from this address; no list lets all in, for the signature is what proves it. */
export function isWebhookIp(given: Settings, ip: string): boolean {
  const ips = commaList(given['WEBHOOK_IPS']);
  return ips.length === 0 || ips.includes(ip.replace(/^::ffff:/, ''));
}

function address(text: string, environment: Environment, name: string): string {
  const url = new URL(text);
  if (environment === 'live' && url.protocol !== 'https:')
    throw new Error(`Airwallex's live ${name} must begin with https`);
  return url.href;
}
