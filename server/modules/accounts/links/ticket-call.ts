// A game's server asks for a way into the shop for one of its players: a signed call, answered by a ticket
// that is good for a minute, once, or by a code for another device.
import { randomBytes, randomInt } from 'node:crypto';
import { Compile } from 'typebox/compile';
import { CODE_PATH } from '#contracts/documents.ts';
import { type TicketAnswer, TicketCall } from '#contracts/game-calls.ts';
import type { Bound } from '#kernel/bound.ts';
import { makeEntryCode, showEntryCode } from '#kernel/entry-codes.ts';
import type { PlayerId } from '#kernel/ids.ts';
import { transaction } from '#server/platform/database/db.ts';
import { toOwnPath } from '#kernel/own-path.ts';
import { noteSecurity } from '#server/platform/security-log.ts';
import { ADDRESS_TOKEN_SECONDS, hashToken, openSession } from '#server/platform/http/session.ts';
import { isSigned, readSigned, type SignedAnswer, type SignedCall } from '#server/platform/http/signed-call.ts';
import type { Site } from '#server/platform/http/site.ts';
import type { LinkDeps } from './link-deps.ts';
import { type LoginLink, findPlayerBySuid, saveLink } from './link-store.ts';
import { ensurePlayer } from '#server/modules/accounts/store.ts';

/** @source SECURITY section 0, decision 3: sixty seconds, single use */
const TICKET_SECONDS = 60;
/** Our choice: reading eight letters, opening the shop elsewhere and typing them. */
const CODE_SECONDS = 300;

const wantedShape = Compile(TicketCall);

const declined = (reason: string): SignedAnswer => ({ status: 200, body: { status: 'declined', reason } });

/** Null: no such game here. 401 for a signature that is wrong, old or missing. */
export async function answerTicketCall(
  deps: LinkDeps,
  site: Site,
  origin: string,
  call: SignedCall,
): Promise<SignedAnswer | null> {
  const { brandKey } = site;
  const gameId = deps.gpIdOf(brandKey, call.clientId) ? deps.gameOfClient(call.clientId) : null;
  if (!gameId) return null;
  const refuse = (status: number, reason: string): SignedAnswer => {
    noteSecurity(deps.log, 'ticket_refused', { brand: brandKey, game: gameId, reason });
    return { status, body: { status: 'error', reason } };
  };
  if (!isSigned(deps.gameSecrets(gameId), call, deps.now())) return refuse(401, 'signature');
  const wanted = readSigned<TicketCall>(call.body, wantedShape);
  if (!wanted) return refuse(400, 'body');
  // Signed for another brand of the same game, or for another client: somebody has got hold of a
  // call, and sends it elsewhere.
  if (wanted.to.toLowerCase() !== call.to.toLowerCase()) return refuse(401, 'to');
  if (wanted.kind === 'token' && !site.legacyQueryToken) return declined('token_not_allowed');
  if (wanted.kind === 'code' && !deps.hasEntryCodes(gameId)) return declined('code_not_allowed');
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
    kind: wanted.kind ?? 'ticket',
    id: call.headers.id,
  });
  if (!answer) return refuse(409, 'repeated');
  noteSecurity(deps.log, 'ticket_issued', { brand: brandKey, game: gameId, player: playerId, kind: answer.key });
  return { status: 200, body: tell(answer, origin, call.clientId) };
}

function tell({ key, secret, seconds }: Handed, origin: string, clientId: string): TicketAnswer {
  const address = new URL(key === 'code' ? CODE_PATH : '/', origin);
  address.searchParams.set('client_id', clientId);
  // Behind "#" no server, log or looked-ahead link ever meets it.
  if (key === 'code') address.hash = secret;
  else address.searchParams.set(key, secret);
  const loginLink = { status: 'ok', expires_in: seconds, url: address.href } as const;
  if (key === 'code') return { ...loginLink, code: showEntryCode(secret) };
  return key === 'ticket' ? { ...loginLink, ticket: secret } : { ...loginLink, oauth_token: secret };
}

type Handed = { readonly key: 'ticket' | 'oauth_token' | 'code'; readonly secret: string; readonly seconds: number };

/** Null: this very call was answered before. */
async function hand(
  deps: LinkDeps,
  { brandKey }: Site,
  to: { gameId: string; playerId: PlayerId; bound: Bound; kind: 'ticket' | 'token' | 'code'; id: string },
): Promise<Handed | null> {
  const messageId = `${to.gameId}/${to.id}`;
  const isCode = to.kind === 'code';
  const ticket = isCode ? makeEntryCode(randomInt) : `rt1_${randomBytes(32).toString('base64url')}`;
  const seconds = isCode ? CODE_SECONDS : TICKET_SECONDS;
  const link: LoginLink = {
    kind: isCode ? 'code' : 'ticket',
    brandKey,
    playerId: to.playerId,
    bound: to.bound,
    linkTokenHash: null,
    returnTo: toOwnPath('/'),
  };
  return transaction(deps.db, async (client) => {
    if (!(await saveLink(client, hashToken(ticket), link, { lifeSeconds: seconds, messageId }))) return null;
    if (to.kind !== 'token') return { key: to.kind, secret: ticket, seconds };
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
 * Makes an account on the game's word only when the game keeps the accounts. Else it finds the existing one by the user
 * id that the operator gave it.
 */
export async function findOrMakePlayer(
  deps: Pick<LinkDeps, 'db' | 'keepsAccounts'>,
  { brandKey }: Pick<Site, 'brandKey'>,
  gameId: string,
  { user_id: suid, username }: Pick<TicketCall, 'user_id' | 'username'>,
): Promise<PlayerId | null> {
  if (deps.keepsAccounts(brandKey) !== 'game') return findPlayerBySuid(deps.db, brandKey, suid);
  return ensurePlayer(deps.db, { brandKey, provider: 'game', subject: `${gameId}/${suid}`, suid, username });
}
