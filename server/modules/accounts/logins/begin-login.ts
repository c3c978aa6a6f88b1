// The first half of a login by another identity: an attempt of this browser, and the provider's address.
import { randomBytes } from 'node:crypto';
import { ONE_TIME_KEYS } from '#contracts/documents.ts';
import { LOGIN_CALLBACK_PATH, type LoginKind, type LoginStart } from '#contracts/logins.ts';
import { LOGIN_RESULT_KEY } from '#contracts/login-window.ts';
import { type Caller } from '#server/platform/http/http.ts';
import { type Answer, refuse, succeed } from '#server/platform/http/answer.ts';
import { noteSecurity } from '#server/platform/security-log.ts';
import { type AttemptPurpose, saveAttempt } from '#server/modules/accounts/passwords/attempt-store.ts';
import { isFreshSession, listIdentities } from './identity-store.ts';
import type { BrandLogins } from './login-port.ts';
import { readReturnPath, shownIdentities } from './login-rules.ts';
import { type LoginsDeps, hashSecret, loginsOf, scopeOf } from './login-deps.ts';

export type BeginInput = {
  readonly kind: LoginKind;
  readonly purpose: AttemptPurpose;
  readonly clientId: string;
  readonly display: 'popup' | 'page';
  readonly returnTo: string | undefined;
  /** X: what the page believes to be the way back; must be ours. */
  readonly callback?: string | undefined;
  /** Secret of the attempt cookie, 256 bit. */
  readonly browserSecret: string;
};

/** 256 random bits as 43 characters. */
export const makeSecret = (): string => randomBytes(32).toString('base64url');

/**
 * The provider sends the player back to this address. X may have one address registered; it counts where it is this
 * very origin's.
 */
export function callbackOf(kind: LoginKind, origin: string, logins: BrandLogins): string {
  const own = `${origin}${LOGIN_CALLBACK_PATH}/${kind}`;
  const named = kind === 'twitter' ? logins.twitterRedirect : undefined;
  return named && (named === own || named.startsWith(`${own}?`)) ? named : own;
}

export async function beginLogin(deps: LoginsDeps, caller: Caller, input: BeginInput): Promise<Answer<LoginStart>> {
  const { brandKey } = caller.site;
  const { db, log, openProviders } = deps;
  const logins = loginsOf(deps, brandKey);
  if (!(await deps.mayBegin(caller.ip))) {
    noteSecurity(log, 'login_limited', { brand: brandKey, ip: caller.ip, by: input.kind });
    return refuse('tooManyAttempts');
  }
  if (!deps.gpIdOf(brandKey, input.clientId)) return refuse('noGame');
  const openProvider = openProviders.get(input.kind);
  const appId = openProvider?.login.appOf(logins);
  if (!openProvider || !appId || !logins.kinds.includes(input.kind)) return refuse('loginFailed');
  const refused = input.purpose === 'link' ? await refuseLink(deps, caller, input) : null;
  if (refused) return refused;
  const redirectUri = callbackOf(input.kind, caller.origin, logins);
  // Compared, never passed on as it came.
  if (input.callback && input.callback !== redirectUri) return refuse('loginFailed');

  const ourState = makeSecret();
  const begun = await openProvider.login.begin({ appId, redirectUri, state: ourState });
  if (begun.kind === 'unavailable') {
    log.warn({ brand: brandKey, provider: openProvider.name, reason: begun.reason }, 'a login could not begin');
    return refuse('loginFailed');
  }
  const state = begun.state ?? ourState;
  await saveAttempt(db, hashSecret(state), hashSecret(input.browserSecret), {
    brandKey,
    kind: input.kind,
    purpose: input.purpose,
    playerId: input.purpose === 'link' ? (caller.session?.playerId ?? null) : null,
    clientId: input.clientId,
    appId,
    redirectUri,
    kept: begun.kept,
    display: input.display,
    returnTo: readReturnPath(input.returnTo, caller.origin, [...ONE_TIME_KEYS, LOGIN_RESULT_KEY]),
  });
  return succeed({ url: begun.url, state, redirect_uri: redirectUri });
}

/** Linking gives somebody a lasting way in, so a session that lies about is not enough. */
async function refuseLink(deps: LoginsDeps, caller: Caller, input: BeginInput): Promise<Answer<never> | null> {
  const { session, site } = caller;
  if (!session) return refuse('notLoggedIn');
  if (!(await isFreshSession(deps.db, session.publicId))) return refuse('loginAgain');
  const ways = await listIdentities(deps.db, site.brandKey, session.playerId);
  const shown = shownIdentities(ways, deps.openProviders.names, scopeOf(deps, site.brandKey, input.clientId) ?? '');
  return shown.some(({ kind }) => kind === input.kind) ? refuse('identityTaken') : null;
}
