// The addresses that answer with the storefront's page. Everything else is a file, a call, or not found.

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
] as const;

/** `/@{code}`: the short address of a game. @source specification section 2, "game-code path" */
const GAME_CODE_PATTERN = /^[A-Za-z0-9_-]{1,32}$/;

/** Whether `path` (no query) is one of the storefront's pages. A slash at the end does not matter. */
export function isDocumentPath(path: string): boolean {
  const clean = path.length > 1 ? path.replace(/\/+$/, '') : path;
  if (clean.startsWith('/@')) return GAME_CODE_PATTERN.test(clean.slice(2));
  return (DOCUMENT_PATHS as readonly string[]).includes(clean || '/');
}

/** Query keys that are secrets of one visit: taken by the server, never left in an address. */
export const ONE_TIME_KEYS = ['beta_key', 'oauth_token', 'ticket'] as const;
export type OneTimeKey = (typeof ONE_TIME_KEYS)[number];
