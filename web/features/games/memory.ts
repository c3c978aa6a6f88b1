// The last choices of a player, per game, as the storage keeps them: which game, and who received there.
import { load, save } from '#web/platform/visitor/storage.ts';
import { track } from '#web/platform/visitor/track.ts';
import type { RoleRef } from './rules.ts';

export type GameInfo = { client_id: string; roles: Record<string, RoleRef> };

const NOTHING: GameInfo = { client_id: '', roles: {} };

/** Reads what the storage held; anything else than our own shape is nothing. */
export function readGameInfo(value: unknown): GameInfo {
  if (typeof value !== 'object' || value === null) return NOTHING;
  const { client_id, roles } = value as Partial<Record<keyof GameInfo, unknown>>;
  const entries = typeof roles === 'object' && roles !== null ? Object.entries(roles) : [];
  return {
    client_id: typeof client_id === 'string' ? client_id : '',
    roles: Object.fromEntries(entries.filter((entry): entry is [string, RoleRef] => isRoleRef(entry[1]))),
  };
}

function isRoleRef(value: unknown): value is RoleRef {
  if (typeof value !== 'object' || value === null) return false;
  const { role_id, server_id, area_id } = value as Partial<Record<keyof RoleRef, unknown>>;
  return [role_id, server_id, area_id].every((part) => typeof part === 'string');
}

export function loadGameInfo(): GameInfo {
  return readGameInfo(load('gameInfo'));
}

/** Keeps the game that was chosen; the characters of other games stay remembered. */
export function rememberGame(clientId: string): void {
  if (clientId !== loadGameInfo().client_id) track('game_choose', { client_id: clientId });
  save('gameInfo', { ...loadGameInfo(), client_id: clientId });
}

/** No game is the chosen one any more; the characters of all games stay remembered. */
export function clearGame(): void {
  const info = loadGameInfo();
  if (info.client_id !== '') save('gameInfo', { ...info, client_id: '' });
}

export function rememberRole(clientId: string, role: RoleRef): void {
  const info = loadGameInfo();
  save('gameInfo', { client_id: clientId, roles: { ...info.roles, [clientId]: role } });
}
