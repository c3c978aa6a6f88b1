// Finds the live session of a token, by the hash of the text that the browser, an address or a call shows.
import type { Bound } from '#kernel/bound.ts';
import type { BrandKey, GameId, PlayerId } from '#kernel/ids.ts';
import { type Queryable, query } from '#server/platform/database/db.ts';
import { LIVES, type Session, type SessionKind, hashToken } from './session.ts';

const TOKEN = /^rf1_[A-Za-z0-9_-]{43}$/;
const BACKUP_TOKEN = /^rh1_[A-Za-z0-9_-]{43}$/;

/**
 * @param hash SQL for the hash of the session's token; $1 is the hash of what was shown
 * @param isMeant SQL for the kinds of tokens that count where it was shown
 */
const findStatement = (hash: string, isMeant: string) =>
  `select s.public_id, s.player_id, s.kind, p.suid, p.username, s.bound, s.token_hash,
     s.seen_at < now() - interval '1 minute' as is_long_unseen,
     (select split_part(i.subject, '/', 1) from player_identity i where i.player_id = s.player_id
       and i.brand_key = s.brand_key and i.provider in ('game', 'game~beta') limit 1) as game_id
   from session s cross join lateral player_names(s.player_id, s.brand_key) p
   where s.token_hash = ${hash} and s.brand_key = $2 and s.revoked_at is null and s.idle_until > now()
     and s.absolute_until > now() and p.disabled_at is null
     and s.beta_id is not distinct from $3 and ${isMeant}
     and (s.link_token_hash is null or not exists (select from session e
       where e.token_hash = s.link_token_hash and e.revoked_at is not null))`;

/** Held by a browser, or by a client that keeps it to itself. */
const IS_KEPT = `s.kind <> 'api' and not s.is_address_token`;
const FIND = findStatement('$1', IS_KEPT);
const FIND_IN_ADDRESS = findStatement('$1', 's.is_address_token');
const FIND_IN_CALL = findStatement('$1', `(s.is_address_token or s.kind = 'api')`);
const FIND_AT_BACKUP = findStatement(
  '(select session_hash from backup_token where token_hash = $1 and expires_at > now())',
  IS_KEPT,
);

/**
 * The live session behind a token, for one brand; null for anything else. Idle life is extended at
 * most once a minute, by a statement of its own: most requests only read, and one statement that may do both took
 * the database a fifth longer each time (83 us, 68 now).
 * @param betaId the key of super mode the browser holds: its sessions count with it only,
 *   and all others without it only
 */
export async function findSession(
  db: Queryable,
  token: string,
  brandKey: BrandKey,
  betaId: string | null = null,
): Promise<Session | null> {
  return TOKEN.test(token) ? readSession(db, 'session_find', FIND, token, brandKey, betaId) : null;
}

/**
 * The session of a token in a page address: handed out for that by a ticket call. The token of a
 * browser opens nothing there.
 */
export async function findAddressSession(
  db: Queryable,
  token: string,
  brandKey: BrandKey,
  betaId: string | null = null,
): Promise<Session | null> {
  return TOKEN.test(token)
    ? readSession(db, 'session_find_in_address', FIND_IN_ADDRESS, token, brandKey, betaId)
    : null;
}

/**
 * The session of a token that a call names as `oauth_token`: handed out by a ticket call, or
 * given by a login of the old way.
 */
export async function findCallSession(
  db: Queryable,
  token: string,
  brandKey: BrandKey,
  betaId: string | null = null,
): Promise<Session | null> {
  return TOKEN.test(token) ? readSession(db, 'session_find_in_call', FIND_IN_CALL, token, brandKey, betaId) : null;
}

/** A live session that a game opened, by its public id, with what only the server has of its token. */
export async function findSessionToMark(
  db: Queryable,
  publicId: string,
  brandKey: BrandKey,
): Promise<{ session: Session; tokenHash: Buffer } | null> {
  const [row] = await query<{ token_hash: Buffer; beta_id: string | null }>(
    db,
    'session_find_to_mark',
    `select token_hash, beta_id from session where public_id = $1 and kind = 'sdk'`,
    [publicId],
  );
  if (!row) return null;
  const session = await readByHash(db, 'session_find', FIND, row.token_hash, brandKey, row.beta_id);
  return session && { session, tokenHash: row.token_hash };
}

/** The same for a token of `openBackupToken`. Asked at backup hosts only: anywhere else such a token is none. */
export async function findSessionAtBackup(db: Queryable, token: string, brandKey: BrandKey): Promise<Session | null> {
  if (!BACKUP_TOKEN.test(token)) return null;
  return readSession(db, 'session_find_at_backup', FIND_AT_BACKUP, token, brandKey, null);
}

function readSession(
  db: Queryable,
  name: string,
  statement: string,
  token: string,
  brandKey: BrandKey,
  betaId: string | null,
): Promise<Session | null> {
  return readByHash(db, name, statement, hashToken(token), brandKey, betaId);
}

async function readByHash(
  db: Queryable,
  name: string,
  statement: string,
  hash: Buffer,
  brandKey: BrandKey,
  betaId: string | null,
): Promise<Session | null> {
  const [row] = await query<{
    public_id: string;
    player_id: PlayerId;
    kind: SessionKind;
    suid: string;
    username: string;
    game_id: GameId | null;
    bound: Bound | null;
    token_hash: Buffer;
    is_long_unseen: boolean;
  }>(db, name, statement, [hash, brandKey, betaId]);
  if (!row) return null;
  if (row.is_long_unseen) await extendIdleLife(db, row.token_hash);
  return {
    publicId: row.public_id,
    playerId: row.player_id,
    brandKey,
    kind: row.kind,
    suid: row.suid,
    username: row.username,
    gameId: row.game_id,
    bound: row.bound,
  };
}

/** Of two requests at once the second finds it done. */
async function extendIdleLife(db: Queryable, hash: Buffer): Promise<void> {
  await query(
    db,
    'session_extend',
    `update session set seen_at = now(), idle_until = least(absolute_until, now() + make_interval(secs => case kind
       when 'web' then $2::integer when 'sdk' then $3::integer when 'api' then $4::integer else $5::integer end))
     where token_hash = $1 and revoked_at is null and idle_until > now() and absolute_until > now()
       and seen_at < now() - interval '1 minute'`,
    [hash, LIVES.web.idle, LIVES.sdk.idle, LIVES.api.idle, LIVES.replenish.idle],
  );
}
