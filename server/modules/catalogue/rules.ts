// Whom a limit counts. Pure.
import type { GameFile, Limit } from '#contracts/game-file.ts';

/**
 * The key a limit is counted under: one character, or the whole account in this game.
 * @source specification section 9, "Limited purchase": N purchases within D days; N per character
 */
export function limitSubject(
  limit: Limit,
  who: { clientId: string; areaId: string; serverId: string; roleId: string },
): string {
  return limit.type === 'game' ? 'game' : `role:${who.clientId}/${who.areaId}/${who.serverId}/${who.roleId}`;
}

/** The season of a first-purchase bonus that names none. */
export const EVER = 'ever';

/** The client that a character is counted under: android, ios and web are one, an edition is its own. */
export function countedClient({ file }: { file: Pick<GameFile, 'clients'> }, clientId: string): string {
  return Object.values(file.clients).includes(clientId) ? file.clients.web : clientId;
}
