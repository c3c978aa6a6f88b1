// Real names that the game itself checks, by `real-name` of its contract: ties two ports that do not know each other.
import type { GameServer } from './modules/games/gameserver.ts';
import type { RealNameChecker } from './modules/realname/realname-port.ts';
import { OutboundError } from './platform/outbound/outbound.ts';

export function createGameRealNames(deps: {
  gameServer: (gameId: string) => GameServer | null;
  gameOfClient: (clientId: string) => string | null;
}): RealNameChecker {
  return {
    sourceOf: (clientId) => {
      const gameId = deps.gameOfClient(clientId);
      return gameId === null ? null : `game:${gameId}`;
    },
    check: async ({ clientId, userId, returnUrl }) => {
      const gameId = deps.gameOfClient(clientId);
      const server = gameId === null ? null : deps.gameServer(gameId);
      if (!server) return { kind: 'unknown', reason: 'no address is set for the game' };
      try {
        const outcome = await server.checkRealName?.({ clientId, userId, returnUrl });
        return outcome ?? { kind: 'unknown', reason: `the game ${gameId} does not offer real-name` };
      } catch (error) {
        if (!(error instanceof OutboundError)) throw error;
        return { kind: 'unknown', reason: error.message };
      }
    },
  };
}
