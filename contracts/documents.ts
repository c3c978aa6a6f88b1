// The addresses that answer with the storefront's page. Everything else is a file, a call, or not found.

/** Which of the two routers a brand runs. */
export type Version = 'new' | 'classic';

/**
 * Paths of the new-version router, and the classic ones that players have in their bookmarks.
 * @source specification section 2
 */
export const DOCUMENT_PATHS = [
  '/',
  '/selectGame',
  '/layoutGame',
  '/layoutGame/selectGoods',
  '/layoutGame/activity',
  '/selectGoods',
  '/activity',
  '/my',
  '/userCenter',
  '/result',
  '/errorReplenish',
  '/notArea',
  '/certifiedReal',
  '/showError',
  // Links of customer service lead here, whichever router the brand has.
  '/replenishGoods',
  '/code',
] as const;

/** The player types a game's code on this page; a link to it carries the code behind "#". */
export const CODE_PATH = '/code';

/**
 * The four pages of a purchase in the classic version, in order. @source specification
 * section 2, "Step bar of four steps"
 */
export const CLASSIC_STEPS = ['/selectGame', '/selectGoods', '/recharge', '/result'] as const;

/** The classic version has these paths beside the ones above. @source specification section 2, "Old-version router" */
export const CLASSIC_PATHS = ['/recharge'] as const;

/** Number of the step at a path of the classic version, from 1; 0 for all other pages. */
export function stepOf(path: string): number {
  return (CLASSIC_STEPS as readonly string[]).indexOf(path) + 1;
}

/** `/@{code}`: the short address of a game. @source specification section 2, "game-code path" */
const GAME_CODE_PATTERN = /^[A-Za-z0-9_-]{1,32}$/;

/** Of brands with the VIP version alone. @source specification section 5: "only when the VIP version flag is on" */
const VIP_PATH = '/userCenter';

/**
 * Returns true when `path` (no query) is one of the pages of a brand's storefront. A slash at the end does not matter.
 */
export function isDocumentPath(path: string, { version, isVip }: { version: Version; isVip: boolean }): boolean {
  const clean = path.length > 1 ? path.replace(/(?<!\/)\/+$/, '') : path;
  if (clean === VIP_PATH) return isVip;
  if (clean.startsWith('/@')) return GAME_CODE_PATTERN.test(clean.slice(2));
  if (version === 'classic' && (CLASSIC_PATHS as readonly string[]).includes(clean)) return true;
  return (DOCUMENT_PATHS as readonly string[]).includes(clean || '/');
}

/** Query keys that are secrets of one visit: taken by the server, never left in an address. */
export const ONE_TIME_KEYS = ['beta_key', 'oauth_token', 'ticket'] as const;
export type OneTimeKey = (typeof ONE_TIME_KEYS)[number];
