// My: which identities are linked, and taking one away.
import type { LoginKind } from '#contracts/logins.ts';
import { transaction } from '#server/platform/database/db.ts';
import { type PlayerCaller } from '#server/platform/http/http.ts';
import { type Answer, refuse, succeed } from '#server/platform/http/answer.ts';
import { noteSecurity } from '#server/platform/security-log.ts';
import { endSessionsBy, isFreshSession, listIdentities, lockPlayer, removeIdentity } from './identity-store.ts';
import { foundedSuid, mayUnlink, shownIdentities } from './login-rules.ts';
import { type LoginsDeps, loginsOf, scopeOf } from './login-deps.ts';

/** Provider columns of logins by password, which unlinking never touches. */
const OWN_PROVIDERS = ['builtin', 'game'] as const;

export type Linked = {
  linked: { kind: LoginKind; linkedAt: number; isFounding: boolean }[];
  free: LoginKind[];
  canUnlink: boolean;
  isFresh: boolean;
  canChangePassword: boolean;
};

export async function listLinked(deps: LoginsDeps, caller: PlayerCaller, clientId: string): Promise<Answer<Linked>> {
  const { session, site } = caller;
  // Nothing that a session of a game has to know, and it can change none of it.
  if (session.bound)
    return succeed({ linked: [], free: [], canUnlink: false, isFresh: false, canChangePassword: false });
  const providers = deps.openProviders.names;
  const ways = await listIdentities(deps.db, site.brandKey, session.playerId);
  const shown = shownIdentities(ways, providers, scopeOf(deps, site.brandKey, clientId) ?? '');
  return succeed({
    linked: shown.map(({ kind, way }) => ({
      kind,
      linkedAt: way.linkedAt,
      isFounding: foundedSuid(way) === session.suid,
    })),
    free: deps.openProviders
      .offered(loginsOf(deps, site.brandKey))
      .filter((kind) => !shown.some((one) => one.kind === kind)),
    canUnlink: shown.length > 0 && shown.every(({ way }) => mayUnlink(ways, way, providers, OWN_PROVIDERS)),
    isFresh: await isFreshSession(deps.db, session.publicId),
    canChangePassword: keepsPasswordFor(deps, caller) && ways.some(({ provider }) => provider === 'builtin'),
  });
}

/**
 * Returns true when the brand checks passwords in its own table and this session may change them (change-password.ts
 * refuses the others).
 */
function keepsPasswordFor(deps: LoginsDeps, { session, site }: PlayerCaller): boolean {
  return deps.keepsAccounts(site.brandKey) === 'builtin' && session.kind === 'web' && !session.bound;
}

/** Idempotent: what is not linked is unlinked already. */
export async function unlinkIdentity(
  deps: LoginsDeps,
  caller: PlayerCaller,
  kind: LoginKind,
  clientId: string,
): Promise<Answer<Record<string, never>>> {
  const { session, site } = caller;
  if (!(await isFreshSession(deps.db, session.publicId))) return refuse('loginAgain');
  const providers = deps.openProviders.names;
  const outcome = await transaction(deps.db, async (client) => {
    await lockPlayer(client, session.playerId);
    const ways = await listIdentities(client, site.brandKey, session.playerId);
    const scope = scopeOf(deps, site.brandKey, clientId) ?? '';
    const found = shownIdentities(ways, providers, scope).find((one) => one.kind === kind);
    if (!found) return 'none';
    if (!mayUnlink(ways, found.way, providers, OWN_PROVIDERS)) return 'last';
    // The characters are those of this identity: whoever logs in by it is the same user of the game, link or no link.
    if (foundedSuid(found.way) === session.suid) return 'founding';
    await removeIdentity(client, { brandKey: site.brandKey, ...found.way }, session.playerId);
    await endSessionsBy(client, session.playerId, deps.openProviders.names.get(kind) ?? '', session.publicId);
    return 'done';
  });
  if (outcome === 'last') return refuse('lastLogin');
  if (outcome === 'founding') return refuse('foundingLogin');
  if (outcome === 'done')
    noteSecurity(deps.log, 'identity_unlinked', { brand: site.brandKey, player: session.playerId, provider: kind });
  return succeed({});
}
