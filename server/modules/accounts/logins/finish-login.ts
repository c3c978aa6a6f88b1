// The second half: the attempt is taken, the provider asked, and a player found, made or linked.
import type { UserInfo } from '#contracts/accounts.ts';
import type { LoginKind } from '#contracts/logins.ts';
import type { PlayerId } from '#kernel/ids.ts';
import { transaction } from '#server/platform/database/db.ts';
import { type Caller } from '#server/platform/http/http.ts';
import { isAccountAt } from '#server/platform/http/account-game.ts';
import { type Answer, refuse, succeed } from '#server/platform/http/answer.ts';
import { noteSecurity } from '#server/platform/security-log.ts';
import { type SessionKind, openSession } from '#server/platform/http/session.ts';
import { type Attempt, type AttemptPurpose, takeAttempt } from '#server/modules/accounts/passwords/attempt-store.ts';
import {
  type IdentityKey,
  type PlayerName,
  addIdentity,
  findFounder,
  findLivePlayer,
  findPlayerOf,
  hashIdentity,
  isFreshSession,
  listIdentities,
  lockPlayer,
  restoreIdentity,
} from './identity-store.ts';
import type { FinishOutcome } from './login-port.ts';
import { displayName, foundedSuid, shownIdentities } from './login-rules.ts';
import { type LoginsDeps, hashSecret, loginsOf, scopeOf } from './login-deps.ts';
import { ensurePlayer, providerFor } from '#server/modules/accounts/store.ts';

export type FinishInput = {
  readonly kind: LoginKind;
  /** This route completes login attempts of these purposes only. */
  readonly purposes: readonly AttemptPurpose[];
  /** Names the login attempt: `state`, for X the request token. */
  readonly state: string;
  readonly clientId: string | null;
  /** Everything the browser sent, none of it believed. */
  readonly brought: Readonly<Record<string, string>>;
  readonly browserSecret: string | null;
  /** Token of the session that a login replaces. */
  readonly replaces: string | null;
};

/** `session` is what the browser's cookie becomes; null when there is no new one. */
export type Finished = {
  readonly answer: Answer<UserInfo>;
  readonly session: { token: string; kind: SessionKind } | null;
};

/** Our choice: far above any subject that is known. */
const SUBJECT_LENGTH = 200;

/** Every failure says the same to the browser; the reason goes to the log. */
export async function finishLogin(deps: LoginsDeps, caller: Caller, input: FinishInput): Promise<Finished> {
  const { brandKey } = caller.site;
  const fail = (reason: string): Finished => {
    noteSecurity(deps.log, 'login_refused', { brand: brandKey, ip: caller.ip, provider: input.kind, reason });
    return { answer: refuse('loginFailed'), session: null };
  };
  if (!input.state || !input.browserSecret) return fail('no state, or a browser that began nothing');
  const attempt = await takeAttempt(deps.db, {
    stateHash: hashSecret(input.state),
    browserHash: hashSecret(input.browserSecret),
    brandKey,
    kind: input.kind,
  });
  if (!attempt) return fail('no such attempt of this browser, or used, or too old');
  const mismatch = findMismatch(deps, attempt, input);
  if (mismatch) return fail(mismatch);
  const openProvider = deps.openProviders.get(attempt.kind);
  if (openProvider?.login.appOf(loginsOf(deps, brandKey)) !== attempt.appId)
    return fail('the app has changed meanwhile');

  const { appId, redirectUri, kept } = attempt;
  const proven = await openProvider.login.finish({
    appId,
    redirectUri,
    kept,
    state: input.state,
    brought: input.brought,
  });
  if (proven.kind !== 'ok') return fail(`${proven.kind}: ${proven.reason}`);
  const scope = scopeOf(deps, brandKey, attempt.clientId);
  const subject = `${scope ?? ''}${proven.subject}`;
  if (scope === null || !proven.subject || subject.length > SUBJECT_LENGTH) return fail('no subject to go by');
  const identity = { brandKey, provider: openProvider.name, subject };
  const gpId = deps.gpIdOf(brandKey, attempt.clientId);
  if (attempt.purpose === 'link') return linkIdentity(deps, caller, attempt, identity, gpId);

  const found = await findOrMakePlayer(deps, caller, attempt, openProvider.name, identity, proven);
  if (found === 'no_account') return { answer: refuse('noGameAccount'), session: null };
  if (typeof found === 'string') return fail(found);
  const kind = attempt.purpose === 'replenish' ? 'replenish' : 'web';
  const opened = await openSession(deps.db, {
    playerId: found.playerId,
    brandKey,
    kind,
    authMethod: openProvider.name,
    replaces: input.replaces,
    userAgent: caller.userAgent,
    betaId: caller.site.betaId,
    identityHash: hashIdentity(identity),
  });
  noteSecurity(deps.log, 'login_ok', { brand: brandKey, player: found.playerId, provider: input.kind, ip: caller.ip });
  return {
    answer: succeed({
      username: found.username,
      suid: found.suid,
      oauth_token: opened.publicId,
      gp_id: gpId,
    }),
    session: { token: opened.token, kind },
  };
}

/** The browser must repeat the values that were stored when the login began. */
function findMismatch(deps: LoginsDeps, attempt: Attempt, input: FinishInput): string | null {
  if (!input.purposes.includes(attempt.purpose)) return 'begun for something else';
  if (input.clientId && input.clientId !== attempt.clientId) return 'another game than it began with';
  const { redirect_uri: redirectUri, pkg } = input.brought;
  if (redirectUri && redirectUri !== attempt.redirectUri) return 'another redirect_uri than it began with';
  const { googlePackage, iosBundle } = loginsOf(deps, attempt.brandKey);
  if (pkg && pkg !== googlePackage && pkg !== iosBundle) return 'a package of another brand';
  return null;
}

/** A string is the reason why there is none. */
async function findOrMakePlayer(
  deps: LoginsDeps,
  caller: Caller,
  attempt: Attempt,
  name: string,
  identity: IdentityKey,
  proven: FinishOutcome & { kind: 'ok' },
): Promise<PlayerName | string> {
  const { brandKey, clientId } = attempt;
  // An identity that its company had declared over, and that has just been proven again, is the same player as before.
  const known =
    (await findPlayerOf(deps.db, identity)) ??
    ((await restoreIdentity(deps.db, identity)) ? await findPlayerOf(deps.db, identity) : null);
  if (known) return known.isDisabled ? 'the account is disabled' : known;
  let made;
  if (deps.keepsAccounts(brandKey) === 'game') {
    // Asked every time and not kept: whose identity it is, is the game's to say and to change.
    const answer = await deps.gameIdentities.findByIdentity({
      clientId,
      provider: name,
      subject: proven.subject,
    });
    if (answer.kind === 'no_account') return 'no_account';
    if (answer.kind === 'unavailable') return 'the game did not answer';
    made = {
      brandKey,
      provider: providerFor('game', caller.site),
      subject: answer.subject,
      suid: answer.suid,
      username: answer.username,
    };
  } else {
    made = { ...identity, suid: foundedSuid(identity), username: displayName(proven.name, proven.subject) };
  }
  const playerId = await ensurePlayer(deps.db, made);
  if (!playerId) return 'the account is disabled';
  return (await findLivePlayer(deps.db, brandKey, playerId)) ?? 'the account is disabled';
}

async function linkIdentity(
  deps: LoginsDeps,
  caller: Caller,
  attempt: Attempt,
  identity: IdentityKey,
  gpId: string,
): Promise<Finished> {
  const done = (answer: Answer<UserInfo>): Finished => ({ answer, session: null });
  const { session } = caller;
  // Whoever logged out or changed account meanwhile is not who asked.
  if (!session || session.playerId !== attempt.playerId) return done(refuse('notLoggedIn'));
  if (!isAccountAt(caller.site, session, attempt.clientId)) return done(refuse('notLoggedIn'));
  if (!(await isFreshSession(deps.db, session.publicId))) return done(refuse('loginAgain'));
  const owner = await transaction(deps.db, async (client): Promise<PlayerId | null> => {
    await lockPlayer(client, session.playerId);
    const ways = await listIdentities(client, attempt.brandKey, session.playerId);
    const scope = scopeOf(deps, attempt.brandKey, attempt.clientId) ?? '';
    const other = shownIdentities(ways, deps.openProviders.names, scope).find(({ kind }) => kind === attempt.kind);
    if (other && other.way.subject !== identity.subject) return null;
    // Its own account is there, though nothing links to it any more.
    const founder = await findFounder(client, identity);
    if (founder && founder !== session.playerId) return null;
    return addIdentity(client, identity, session.playerId);
  });
  if (owner !== session.playerId) return done(refuse('identityTaken'));
  noteSecurity(deps.log, 'identity_linked', {
    brand: attempt.brandKey,
    player: session.playerId,
    provider: identity.provider,
  });
  const { username, suid, publicId } = session;
  return done(succeed({ username, suid, oauth_token: publicId, gp_id: gpId }));
}
