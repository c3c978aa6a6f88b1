// SQL of a player's own sessions: which there are, and ending them. Opening and finding one is
// server/platform/http/session.ts.
import type { BrandKey, PlayerId } from '#kernel/ids.ts';
import { type Queryable, query } from '#server/platform/database/db.ts';

export type SessionOwner = { readonly playerId: PlayerId; readonly brandKey: BrandKey };

export type SessionRow = {
  readonly publicId: string;
  readonly kind: string;
  readonly authMethod: string;
  readonly device: string;
  /** Epoch milliseconds. */
  readonly openedAt: number;
  readonly seenAt: number;
};

/** Live sessions, the one used last first. */
export async function listSessions(db: Queryable, { playerId, brandKey }: SessionOwner): Promise<SessionRow[]> {
  const rows = await query<{
    public_id: string;
    kind: string;
    auth_method: string;
    device: string;
    created_at: Date;
    seen_at: Date;
  }>(
    db,
    'session_list',
    `select public_id, kind, auth_method, device, created_at, seen_at from session
     where player_id = $1 and brand_key = $2 and kind <> 'api' and revoked_at is null and idle_until > now()
       and absolute_until > now()
     order by seen_at desc, created_at desc`,
    [playerId, brandKey],
  );
  return rows.map((row) => ({
    publicId: row.public_id,
    kind: row.kind,
    authMethod: row.auth_method,
    device: row.device,
    openedAt: row.created_at.getTime(),
    seenAt: row.seen_at.getTime(),
  }));
}

/** Ends `only`, or all when it is null, but never `current`. @returns how many ended */
export async function endOwnSessions(
  db: Queryable,
  { playerId, brandKey }: SessionOwner,
  { current, only }: { current: string; only: string | null },
): Promise<number> {
  const rows = await query(
    db,
    'session_end_own',
    `update session set revoked_at = now(), revoke_reason = 'player'
     where player_id = $1 and brand_key = $2 and public_id <> $3 and ($4::text is null or public_id = $4)
       and revoked_at is null
     returning public_id`,
    [playerId, brandKey, current, only],
  );
  return rows.length;
}
