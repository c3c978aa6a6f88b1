// Sessions: opaque tokens, stored as SHA-256, one brand each. Who may log in is the accounts module's business.
import { DAY_SECONDS } from '#kernel/time.ts';
import { hash, randomBytes } from 'node:crypto';
import type { Bound } from '#kernel/bound.ts';
import type { BrandKey, GameId, PlayerId } from '#kernel/ids.ts';
import { readUserAgent } from '#kernel/user-agents.ts';
import { type Db, type Queryable, query, toJsonb } from '#server/platform/database/db.ts';

/** `api`: of a token that a login gave to a client of the old way; for calls under `/api/` only, never for a page. */
export type SessionKind = 'web' | 'sdk' | 'replenish' | 'api';

export type Session = {
  readonly publicId: string;
  readonly playerId: PlayerId;
  readonly brandKey: BrandKey;
  readonly kind: SessionKind;
  readonly suid: string;
  readonly username: string;
  /** The game that the account is one of, where each game keeps accounts of its own; null where the shop does. */
  readonly gameId: GameId | null;
  /** Null: everything of the account. */
  readonly bound: Bound | null;
};

/**
 * Idle and absolute life in seconds. @source SECURITY section 3: web 7 d / 30 d, sdk 2 h / 12 h, replenish 24 h at most
 */
export const LIVES: Record<SessionKind, { idle: number; absolute: number }> = {
  web: { idle: 7 * DAY_SECONDS, absolute: 30 * DAY_SECONDS },
  sdk: { idle: 2 * 3600, absolute: 12 * 3600 },
  replenish: { idle: 24 * 3600, absolute: 24 * 3600 },
  api: { idle: 3600, absolute: 3600 },
};

/** Our choice: a token in an address opens pages no longer than a game's session may lie idle. */
export const ADDRESS_TOKEN_SECONDS = LIVES.sdk.idle;

/** @source SECURITY section 3, "limit": ten live sessions of a kind an account and brand, the oldest falls */
const MAX_SESSIONS = 10;

/** Our choice: a browser that logged in well is known for half a year without another login. */
export const DEVICE_SECONDS = 180 * DAY_SECONDS;

/** The database stores this hash, never the token. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

/** Cookie life in seconds. */
export function absoluteLifeOf(kind: SessionKind): number {
  return LIVES[kind].absolute;
}

/**
 * Opens a session and returns its token, which is shown to the browser's cookie jar once and stored nowhere.
 * `replaces`: the token of the request that logs in; it dies in the same statement, so that every login rotates.
 */
export async function openSession(
  db: Queryable,
  input: {
    playerId: PlayerId;
    brandKey: BrandKey;
    kind: SessionKind;
    authMethod: string;
    replaces: string | null;
    /** Header of the request that logs in; the player knows the session again by it. */
    userAgent?: string | undefined;
    /**
     * Hash of the token in a page address that it is opened by: it ends with that one, and no later. One
     * such session lives at a time.
     */
    linkTokenHash?: Buffer | null;
    /** Its token is handed out to a game's server, for page addresses. */
    isAddressToken?: boolean;
    bound?: Bound | null;
    /** The hash of the identity that opened the session, where another company vouched for the player. */
    identityHash?: Buffer | null;
    /** Key of super mode that it belongs to. */
    betaId?: string | null | undefined;
  },
): Promise<{ token: string; publicId: string }> {
  const token = `rf1_${randomBytes(32).toString('base64url')}`;
  const publicId = randomBytes(16).toString('base64url');
  const { idle, absolute: longest } = LIVES[input.kind];
  const absolute = input.isAddressToken ? ADDRESS_TOKEN_SECONDS : longest;
  await query(
    db,
    'session_open',
    `with gone as (
       update session set revoked_at = now(), revoke_reason = 'rotated' where (token_hash = $8 or link_token_hash = $12) and revoked_at is null
     ), old as (
       update session set revoked_at = now(), revoke_reason = 'too_many' where revoked_at is null and token_hash in (
         select token_hash from session where token_hash in (
           select token_hash from session where player_id = $3 and kind = $5 and token_hash <> $8 and revoked_at is null and idle_until > now() and absolute_until > now()
           order by created_at desc offset $9)
         -- Logins at the same moment end different ones, or would wait for each other in a circle.
         for update skip locked)
     )
     insert into session (token_hash, public_id, player_id, brand_key, kind, auth_method, idle_until, absolute_until, device, link_token_hash, bound, beta_id,
       identity_hash, is_address_token)
     values ($1, $2, $3, $4, $5, $6, now() + make_interval(secs => $7),
       least(now() + make_interval(secs => $10), (select absolute_until from session where token_hash = $12)), $11, $12, $13, $14, $15, $16)`,
    [hashToken(token), publicId, input.playerId, input.brandKey, input.kind, input.authMethod, idle,
      input.replaces ? hashToken(input.replaces) : Buffer.alloc(0), MAX_SESSIONS - 1, absolute, describeDevice(input.userAgent ?? ''),
      input.linkTokenHash ?? null, input.bound ? toJsonb(input.bound) : null, input.betaId ?? null, input.identityHash ?? null,
      input.isAddressToken ?? false] /* grouped as in the statement */, // prettier-ignore
  );
  return { token, publicId };
}

/** "Chrome, Android": what a player knows a device again by, and no more. */
function describeDevice(userAgent: string): string {
  const { browser, system } = readUserAgent(userAgent);
  return [browser, system].filter(Boolean).join(', ');
}

/**
 * A token for the calls of a client that logs in the old way: it ends with the session of
 * that login, and after an hour.
 * @param token of the session
 */
export async function openCallToken(db: Queryable, token: string, brandKey: BrandKey): Promise<string | null> {
  const [row] = await query<{ player_id: PlayerId; auth_method: string; bound: Bound | null; beta_id: string | null }>(
    db,
    'session_read',
    'select player_id, auth_method, bound, beta_id from session where token_hash = $1 and brand_key = $2',
    [hashToken(token), brandKey],
  );
  if (!row) return null;
  const opened = await openSession(db, {
    playerId: row.player_id,
    brandKey,
    kind: 'api',
    authMethod: row.auth_method,
    replaces: null,
    linkTokenHash: hashToken(token),
    bound: row.bound,
    betaId: row.beta_id,
  });
  return opened.token;
}

/** @source SECURITY section 4: "a 15-minute Bearer token" */
export const BACKUP_TOKEN_SECONDS = 15 * 60;

/**
 * A token that stands for a live session at the brand's backup hosts for a quarter of an hour, and no
 * longer than the session lives.
 * Also clears away what is long over, a little with each new one.
 */
export async function openBackupToken(db: Queryable, publicId: string): Promise<string> {
  const token = `rh1_${randomBytes(32).toString('base64url')}`;
  await query(
    db,
    'session_open_at_backup',
    `with gone as (
       delete from backup_token where token_hash in (
         select token_hash from backup_token where expires_at < now()
         order by expires_at limit 20 for update skip locked)
     )
     insert into backup_token (token_hash, session_hash, expires_at)
     select $1, token_hash, now() + make_interval(secs => $3) from session where public_id = $2`,
    [hashToken(token), publicId, BACKUP_TOKEN_SECONDS],
  );
  return token;
}

/**
 * Ends a session at once, and the token in an address that it was opened by: a link in a
 * history must not open it again.
 */
export async function revokeSession(db: Db, publicId: string, reason: string): Promise<void> {
  await query(
    db,
    'session_revoke',
    `update session set revoked_at = now(), revoke_reason = $2
     where revoked_at is null
       and (public_id = $1 or token_hash = (select link_token_hash from session where public_id = $1))`,
    [publicId, reason],
  );
}

/** Ends every session of a player but one. @source ASVS 7.4.3: after a change of the password */
export async function revokeOtherSessions(
  db: Queryable,
  playerId: PlayerId,
  exceptPublicId: string | null,
  reason: string,
): Promise<number> {
  const rows = await query(
    db,
    'session_revoke_others',
    `update session set revoked_at = now(), revoke_reason = $3
     where player_id = $1 and public_id is distinct from $2 and revoked_at is null returning public_id`,
    [playerId, exceptPublicId, reason],
  );
  return rows.length;
}
