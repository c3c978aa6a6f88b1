// Logging in with a password: limits before work, neutral answers, a fresh session every time.
import type { BrandKey, PlayerId } from '#kernel/ids.ts';
import type { Configuration } from '#server/modules/configuration/service.ts';
import { type Db, transaction } from '#server/platform/db.ts';
import { type LoginLimits, type LoginPermit } from '#server/platform/limits.ts';
import type { Log } from '#server/platform/log.ts';
import { type SessionKind, openSession, revokeSession } from '#server/platform/session.ts';
import type { AccountStore } from './identity.ts';
import { checkPassword, hashPassword, needsRehash } from './password.ts';
import { ensurePlayer, findBuiltinAccount, isLivePlayer, savePassword, subjectOf } from './store.ts';

export { findPlayersNamed } from './player-store.ts';

export type LoginInput = {
  brandKey: BrandKey;
  clientId: string;
  mode: 'sandbox' | 'live';
  username: string;
  password: string;
  ip: string;
  /** Token of the session this login replaces. */
  replaces: string | null;
  userAgent?: string;
  /** 'web' unless it is for a make-up payment. */
  kind?: SessionKind;
};

export type LoginOutcome =
  | { kind: 'ok'; token: string; publicId: string; playerId: PlayerId; username: string; suid: string }
  | { kind: 'wrong_credentials' }
  | { kind: 'too_many' }
  | { kind: 'unavailable' };

export type AccountsService = {
  /** Game product id that a client belongs to; empty when this brand does not sell it. @source specification section 3, "User info" */
  gpIdOf(brandKey: BrandKey, clientId: string): string;
  /** @param publicId of the session that ends */
  logOut(publicId: string): Promise<void>;
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
}): AccountsService {
  const { db, log } = deps;
  const stores: Record<'builtin' | 'game', AccountStore> = {
    builtin: createBuiltinStore(db),
    game: deps.gameAccounts,
  };
  return {
    gpIdOf: (brandKey, clientId) => {
      const found = deps.configuration().gameOfClient(clientId);
      if (!found || !deps.configuration().brands.get(brandKey)?.file.games.includes(found.game.id)) return '';
      return found.subGame?.gpId ?? found.game.file.gpId;
    },
    logOut: (publicId) => revokeSession(db, publicId, 'logout'),
    logIn: async (input) => {
      const subject = subjectOf(input.username);
      const permit: LoginPermit = await deps.limits.ask(input.ip, `${input.brandKey}/${subject}`);
      if (!permit.isAllowed) {
        log.warn(
          { brand: input.brandKey, ip: input.ip, security: 'login_limited' },
          'a login was refused by its limit',
        );
        return { kind: 'too_many' };
      }
      const store = stores[deps.configuration().brands.get(input.brandKey)?.file.accounts ?? 'builtin'];
      const verified = await store.verifyPassword({
        brandKey: input.brandKey,
        clientId: input.clientId,
        mode: input.mode,
        username: input.username,
        password: input.password,
      });
      if (verified.kind === 'unavailable' || verified.kind === 'busy') return { kind: 'unavailable' };
      if (verified.kind !== 'ok') {
        await permit.failed();
        log.warn({ brand: input.brandKey, ip: input.ip, security: 'login_failed' }, 'a login failed');
        return { kind: 'wrong_credentials' };
      }
      const { suid, username } = verified;
      const opened = await transaction(db, async (client) => {
        const playerId = await ensurePlayer(client, {
          brandKey: input.brandKey,
          provider: store.provider,
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
        });
        return { playerId, ...session };
      });
      if (!opened) return { kind: 'wrong_credentials' };
      await permit.succeeded();
      return { kind: 'ok', ...opened, username, suid };
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

function createBuiltinStore(db: Db): AccountStore {
  return {
    provider: 'builtin',
    verifyPassword: async ({ brandKey, username, password }) => {
      const subject = subjectOf(username);
      const account = await findBuiltinAccount(db, brandKey, subject);
      const result = await checkPassword(account?.hash ?? null, password);
      if (result === 'busy') return { kind: 'busy' };
      if (result === 'differs' || !account) return { kind: 'wrong_credentials' };
      if (needsRehash(account.hash)) await savePassword(db, account.playerId, await hashPassword(password));
      return { kind: 'ok', suid: account.suid, subject, username: account.username };
    },
  };
}
