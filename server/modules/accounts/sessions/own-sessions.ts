// My: where the account is logged in, and ending sessions from there.
import { LOGIN_KINDS } from '#contracts/logins.ts';
import type { OwnSession } from '#contracts/sessions.ts';
import { type PlayerCaller } from '#server/platform/http/http.ts';
import { type Answer, refuse, succeed } from '#server/platform/http/answer.ts';
import { noteSecurity } from '#server/platform/security-log.ts';
import type { LoginsDeps } from '#server/modules/accounts/logins/login-deps.ts';
import { type SessionRow, endOwnSessions, listSessions } from './session-store.ts';

export type OwnSessions = { list: OwnSession[]; canEnd: boolean };

export async function listOwnSessions(deps: LoginsDeps, { session, site }: PlayerCaller): Promise<Answer<OwnSessions>> {
  const all = await listSessions(deps.db, { playerId: session.playerId, brandKey: site.brandKey });
  // A session that a game opened knows nothing of the account's others.
  const rows = session.bound ? all.filter(({ publicId }) => publicId === session.publicId) : all;
  const list = rows
    .map((row) => ({
      id: row.publicId,
      isCurrent: row.publicId === session.publicId,
      device: row.device,
      method: methodOf(deps, row.authMethod),
      openedAt: row.openedAt,
      seenAt: row.seenAt,
    }))
    .toSorted((one, other) => Number(other.isCurrent) - Number(one.isCurrent));
  return succeed({ list, canEnd: mayEnd(rows, session.publicId) });
}

/** @param only public id of the session to end; null for all others */
export async function endSessions(
  deps: LoginsDeps,
  { session, site }: PlayerCaller,
  only: string | null,
): Promise<Answer<Record<string, never>>> {
  const owner = { playerId: session.playerId, brandKey: site.brandKey };
  if (!mayEnd(await listSessions(deps.db, owner), session.publicId)) return refuse('loginAgain');
  const ended = await endOwnSessions(deps.db, owner, { current: session.publicId, only });
  noteSecurity(deps.log, 'sessions_ended', { brand: site.brandKey, player: session.playerId, ended });
  return succeed({});
}

/** Whoever found a card, or holds a phone with the game open, must not be able to lock the owner out. */
function mayEnd(rows: readonly SessionRow[], current: string): boolean {
  return rows.some((row) => row.publicId === current && row.kind === 'web' && row.authMethod !== 'card');
}

function methodOf({ openProviders }: LoginsDeps, authMethod: string): OwnSession['method'] {
  if (authMethod === 'password' || authMethod === 'card') return authMethod;
  return LOGIN_KINDS.find((kind) => openProviders.names.get(kind) === authMethod) ?? 'other';
}
