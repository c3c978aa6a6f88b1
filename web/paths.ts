// Every address of the storefront. Screens and links take them from here; the snapshot beside it notices a change.
import type { Version } from '#contracts/documents.ts';

export const paths = {
  home: '/',
  selectGame: '/selectGame',
  selectGoods: '/selectGoods',
  activity: '/activity',
  my: '/my',
  userCenter: '/userCenter',
  errorReplenish: '/errorReplenish',
  notArea: '/notArea',
  certifiedReal: '/certifiedReal',
  showError: '/showError',
  recharge: '/recharge',
  result: '/result',
  replenishGoods: '/replenishGoods',
  code: '/code',
} as const;

export type ShopPath = (typeof paths)[keyof typeof paths];

const EXTRA_REDIRECTS = {
  '/layoutGame': '/selectGoods',
  '/layoutGame/selectGoods': '/selectGoods',
  '/layoutGame/activity': '/activity',
} as const;

/** Addresses that only lead on to another one, by version. @source specification section 2 */
export const redirects = {
  new: { '/': '/selectGoods', '/selectGame': '/selectGoods', '/result': '/selectGoods', ...EXTRA_REDIRECTS },
  classic: { '/': '/selectGame', ...EXTRA_REDIRECTS },
} as const satisfies Record<Version, Record<string, string>>;

/** Each version shows the result of an order on this page; the new one over its goods. */
export const resultPages = { new: paths.selectGoods, classic: paths.result } as const;

/** The first page of a version. */
export const landings = { new: paths.selectGoods, classic: paths.selectGame } as const;

/** The short address of a game: "/@ember". */
export function gameCodePath(code: string): string {
  return `/@${encodeURIComponent(code)}`;
}

/**
 * Query keys that belong to the visit and travel from page to page.
 * @source specification section 2, "Query parameters read"; oauth_token is missing because the server
 *   takes it out of the address;
 * promo_code and game_channel_id are ours: a link may bring a promo code, and a game's link may name the store that the
 *   game came from, for the pay payload
 */
export const CARRIED_KEYS = [
  'client_id', 'area_id', 'server_id', 'role_id', 'utm_pay', 'visit', 'spec_lang', 'idfv', 'domain_area',
  'utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'replenish_id', 'rp_client_id', 'billing_no',
  'game_channel_id', 'promo_code',
] as const; /* a row a line */ // prettier-ignore

export type CarriedKey = (typeof CARRIED_KEYS)[number];

/** Longer values are cut off links gone wrong, never ours. */
const LONGEST_VALUE = 256;

/** Screens show the bottom navigation and the footer on these. @source specification section 2, "Layout" */
export const NAVIGATED = [paths.selectGoods, paths.my, paths.activity] as const;

export type CarriedSearch = { [Key in CarriedKey]?: string | undefined };

/** The carried keys of an address, everything else dropped. Repeated keys were already decided: the last wins. */
export function readSearch(search: Record<string, unknown>): CarriedSearch {
  const found: CarriedSearch = {};
  for (const key of CARRIED_KEYS) {
    const value = search[key];
    if (typeof value === 'string' && value !== '' && value.length <= LONGEST_VALUE) found[key] = value;
  }
  return found;
}

/** Query text -> all strings; the last repeated value wins. @source specification section 5, "Repeated query values" */
export function parseQuery(query: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(query));
}

/** The opposite of parseQuery, with the question mark; undefined values are left out. */
export function writeQuery(search: Record<string, unknown>): string {
  const entries = Object.entries(search).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  const text = new URLSearchParams(entries).toString();
  return text ? `?${text}` : '';
}
