// Logging in with a password: limits before work, neutral answers, a fresh session every time.
import type { BrandKey, PlayerId } from '#kernel/ids.ts';
import type { Configuration } from '#server/modules/configuration/service.ts';
import { type Db, transaction } from '#server/platform/database/db.ts';
import { type LoginLimits, type LoginPermit } from '#server/platform/limits/login-limits.ts';
import type { Log } from '#server/platform/log.ts';
import { noteSecurity } from '#server/platform/security-log.ts';
import { type SessionKind, openSession, revokeSession } from '#server/platform/http/session.ts';
import { createBuiltinStore } from './passwords/builtin-accounts.ts';
import { type ChangePassword, type ChangeOutcome, changePassword } from './passwords/change-password.ts';
import { createFailureWatch } from './passwords/failure-rules.ts';
import type { AccountStore } from './identity.ts';
import { hashPassword } from './passwords/password.ts';
import { ensurePlayer, isLivePlayer, providerFor, savePassword, subjectOf } from './store.ts';

export { isFreshSession } from './logins/identity-store.ts';
export { type PlayerRef, findPlayersByRef } from './player-ref.ts';

export type LoginInput = {
  brandKey: BrandKey;
  clientId: string;
  username: string;
  password: string;
  ip: string;
  /** Token of the session this login replaces. */
  replaces: string | null;
  userAgent?: string;
  /** 'web' unless it is for a make-up payment. */
  kind?: SessionKind;
  /** This browser's device id; null for an unknown browser. */
  device?: string | null;
  /** Key of super mode the browser holds: the login is a beta user's. */
  betaId?: string | undefined;
};

export type LoginOutcome =
  | {
      kind: 'ok';
      token: string;
      publicId: string;
      playerId: PlayerId;
      username: string;
      suid: string;
      device: string | null;
    }
  | { kind: 'wrong_credentials' }
  | { kind: 'too_many'; waitSeconds: number }
  | { kind: 'unavailable' };

export type AccountsService = {
  /**
   * Game product id that a client belongs to; empty when this brand does not sell it. @source
   * specification section 3, "User info"
   */
  gpIdOf(brandKey: BrandKey, clientId: string): string;
  logOut(session: { publicId: string; playerId: PlayerId; brandKey: BrandKey }): Promise<void>;
  /** A new password for a built-in account; every other session of it ends. */
  changePassword(input: ChangePassword): Promise<ChangeOutcome>;
  logIn(input: LoginInput): Promise<LoginOutcome>;
  isLivePlayer(playerId: string): Promise<boolean>;
  /** Makes or renews a built-in account, for seeds and the operator's command line. */
  saveAccount(account: { brandKey: BrandKey; username: string; suid: string; password: string }): Promise<PlayerId>;
};

export function createAccountsService(deps: {
  db: Db;
  log: Log;
  configuration: () => Configuration;
  limits: LoginLimits;
  gameAccounts: AccountStore;
  /** Passwords nobody may choose, in lower case, beside those that are known everywhere. */
  deniedPasswords?: ReadonlySet<string>;
}): AccountsService {
  const { db, log } = deps;
  const isAlarming = createFailureWatch();
  const stores: Record<'builtin' | 'game', AccountStore> = {
    builtin: createBuiltinStore(db, log),
    game: deps.gameAccounts,
  };
  return {
    gpIdOf: (brandKey, clientId) => {
      const found = deps.configuration().gameOfClient(clientId);
      if (!found || !deps.configuration().brands.get(brandKey)?.file.games.includes(found.game.id)) return '';
      return found.subGame?.gpId ?? found.game.file.gpId;
    },
    logOut: async ({ publicId, playerId, brandKey }) => {
      await revokeSession(db, publicId, 'logout');
      noteSecurity(log, 'logout', { brand: brandKey, player: playerId });
    },
    changePassword: (input) => changePassword(deps, input),
    logIn: async (input) => {
      const subject = subjectOf(input.username);
      const permit: LoginPermit = await deps.limits.ask(input.ip, `${input.brandKey}/${subject}`, input.device ?? null);
      if (!permit.isAllowed) {
        noteSecurity(log, 'login_limited', { brand: input.brandKey, ip: input.ip, by: 'password' });
        return { kind: 'too_many', waitSeconds: permit.waitSeconds };
      }
      const store = stores[deps.configuration().brands.get(input.brandKey)?.file.accounts ?? 'builtin'];
      const verified = await store.verifyPassword({
        brandKey: input.brandKey,
        clientId: input.clientId,
        username: input.username,
        password: input.password,
        isKnownDevice: permit.isKnownDevice,
      });
      if (verified.kind === 'unavailable' || verified.kind === 'busy') {
        await permit.undecided();
        if (verified.kind === 'busy') noteSecurity(log, 'login_queue_full', { brand: input.brandKey });
        return { kind: 'unavailable' };
      }
      const fail = async (): Promise<LoginOutcome> => {
        await permit.failed();
        noteSecurity(log, 'login_failed', { brand: input.brandKey, ip: input.ip, by: 'password' });
        if (isAlarming(input.brandKey, Date.now()))
          noteSecurity(log, 'login_failures_high', { alert: 'login_failures', brand: input.brandKey });
        return { kind: 'wrong_credentials' };
      };
      if (verified.kind !== 'ok') return fail();
      const { suid, username } = verified;
      const opened = await transaction(db, async (client) => {
        const playerId = await ensurePlayer(client, {
          brandKey: input.brandKey,
          provider: providerFor(store.provider, input),
          subject: verified.subject,
          suid,
          username,
        });
        if (!playerId) return null;
        const session = await openSession(client, {
          playerId,
          brandKey: input.brandKey,
          kind: input.kind ?? 'web',
          authMethod: 'password',
          replaces: input.replaces,
          userAgent: input.userAgent,
          betaId: input.betaId,
        });
        return { playerId, ...session };
      });
      if (!opened) return fail();
      const { device } = await permit.succeeded();
      noteSecurity(log, 'login_ok', {
        brand: input.brandKey,
        player: opened.playerId,
        provider: store.provider,
        ip: input.ip,
      });
      return { kind: 'ok', ...opened, username, suid, device };
    },
    isLivePlayer: (playerId) => isLivePlayer(db, playerId),
    saveAccount: async ({ brandKey, username, suid, password }) => {
      const hash = await hashPassword(password);
      return transaction(db, async (client) => {
        const playerId = await ensurePlayer(client, {
          brandKey,
          provider: 'builtin',
          subject: subjectOf(username),
          suid,
          username,
        });
        if (!playerId) throw new Error(`the account ${username} of ${brandKey} is disabled`);
        await savePassword(client, playerId, hash);
        return playerId;
      });
    },
  };
}
