// Passwords known to the game itself: the account store of brands with `accounts: game`. Ties two ports
// that do not know each other.
import type { AccountStore, IdentityAccounts } from './modules/accounts/identity.ts';
import type { GameServer } from './modules/games/gameserver.ts';
import type { Log } from './platform/log.ts';
import { createNoiseBudget } from './platform/noise-budget.ts';

type Deps = {
  log: Log;
  gameServer: (gameId: string) => GameServer | null;
  gameOfClient: (clientId: string) => string | null;
  now: () => number;
};

/** Our choice: a line says it all, and a game that is away sends every login here. */
const LINES_A_MINUTE = 5;

const UNSET = 'the game has no address and no secret here, or there is no such game';

/** Writes why a login ended without an answer of the game, within a budget for each game. */
function createLoginLog({ log, now }: Deps) {
  const budget = createNoiseBudget(
    (unwritten) => log.warn({ unwritten }, 'more logins got no answer of the game than are written'),
    now,
    { perNetwork: LINES_A_MINUTE, inAll: LINES_A_MINUTE * 10 },
  );
  return (game: string, facts: { err: unknown } | { reason: string }) => {
    if (budget.takes(game, '')) log.warn({ game, ...facts }, 'the game did not answer a login');
  };
}

export function createGameAccounts(deps: Deps): AccountStore {
  const note = createLoginLog(deps);
  return {
    provider: 'game',
    verifyPassword: async ({ clientId, username, password }) => {
      const gameId = deps.gameOfClient(clientId);
      const server = gameId && deps.gameServer(gameId);
      if (!gameId || !server) {
        note(gameId ?? '', { reason: UNSET });
        return { kind: 'unavailable' };
      }
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
        if (outcome.kind === 'wrong_credentials') return outcome;
        note(gameId, { reason: outcome.reason });
        return { kind: 'unavailable' };
      } catch (error) {
        note(gameId, { err: error });
        return { kind: 'unavailable' };
      }
    },
  };
}

/** Accounts of players whom another company vouches for, as the games know them; the same brands. */
export function createGameIdentities(deps: Deps): IdentityAccounts {
  const note = createLoginLog(deps);
  return {
    scopeOf: (clientId) => {
      const gameId = deps.gameOfClient(clientId);
      return gameId === null ? null : `${gameId}/`;
    },
    findByIdentity: async ({ clientId, provider, subject }) => {
      const gameId = deps.gameOfClient(clientId);
      const server = gameId && deps.gameServer(gameId);
      if (!gameId || !server) {
        note(gameId ?? '', { reason: UNSET });
        return { kind: 'unavailable' };
      }
      try {
        const outcome = await server.identify?.(clientId, provider, subject);
        if (!outcome || outcome.kind === 'no_account') return { kind: 'no_account' };
        if (outcome.kind !== 'ok') {
          note(gameId, { reason: outcome.reason });
          return { kind: 'unavailable' };
        }
        const { userId: suid, username } = outcome;
        return { kind: 'ok', suid, subject: `${gameId}/${suid}`, username };
      } catch (error) {
        note(gameId, { err: error });
        return { kind: 'unavailable' };
      }
    },
  };
}
