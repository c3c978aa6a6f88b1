// The companies that may vouch for a player: what they are called, which of them a brand offers, and
// how a login by one can go here.
import type { LoginConfig } from '#contracts/accounts.ts';
import { LOGIN_KINDS, type LoginKind } from '#contracts/logins.ts';
import { readUserAgent } from '#kernel/user-agents.ts';
import { readBoot } from '#web/platform/boot.ts';

/** As they write themselves, in every language. */
const PROVIDER_NAMES: Readonly<Record<Exclude<LoginKind, 'own'>, string>> = {
  google: 'Google',
  ios: 'Apple',
  facebook: 'Facebook',
  twitter: 'X',
  vk: 'VK',
  huawei: 'Huawei',
};

/** Returns the name that a player reads; the brand's file names the accounts of the publisher. */
export function nameOfProvider(kind: LoginKind): string {
  return kind === 'own' ? (readBoot().brand.logins.ownName ?? '') : PROVIDER_NAMES[kind];
}

/** @source specification section 8: "Failed login-config load: all client ids blank" */
export const BLANK_CONFIG: LoginConfig = {
  fb_id: '',
  gg_id: '',
  gg_pkg: '',
  ios_id: '',
  vk_id: '',
  client_id: '',
  json_type: [],
  twitterHtml: '',
};

/**
 * The kinds to show, in the brand's order. One whose id is blank stays away. Apple and Huawei go by the
 * list alone: `ios_id` names the
 * native app, which a shop may do without, and Huawei's id is the same for all.
 */
export function offeredKinds(config: LoginConfig): LoginKind[] {
  const ids: Partial<Record<LoginKind, string>> = {
    google: config.gg_id,
    facebook: config.fb_id,
    vk: config.vk_id,
    twitter: config.twitterHtml,
  };
  return config.json_type
    .map((name) => LOGIN_KINDS.find((kind) => kind === name))
    .filter((kind) => kind !== undefined)
    .filter((kind) => ids[kind] !== '');
}

/**
 * `window`: one of its own. `page`: the whole page goes and comes back. `refused`: the
 * provider turns players away here.
 */
export type LoginWay = 'window' | 'page' | 'refused';

/**
 * How a login by a provider can go in a browser. Windows die in views of apps, so there the page goes
 * itself. A user agent can lie: then
 * the provider refuses on its own page, and nothing is lost but a step.
 * @source developers.googleblog.com, "Upcoming security changes to Google's OAuth 2.0 authorization
 *   endpoint in embedded webviews";
 * developers.facebook.com/docs/facebook-login/android/deprecating-webviews (Android only). For
 * the others no refusal is known.
 */
export function wayOfLogin(kind: LoginKind, userAgent: string): LoginWay {
  // Nothing is known about the place: better told than sent into a dead end. @source specification section
  // 8, "undefined ... environment"
  if (userAgent === '') return 'refused';
  const { isEmbedded, system } = readUserAgent(userAgent);
  if (!isEmbedded) return 'window';
  return kind === 'google' || (kind === 'facebook' && system === 'Android') ? 'refused' : 'page';
}
