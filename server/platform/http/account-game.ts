// At which game an account is one: the only place that decides it. User ids of two games may be the same text, so a
// login at one of them says nothing about the user of that id at the other.
import type { Session } from './session.ts';
import type { Site } from './site.ts';

/** Keys of a call that name the client of a game. */
const CLIENT_KEYS = ['client_id', 'rp_client_id'] as const;

/**
 * True for everybody where the shop keeps the accounts, and for a client that no game of the brand has: that call is
 * answered by what it asks for, with `noGame`.
 */
export function isAccountAt(site: Site, session: Pick<Session, 'gameId'>, clientId: string): boolean {
  const gameId = site.gameOfAccounts?.(clientId) ?? null;
  return gameId === null || gameId === session.gameId;
}

/** The session as a call sees it that names a game: none, where the account is one of another game. */
export function sessionAt(site: Site, session: Session | null, input: Record<string, unknown>): Session | null {
  if (!session || !site.gameOfAccounts) return session;
  const named = CLIENT_KEYS.flatMap((key) => (typeof input[key] === 'string' ? [input[key]] : []));
  return named.every((clientId) => isAccountAt(site, session, clientId)) ? session : null;
}
