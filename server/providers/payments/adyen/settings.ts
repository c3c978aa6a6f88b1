// Declares Adyen's settings and the hosts that follow from them. No calls, no wire shapes.
import { createSecretKey, type KeyObject } from 'node:crypto';
import type { Environment } from '#kernel/environment.ts';
import type { SettingDeclaration } from '#server/modules/payments/provider.ts';
import { commaList } from '#server/providers/payments/kit/settings.ts';

const PREFIX = /^[A-Za-z0-9-]{1,80}$/;
const isKey = (text: string): boolean => /^(?:[0-9a-f]{2}){16,64}$/i.test(text);

export const settings: readonly SettingDeclaration[] = [
  {
    name: 'API_KEY',
    isRequired: true,
    isSecret: true,
    about:
      'API key of a credential with the role "Pay by Link Payments Processing": Customer Area, Developers, API ' +
      'credentials.',
  },
  {
    name: 'MERCHANT_ACCOUNT',
    isRequired: true,
    isSecret: false,
    about: 'Name of the merchant account the money goes to: Customer Area, top left.',
  },
  {
    name: 'HMAC_KEYS',
    isRequired: true,
    isSecret: true,
    form: { kind: 'list', of: { kind: 'other', one: 'a key in hex', many: 'keys in hex', fits: isKey } },
    about:
      'HMAC key of the standard webhook, 64 hex digits: Customer Area, Developers, Webhooks; several, separated ' +
      'by commas, while it changes.',
  },
  {
    name: 'LIVE_PREFIX',
    isRequired: false,
    isSecret: false,
    form: { kind: 'other', one: 'letters, digits and dashes', fits: (text) => PREFIX.test(text) },
    about: 'Live side only, and needed there: the live URL prefix, Customer Area, Developers, API URLs.',
  },
  {
    name: 'API_BASE',
    isRequired: false,
    isSecret: false,
    about: 'Address of the Checkout API with its version; made from the environment and LIVE_PREFIX unless set.',
  },
  {
    name: 'PAY_HOSTS',
    isRequired: false,
    isSecret: false,
    about: 'Hosts (host or host:port, separated by commas) a payment link may point to; the official ones unless set.',
  },
];

type Settings = Readonly<Record<string, string>>;

/** @source github.com/Adyen/adyen-openapi CheckoutService-v72.json */
const VERSION = 'v72';

/**
 * Hosts of payment links.
 * @source the test host from the examples of CheckoutService-v72.json, the European one from Adyen's
 *   plugins for PrestaShop and Shopware UNSURE: which other regions have a host of their own; PAY_HOSTS adds them.
 */
const PAY_HOSTS: Record<Environment, readonly string[]> = { demo: ['test.adyen.link'], live: ['eu.adyen.link'] };

/**
 * Address of the Checkout API with its version, without a slash at its end.
 * Throws when it cannot be told: no prefix on the live side, a prefix that is none, plain http on the live side.
 * @source github.com/Adyen/adyen-node-api-library, how it builds the live address; note the extra /checkout
 */
export function apiBase(given: Settings, environment: Environment): string {
  const url = new URL(given['API_BASE'] || officialBase(given, environment));
  if (environment === 'live' && url.protocol !== 'https:')
    throw new Error("Adyen's live API_BASE must begin with https");
  return url.href.replace(/(?<!\/)\/+$/, '');
}

function officialBase(given: Settings, environment: Environment): string {
  if (environment === 'demo') return `https://checkout-test.adyen.com/${VERSION}`;
  const prefix = given['LIVE_PREFIX'] ?? '';
  if (!PREFIX.test(prefix)) throw new Error("Adyen's live side needs LIVE_PREFIX, letters, digits and dashes");
  return `https://${prefix}-checkout-live.adyenpayments.com/checkout/${VERSION}`;
}

export function apiHosts(given: Settings, environment: Environment): readonly string[] {
  return [new URL(apiBase(given, environment)).host];
}

export function payHosts(given: Settings, environment: Environment): readonly string[] {
  const named = commaList(given['PAY_HOSTS']).map((host) => host.toLowerCase());
  return named.length > 0 ? named : PAY_HOSTS[environment];
}

/**
 * Keys that may have signed a webhook. What is no hex is left out: Node would read it as an empty key, and with an empty
 * key anybody can sign.
 */
export function hmacKeys(given: Settings): readonly KeyObject[] {
  const known = KEYS.get(given);
  if (known) return known;
  const texts = commaList(given['HMAC_KEYS']).filter(isKey);
  const made = texts.map((text) => createSecretKey(text, 'hex'));
  KEYS.set(given, made);
  return made;
}

/** Made once: Node takes several times as long over bytes as over a key made of them. */
const KEYS = new WeakMap<Settings, readonly KeyObject[]>();
