// Declares Razer Gold's settings, and the hosts and channels that follow from them. No calls, no wire shapes.
import type { Environment } from '#kernel/environment.ts';
import type { SettingDeclaration } from '#server/modules/payments/provider.ts';

const isChannelNumber = (text: string): boolean => /^\d{1,6}$/.test(text);
const CHANNEL_NUMBER = { kind: 'other', one: '1 to 6 digits', fits: isChannelNumber } as const;

export const settings: readonly SettingDeclaration[] = [
  {
    name: 'APPLICATION_CODE',
    isRequired: true,
    isSecret: false,
    about: 'Application code, 32 hex digits: from Razer when the application is opened.',
  },
  {
    name: 'SECRET_KEY',
    isRequired: true,
    isSecret: true,
    about: 'Secret key of that application.',
  },
  {
    name: 'HASH_TYPE',
    isRequired: false,
    isSecret: false,
    form: { kind: 'choice', values: ['hmac-sha256', 'md5'] },
    about:
      'How both sides sign: hmac-sha256, or md5 for an application of old that knows nothing else; hmac-sha256 ' +
      'unless set.',
  },
  {
    name: 'CHANNEL_WALLET',
    isRequired: false,
    isSecret: false,
    form: CHANNEL_NUMBER,
    about: "Razer's number of the channel that takes Razer Gold credit; its wall of all channels unless set.",
  },
  {
    name: 'CHANNEL_PIN',
    isRequired: false,
    isSecret: false,
    form: CHANNEL_NUMBER,
    about: "Razer's number of the channel that takes Razer Gold PINs, on Razer's own page; its wall unless set.",
  },
  {
    name: 'CHANNEL_CARRIER',
    isRequired: false,
    isSecret: false,
    form: CHANNEL_NUMBER,
    about: "Razer's number of the channel that charges a telephone bill; its wall unless set.",
  },
  {
    name: 'SENDS_CALLBACK_URL',
    isRequired: false,
    isSecret: false,
    form: { kind: 'choice', values: ['yes', 'no'] },
    about:
      '"yes" when Razer lets the application name its callback address in each request; Razer\'s own record of ' +
      'it unless set.',
  },
  {
    name: 'API_BASE',
    isRequired: false,
    isSecret: false,
    about: 'Address of the API, ending in /payout/payments; made from the environment unless set.',
  },
  {
    name: 'PAY_HOSTS',
    isRequired: false,
    isSecret: false,
    about: 'Hosts (host or host:port, separated by commas) a pay page may be at; the host of the API unless set.',
  },
];

export type Settings = Readonly<Record<string, string>>;

/**
 * @source sandbox: integrations of 2023 and 2025 with the Razer hosts (before: api.mol.com).
 * UNSURE: the live host follows the same pattern and was seen nowhere; API_BASE corrects it.
 */
const API_BASES: Record<Environment, string> = {
  demo: 'https://globalapi.gold-sandbox.razer.com/payout/payments',
  live: 'https://globalapi.gold.razer.com/payout/payments',
};

/** Address of the API, without a slash at its end. Throws on plain http on the live side. */
export function apiBase(given: Settings, environment: Environment): string {
  const url = new URL(given['API_BASE'] || API_BASES[environment]);
  if (environment === 'live' && url.protocol !== 'https:')
    throw new Error("Razer's live API_BASE must begin with https");
  return url.href.replace(/(?<!\/)\/+$/, '');
}

/** Throws also when HASH_TYPE is none: a shop must hear of it at its start, not at its first payment. */
export function apiHosts(given: Settings, environment: Environment): readonly string[] {
  hashType(given);
  return [new URL(apiBase(given, environment)).host];
}

/**
 * UNSURE: whether the wall is at the host of the API; printed examples of old were at
 * payout.mol.com. PAY_HOSTS corrects it.
 */
export function payHosts(given: Settings, environment: Environment): readonly string[] {
  const named = (given['PAY_HOSTS'] ?? '')
    .split(',')
    .map((host) => host.trim().toLowerCase())
    .filter((host) => host !== '');
  return named.length > 0 ? named : [new URL(apiBase(given, environment)).host];
}

export type HashType = 'hmac-sha256' | 'md5';

/** Throws when it is set to a word that is none of the two. */
export function hashType(given: Settings): HashType {
  const set = given['HASH_TYPE'] || 'hmac-sha256';
  if (set !== 'hmac-sha256' && set !== 'md5') throw new Error('Razer\'s HASH_TYPE must be "hmac-sha256" or "md5"');
  return set;
}

/**
 * `number`: null for the wall of all channels. `isCardPriced`: the player's card decides the amount, so none is sent.
 */
export type RazerChannel = { readonly number: string | null; readonly isCardPriced: boolean };

/** Our words for Razer's kinds of channels, with the setting that holds Razer's number. */
const CHANNELS: Readonly<Record<string, { setting: string; isCardPriced: boolean }>> = {
  wallet: { setting: 'CHANNEL_WALLET', isCardPriced: false },
  pin: { setting: 'CHANNEL_PIN', isCardPriced: true },
  carrier: { setting: 'CHANNEL_CARRIER', isCardPriced: true },
};

const WALL: RazerChannel = { number: null, isCardPriced: false };

/**
 * The channel behind the `channelId` of the channels file: empty is the wall, a number is Razer's own, a word is
 * looked up in the settings and is the wall while its number is not set. Null: nobody knows that word.
 * @source integrations: PIN and carrier channels get neither amount nor currency
 */
export function channelOf(given: Settings, channelId: string): RazerChannel | null {
  if (channelId === '') return WALL;
  if (isChannelNumber(channelId)) return { number: channelId, isCardPriced: false };
  const known = Object.hasOwn(CHANNELS, channelId) ? CHANNELS[channelId] : undefined;
  if (!known) return null;
  const number = given[known.setting] ?? '';
  return isChannelNumber(number) ? { number, isCardPriced: known.isCardPriced } : WALL;
}
