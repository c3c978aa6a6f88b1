// Passwords known to the game itself: the account store of brands with `accounts: game`. Ties two ports
// that do not know each other.
import type { AccountStore, IdentityAccounts } from './modules/accounts/identity.ts';
import type { GameServer } from './modules/games/gameserver.ts';
import type { Log } from './platform/log.ts';

export function createGameAccounts(deps: {
  log: Log;
  gameServer: (gameId: string) => GameServer | null;
  gameOfClient: (clientId: string) => string | null;
}): AccountStore {
  return {
    provider: 'game',
    verifyPassword: async ({ clientId, username, password }) => {
      const gameId = deps.gameOfClient(clientId);
      const server = gameId && deps.gameServer(gameId);
      if (!gameId || !server) return { kind: 'unavailable' };
      try {
        const outcome = await server.authenticate(clientId, username, password);
        // User ids of two games may be the same text, so the game is part of the subject.
        if (outcome.kind === 'ok')
          return {
            kind: 'ok',
            suid: outcome.userId,
            subject: `${gameId}/${outcome.userId}`,
            username: outcome.username,
          };
        return outcome.kind === 'wrong_credentials' ? { kind: 'wrong_credentials' } : { kind: 'unavailable' };
      } catch (error) {
        deps.log.warn({ err: error, game: gameId }, 'the game did not answer a login');
        return { kind: 'unavailable' };
      }
    },
  };
}

/** Accounts of players whom another company vouches for, as the games know them; the same brands. */
export function createGameIdentities(deps: Parameters<typeof createGameAccounts>[0]): IdentityAccounts {
  return {
    scopeOf: (clientId) => {
      const gameId = deps.gameOfClient(clientId);
      return gameId === null ? null : `${gameId}/`;
    },
    findByIdentity: async ({ clientId, provider, subject }) => {
      const gameId = deps.gameOfClient(clientId);
      const server = gameId && deps.gameServer(gameId);
      if (!gameId || !server) return { kind: 'unavailable' };
      try {
        const outcome = await server.identify?.(clientId, provider, subject);
        if (!outcome || outcome.kind === 'no_account') return { kind: 'no_account' };
        if (outcome.kind !== 'ok') return { kind: 'unavailable' };
        const { userId: suid, username } = outcome;
        return { kind: 'ok', suid, subject: `${gameId}/${suid}`, username };
      } catch (error) {
        deps.log.warn({ err: error, game: gameId }, 'the game did not answer a login');
        return { kind: 'unavailable' };
      }
    },
  };
}
