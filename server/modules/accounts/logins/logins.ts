// Logins by other identities and by prepaid card: all that routes may ask. The halves are in
// begin-login.ts and finish-login.ts.
import type { LoginConfig, UserInfo } from '#contracts/accounts.ts';
import type { LoginKind, LoginStart } from '#contracts/logins.ts';
import type { BrandKey, GameId } from '#kernel/ids.ts';
import { isSoldIn } from '#server/modules/configuration/service.ts';
import { type Caller, type PlayerCaller } from '#server/platform/http/http.ts';
import { isAccountAt } from '#server/platform/http/account-game.ts';
import { type Answer, refuse, refuseFor, succeed } from '#server/platform/http/answer.ts';
import { noteSecurity } from '#server/platform/security-log.ts';
import { openSession } from '#server/platform/http/session.ts';
import type { Site } from '#server/platform/http/site.ts';
import { type Attempt, findAttempt } from '#server/modules/accounts/passwords/attempt-store.ts';
import { giveBackupToken } from '#server/modules/accounts/sessions/backup-token.ts';
import { type BeginInput, beginLogin, callbackOf } from './begin-login.ts';
import { type FinishInput, type Finished, finishLogin } from './finish-login.ts';
import { findLivePlayer, listIdentities } from './identity-store.ts';
import { type LoginsDeps, hashSecret, loginsOf } from './login-deps.ts';
import { gameOfWays } from './login-rules.ts';
import { type Linked, listLinked, unlinkIdentity } from './link-identities.ts';
import { type NoticeAnswer, takeNotice } from './take-notice.ts';
import { type OwnSessions, endSessions, listOwnSessions } from '#server/modules/accounts/sessions/own-sessions.ts';

export type CardLogin = {
  readonly clientId: string;
  readonly cardNumber: string;
  readonly password: string;
  readonly kind: 'web' | 'replenish';
  readonly replaces: string | null;
};

export type LoginsService = {
  /** Ids of what this brand offers and this shop is set up for; blank where it is not. */
  loginConfig(site: Site, origin: string, area: string | undefined): Answer<LoginConfig>;
  begin(caller: Caller, input: BeginInput): Promise<Answer<LoginStart>>;
  finish(caller: Caller, input: FinishInput): Promise<Finished>;
  /** For the callback page; null for a state that nobody began with here. */
  attemptOf(site: Site, state: string): Promise<Pick<Attempt, 'kind' | 'purpose' | 'display' | 'returnTo'> | null>;
  /** Handles a message that a login company sends by itself about an identity. */
  takeNotice(site: Site, call: { kind: LoginKind; body: string; ip: string }): Promise<NoticeAnswer>;
  logInByCard(caller: Caller, card: CardLogin): Promise<Finished>;
  /**
   * A client of the game that an in-game login names by client id, game product id or our own id; null
   * when the brand does not sell it.
   */
  clientOfGame(brandKey: BrandKey, gameId: string): string | null;
  listLinked(caller: PlayerCaller, clientId: string): Promise<Answer<Linked>>;
  unlink(caller: PlayerCaller, kind: LoginKind, clientId: string): Promise<Answer<Record<string, never>>>;
  listSessions(caller: PlayerCaller): Promise<Answer<OwnSessions>>;
  /** @param only public id of the session to end; null for all but the caller's own */
  endSessions(caller: PlayerCaller, only: string | null): Promise<Answer<Record<string, never>>>;
  /** `expires_in` in seconds. */
  giveBackupToken(caller: PlayerCaller): Promise<Answer<{ token: string; expires_in: number }>>;
};

export function createLoginsService(deps: LoginsDeps): LoginsService {
  return {
    loginConfig: (site, origin, area) => {
      const brand = deps.configuration().brands.get(site.brandKey);
      if (brand && !isSoldIn(brand, area)) return refuse('wrongDomain');
      const logins = loginsOf(deps, site.brandKey);
      const kinds = deps.openProviders.offered(logins);
      const shown = (kind: LoginKind, id: string | undefined) => (kinds.includes(kind) ? (id ?? '') : '');
      return succeed({
        fb_id: shown('facebook', logins.facebookAppId),
        gg_id: shown('google', logins.googleClientId),
        gg_pkg: shown('google', logins.googlePackage),
        ios_id: shown('ios', logins.iosBundle),
        vk_id: shown('vk', logins.vkAppId),
        client_id: logins.loginClient ?? '',
        json_type: [...kinds],
        twitterHtml: shown('twitter', callbackOf('twitter', origin, logins)),
      });
    },
    begin: (caller, input) => beginLogin(deps, caller, input),
    finish: (caller, input) => finishLogin(deps, caller, input),
    attemptOf: (site, state) => findAttempt(deps.db, hashSecret(state), site.brandKey),
    takeNotice: (site, call) => takeNotice(deps, site, call),
    logInByCard: (caller, card) => logInByCard(deps, caller, card),
    clientOfGame: (brandKey, gameId) => {
      if (deps.gpIdOf(brandKey, gameId)) return gameId;
      const { games, brands } = deps.configuration();
      const own = brands.get(brandKey)?.file.games ?? [];
      const game = own
        .map((id) => games.get(id as GameId))
        .find((one) => one?.id === gameId || one?.file.gpId === gameId);
      return game ? (game.file.subGames?.[0]?.clientId ?? game.file.clients.web) : null;
    },
    listLinked: (caller, clientId) => listLinked(deps, caller, clientId),
    unlink: (caller, kind, clientId) => unlinkIdentity(deps, caller, kind, clientId),
    listSessions: (caller) => listOwnSessions(deps, caller),
    endSessions: (caller, only) => endSessions(deps, caller, only),
    giveBackupToken: (caller) => giveBackupToken(deps, caller),
  };
}

async function logInByCard(deps: LoginsDeps, caller: Caller, card: CardLogin): Promise<Finished> {
  const { brandKey } = caller.site;
  const no = (answer: Answer<UserInfo>): Finished => ({ answer, session: null });
  const gpId = deps.gpIdOf(brandKey, card.clientId);
  if (!gpId) return no(refuse('noGame'));
  // Hashed: somebody may have typed a password into the wrong field.
  const permit = await deps.limits.ask(
    caller.ip,
    `${brandKey}/card/${hashSecret(card.cardNumber).toString('hex').slice(0, 32)}`,
  );
  if (!permit.isAllowed) {
    noteSecurity(deps.log, 'login_limited', { brand: brandKey, ip: caller.ip, by: 'card' });
    return no(refuseFor(permit.waitSeconds));
  }
  const { cardNumber, password } = card;
  const owner = await deps.findCardAccount({ brandKey, cardNumber, password, ip: caller.ip });
  if (owner === 'too_many') {
    await permit.undecided();
    return no(refuse('tooManyCardAttempts'));
  }
  const player = owner && (await findLivePlayer(deps.db, brandKey, owner));
  if (!player) {
    await permit.failed();
    noteSecurity(deps.log, 'login_failed', { brand: brandKey, ip: caller.ip, by: 'card' });
    return no(refuse('wrongCredentials'));
  }
  if (caller.site.gameOfAccounts) {
    const gameId = gameOfWays(await listIdentities(deps.db, brandKey, player.playerId));
    if (!isAccountAt(caller.site, { gameId }, card.clientId)) {
      await permit.undecided();
      return no(refuse('noGameAccount'));
    }
  }
  const opened = await openSession(deps.db, {
    playerId: player.playerId,
    brandKey,
    kind: card.kind,
    authMethod: 'card',
    replaces: card.replaces,
    userAgent: caller.userAgent,
    betaId: caller.site.betaId,
  });
  await permit.succeeded();
  noteSecurity(deps.log, 'login_ok', { brand: brandKey, player: player.playerId, provider: 'card', ip: caller.ip });
  const { username, suid } = player;
  return {
    answer: succeed({ username, suid, oauth_token: opened.publicId, gp_id: gpId }),
    session: { token: opened.token, kind: card.kind },
  };
}
