// Whom a limit counts. Pure.
import type { Limit } from '#contracts/game-file.ts';

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
