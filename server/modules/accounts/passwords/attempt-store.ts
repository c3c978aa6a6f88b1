// SQL of login attempts: begun once, taken once.
import type { LoginKind } from '#contracts/logins.ts';
import type { BrandKey, PlayerId } from '#kernel/ids.ts';
import type { OwnPath } from '#kernel/own-path.ts';
import { type Queryable, query, toJsonb } from '#server/platform/database/db.ts';
import type { Kept } from '#server/modules/accounts/logins/login-port.ts';

export type AttemptPurpose = 'login' | 'link' | 'replenish';

export type Attempt = {
  readonly brandKey: BrandKey;
  readonly kind: LoginKind;
  readonly purpose: AttemptPurpose;
  /** Only of a link. */
  readonly playerId: PlayerId | null;
  readonly clientId: string;
  readonly appId: string;
  readonly redirectUri: string;
  readonly kept: Kept;
  readonly display: 'popup' | 'page';
  readonly returnTo: OwnPath;
};

/** @source SECURITY advice of OAuth providers: codes live five to ten minutes, so longer is of no use */
const LIFE_SECONDS = 600;

/** Also clears away what is long over, a little with each new one. */
export async function saveAttempt(db: Queryable, stateHash: Buffer, browserHash: Buffer, one: Attempt): Promise<void> {
  await query(
    db,
    'attempt_save',
    `with gone as (
       delete from login_attempt where state_hash in (
         select state_hash from login_attempt where expires_at < now() - interval '1 hour'
         order by expires_at limit 20 for update skip locked)
     )
     insert into login_attempt (state_hash, browser_hash, brand_key, kind, purpose, player_id, client_id, app_id,
       redirect_uri, kept, display, return_to, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, now() + make_interval(secs => $13))`,
    [stateHash, browserHash, one.brandKey, one.kind, one.purpose, one.playerId, one.clientId, one.appId, one.redirectUri,
      toJsonb(one.kept), one.display, one.returnTo, LIFE_SECONDS] /* grouped as in the statement */, // prettier-ignore
  );
}

/** Returns the fields that the callback page needs; none of them says whose login attempt it is. */
export async function findAttempt(
  db: Queryable,
  stateHash: Buffer,
  brandKey: BrandKey,
): Promise<Pick<Attempt, 'kind' | 'purpose' | 'display' | 'returnTo'> | null> {
  const [row] = await query<{
    kind: LoginKind;
    purpose: AttemptPurpose;
    display: Attempt['display'];
    return_to: OwnPath;
  }>(
    db,
    'attempt_find',
    'select kind, purpose, display, return_to from login_attempt where state_hash = $1 and brand_key = $2',
    [stateHash, brandKey],
  );
  return row ? { kind: row.kind, purpose: row.purpose, display: row.display, returnTo: row.return_to } : null;
}

/**
 * Takes the attempt, if it is this browser's, of this brand and kind, in time and unused. It
 * cannot be had a second time.
 */
export async function takeAttempt(
  db: Queryable,
  wanted: { stateHash: Buffer; browserHash: Buffer; brandKey: BrandKey; kind: LoginKind },
): Promise<Attempt | null> {
  const [row] = await query<{
    purpose: AttemptPurpose;
    player_id: PlayerId | null;
    client_id: string;
    app_id: string;
    redirect_uri: string;
    kept: Kept;
    display: Attempt['display'];
    return_to: OwnPath;
  }>(
    db,
    'attempt_take',
    `update login_attempt set used_at = now()
     where state_hash = $1 and browser_hash = $2 and brand_key = $3 and kind = $4
       and used_at is null and expires_at > now()
     returning purpose, player_id, client_id, app_id, redirect_uri, kept, display, return_to`,
    [wanted.stateHash, wanted.browserHash, wanted.brandKey, wanted.kind],
  );
  if (!row) return null;
  return {
    brandKey: wanted.brandKey,
    kind: wanted.kind,
    purpose: row.purpose,
    playerId: row.player_id,
    clientId: row.client_id,
    appId: row.app_id,
    redirectUri: row.redirect_uri,
    kept: row.kept,
    display: row.display,
    returnTo: row.return_to,
  };
}
