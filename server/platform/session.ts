// Sessions: opaque tokens, stored as SHA-256, one brand each. Who may log in is the accounts module's business.
import { createHash, randomBytes } from 'node:crypto';
import type { BrandKey, PlayerId } from '#kernel/ids.ts';
import { readUserAgent } from '#kernel/user-agents.ts';
import { type Db, type Queryable, query } from './db.ts';

export type SessionKind = 'web' | 'sdk' | 'replenish';

export type Session = {
  readonly publicId: string;
  readonly playerId: PlayerId;
  readonly brandKey: BrandKey;
  readonly kind: SessionKind;
  readonly suid: string;
  readonly username: string;
};

/** Idle and absolute life in seconds. @source SECURITY section 3: web 7 d / 30 d, sdk 2 h / 12 h, replenish 24 h at most */
const LIVES: Record<SessionKind, { idle: number; absolute: number }> = {
  web: { idle: 7 * 86_400, absolute: 30 * 86_400 },
  sdk: { idle: 2 * 3600, absolute: 12 * 3600 },
  replenish: { idle: 24 * 3600, absolute: 24 * 3600 },
};

/** @source SECURITY section 3, "limit": ten live sessions an account and brand, the oldest falls */
const MAX_SESSIONS = 10;

const TOKEN = /^rf1_[A-Za-z0-9_-]{43}$/;

function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
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
  },
): Promise<{ token: string; publicId: string }> {
  const token = `rf1_${randomBytes(32).toString('base64url')}`;
  const publicId = randomBytes(16).toString('base64url');
  const { idle, absolute } = LIVES[input.kind];
  await query(
    db,
    'session_open',
    `with gone as (
       update session set revoked_at = now(), revoke_reason = 'rotated' where token_hash = $8 and revoked_at is null
     ), old as (
       update session set revoked_at = now(), revoke_reason = 'too_many' where revoked_at is null and token_hash in (
         select token_hash from session where player_id = $3 and token_hash <> $8 and revoked_at is null and idle_until > now() and absolute_until > now()
         order by created_at desc offset $9)
     )
     insert into session (token_hash, public_id, player_id, brand_key, kind, auth_method, idle_until, absolute_until, device)
     values ($1, $2, $3, $4, $5, $6, now() + make_interval(secs => $7), now() + make_interval(secs => $10), $11)`,
    [hashToken(token), publicId, input.playerId, input.brandKey, input.kind, input.authMethod, idle,
      input.replaces ? hashToken(input.replaces) : Buffer.alloc(0), MAX_SESSIONS - 1, absolute, describeDevice(input.userAgent ?? '')], // prettier-ignore
  );
  return { token, publicId };
}

/** "Chrome, Android": what a player knows a device again by, and no more. */
function describeDevice(userAgent: string): string {
  const { browser, system } = readUserAgent(userAgent);
  return [browser, system].filter(Boolean).join(', ');
}

/**
 * The live session behind a token, for one brand; null for anything else. Idle life is extended at most once a minute, so that most
 * requests only read. One statement in both cases.
 */
export async function findSession(db: Queryable, token: string, brandKey: BrandKey): Promise<Session | null> {
  if (!TOKEN.test(token)) return null;
  const [row] = await query<{
    public_id: string;
    player_id: PlayerId;
    kind: SessionKind;
    suid: string;
    username: string;
  }>(
    db,
    'session_find',
    `with touched as (
       update session set seen_at = now(), idle_until = least(absolute_until, now() + make_interval(secs => case kind when 'web' then $3::integer when 'sdk' then $4::integer else $5::integer end))
       where token_hash = $1 and revoked_at is null and idle_until > now() and absolute_until > now() and seen_at < now() - interval '1 minute'
     )
     select s.public_id, s.player_id, s.kind, p.suid, p.username from session s join player p on p.player_id = s.player_id
     where s.token_hash = $1 and s.brand_key = $2 and s.revoked_at is null and s.idle_until > now() and s.absolute_until > now() and p.disabled_at is null`,
    [hashToken(token), brandKey, LIVES.web.idle, LIVES.sdk.idle, LIVES.replenish.idle],
  );
  if (!row) return null;
  return {
    publicId: row.public_id,
    playerId: row.player_id,
    brandKey,
    kind: row.kind,
    suid: row.suid,
    username: row.username,
  };
}

/** Ends a session at once. */
export async function revokeSession(db: Db, publicId: string, reason: string): Promise<void> {
  await query(
    db,
    'session_revoke',
    'update session set revoked_at = now(), revoke_reason = $2 where public_id = $1 and revoked_at is null',
    [publicId, reason],
  );
}
