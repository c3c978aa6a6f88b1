// A game's server asks for a way into the shop for one of its players: a signed call, answered by a ticket
// that is good for a minute, once.
import { randomBytes } from 'node:crypto';
import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Bound } from '#kernel/bound.ts';
import type { PlayerId } from '#kernel/ids.ts';
import { transaction } from '#server/platform/database/db.ts';
import { toOwnPath } from '#kernel/own-path.ts';
import { isSigned, readSignedJson, type SignedCall } from '#server/platform/signed-call.ts';
import { noteSecurity } from '#server/platform/security-log.ts';
import { ADDRESS_TOKEN_SECONDS, hashToken, openSession } from '#server/platform/http/session.ts';
import type { Site } from '#server/platform/http/site.ts';
import type { LinkDeps } from './link-deps.ts';
import { type LoginLink, findPlayerBySuid, saveLink } from './link-store.ts';
import { ensurePlayer } from '#server/modules/accounts/store.ts';

export type TicketCall = SignedCall & {
  /** Host name and path that were called, as the signed body has to name them. */
  readonly to: string;
  /** Out of the address: which game's secret it has to be signed with is known before a byte of the body is read. */
  readonly clientId: string;
};
export type TicketAnswer = { readonly status: number; readonly body: Readonly<Record<string, unknown>> };

/** @source SECURITY section 0, decision 3: sixty seconds, single use */
const TICKET_SECONDS = 60;

const Id = Type.String({ minLength: 1, maxLength: 128 });
/** @source docs/game-server-contract.md, "Tickets" */
const Wanted = Type.Object({
  to: Type.String({ minLength: 1, maxLength: 600 }),
  user_id: Id,
  username: Type.String({ minLength: 1, maxLength: 100 }),
  server_id: Type.Optional(Id),
  area_id: Type.Optional(Id),
  role_id: Type.Optional(Id),
  kind: Type.Optional(Type.Enum(['ticket', 'token'])),
});
const wantedShape = Compile(Wanted);

const declined = (reason: string): TicketAnswer => ({ status: 200, body: { status: 'declined', reason } });

/** Null: no such game here. 401 for a signature that is wrong, old or missing. */
export async function answerTicketCall(
  deps: LinkDeps,
  site: Site,
  origin: string,
  call: TicketCall,
): Promise<TicketAnswer | null> {
  const { brandKey } = site;
  const gameId = deps.gpIdOf(brandKey, call.clientId) ? deps.gameOfClient(call.clientId) : null;
  if (!gameId) return null;
  const refuse = (status: number, reason: string): TicketAnswer => {
    noteSecurity(deps.log, 'ticket_refused', { brand: brandKey, game: gameId, reason });
    return { status, body: { status: 'error', reason } };
  };
  if (!isSigned(deps.gameSecrets(gameId), call, deps.now())) return refuse(401, 'signature');
  const wanted = readWanted(call.body);
  if (!wanted) return refuse(400, 'body');
  // Signed for another brand of the same game, or for another client: somebody has got hold of a
  // call, and sends it elsewhere.
  if (wanted.to.toLowerCase() !== call.to.toLowerCase()) return refuse(401, 'to');
  if (wanted.kind === 'token' && !site.legacyQueryToken) return declined('token_not_allowed');
  const playerId = await findOrMakePlayer(deps, site, gameId, wanted);
  if (!playerId) return declined('unknown_user');

  const bound: Bound = {
    client_id: call.clientId,
    ...(wanted.server_id ? { server_id: wanted.server_id } : {}),
    ...(wanted.area_id ? { area_id: wanted.area_id } : {}),
    ...(wanted.role_id ? { role_id: wanted.role_id } : {}),
  };
  const answer = await hand(deps, site, {
    gameId,
    playerId,
    bound,
    isToken: wanted.kind === 'token',
    id: call.headers.id,
  });
  if (!answer) return refuse(409, 'repeated');
  noteSecurity(deps.log, 'ticket_issued', { brand: brandKey, game: gameId, player: playerId, kind: answer.key });
  const address = new URL('/', origin);
  address.searchParams.set('client_id', call.clientId);
  address.searchParams.set(answer.key, answer.secret);
  return {
    status: 200,
    body: { status: 'ok', [answer.key]: answer.secret, expires_in: answer.seconds, url: address.href },
  };
}

/** Null: this very call was answered before. */
async function hand(
  deps: LinkDeps,
  { brandKey }: Site,
  to: { gameId: string; playerId: PlayerId; bound: Bound; isToken: boolean; id: string },
): Promise<{ key: 'ticket' | 'oauth_token'; secret: string; seconds: number } | null> {
  const messageId = `${to.gameId}/${to.id}`;
  const ticket = `rt1_${randomBytes(32).toString('base64url')}`;
  const link: LoginLink = {
    kind: 'ticket',
    brandKey,
    playerId: to.playerId,
    bound: to.bound,
    linkTokenHash: null,
    returnTo: toOwnPath('/'),
  };
  return transaction(deps.db, async (client) => {
    if (!(await saveLink(client, hashToken(ticket), link, { lifeSeconds: TICKET_SECONDS, messageId }))) return null;
    if (!to.isToken) return { key: 'ticket' as const, secret: ticket, seconds: TICKET_SECONDS };
    // The ticket stays unknown to everybody; its row only remembers the call.
    const { token } = await openSession(client, {
      playerId: to.playerId,
      brandKey,
      kind: 'sdk',
      authMethod: 'game',
      replaces: null,
      bound: to.bound,
      isAddressToken: true,
    });
    return { key: 'oauth_token' as const, secret: token, seconds: ADDRESS_TOKEN_SECONDS };
  });
}

/**
 * Where the game keeps the accounts its word makes one; else only an account that is there, under the
 * user id the operator gave it.
 */
export async function findOrMakePlayer(
  deps: LinkDeps,
  { brandKey }: Site,
  gameId: string,
  { user_id: suid, username }: { user_id: string; username: string },
): Promise<PlayerId | null> {
  if (deps.keepsAccounts(brandKey) !== 'game') return findPlayerBySuid(deps.db, brandKey, suid);
  return ensurePlayer(deps.db, { brandKey, provider: 'game', subject: `${gameId}/${suid}`, suid, username });
}

function readWanted(body: Buffer): Static<typeof Wanted> | null {
  const value = readSignedJson(body);
  return wantedShape.Check(value) ? (value as Static<typeof Wanted>) : null;
}
