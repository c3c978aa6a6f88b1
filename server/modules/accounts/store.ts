// SQL of players and their built-in passwords.
import { randomUUID } from 'node:crypto';
import type { BrandKey, PlayerId } from '#kernel/ids.ts';
import { type Queryable, callFunction, query } from '#server/platform/database/db.ts';

/** Names are compared without case and without outer blanks. */
export function subjectOf(username: string): string {
  return username.trim().normalize('NFKC').toLowerCase();
}

/** A beta user is a player beside the ordinary one of the same account: with orders, limits and points of their own. */
export function providerFor(provider: string, site: { readonly betaId?: string | undefined }): string {
  return site.betaId ? `${provider}~beta` : provider;
}

export async function findBuiltinAccount(
  db: Queryable,
  brandKey: string,
  subject: string,
): Promise<{ playerId: PlayerId; suid: string; username: string; hash: string } | null> {
  const [identity] = await query<{ player_id: PlayerId }>(
    db,
    'identity_find_builtin',
    `select player_id from player_identity where brand_key = $1 and provider = 'builtin' and subject = $2`,
    [brandKey, subject],
  );
  if (!identity) return null;
  const [row] = await query<{ player_id: PlayerId; suid: string; username: string; hash: string }>(
    db,
    'account_find_builtin',
    `select p.player_id, p.suid, p.username, w.hash from player p join player_password w on w.player_id = p.player_id
     where p.player_id = $1 and p.disabled_at is null`,
    [identity.player_id],
  );
  return row ? { playerId: row.player_id, suid: row.suid, username: row.username, hash: row.hash } : null;
}

export async function savePassword(db: Queryable, playerId: PlayerId, hash: string): Promise<void> {
  await query(
    db,
    'account_save_password',
    `insert into player_password (player_id, hash) values ($1, $2)
      on conflict (player_id) do update set hash = excluded.hash, changed_at = excluded.changed_at`,
    [playerId, hash],
  );
}

/** The built-in password of a player, and the name it goes with; null when they have none. */
export async function findPasswordOf(
  db: Queryable,
  playerId: PlayerId,
): Promise<{ brandKey: BrandKey; subject: string; hash: string } | null> {
  const [row] = await query<{ hash: string }>(
    db,
    'account_find_password',
    'select hash from player_password where player_id = $1',
    [playerId],
  );
  const [name] = await query<{ brand_key: BrandKey; subject: string }>(
    db,
    'identity_find_own_builtin',
    `select brand_key, subject from player_identity where player_id = $1 and provider = 'builtin'`,
    [playerId],
  );
  return row && name ? { brandKey: name.brand_key, subject: name.subject, hash: row.hash } : null;
}

/** Only over the hash that was read: a password that was changed meanwhile stays. */
export async function replacePassword(db: Queryable, playerId: PlayerId, from: string, to: string): Promise<boolean> {
  const rows = await query(
    db,
    'account_replace_password',
    'update player_password set hash = $3, changed_at = now() where player_id = $1 and hash = $2 returning 1 as done',
    [playerId, from, to],
  );
  return rows.length > 0;
}

/** The player behind an identity, made on first sight. Null: the account is disabled. */
export async function ensurePlayer(
  db: Queryable,
  identity: { brandKey: BrandKey; provider: string; subject: string; suid: string; username: string },
): Promise<PlayerId | null> {
  const found = await callFunction<{ player_id: PlayerId; is_disabled: boolean } | null>(db, 'ensure_player', {
    player_id: randomUUID(),
    brand_key: identity.brandKey,
    provider: identity.provider,
    subject: identity.subject,
    suid: identity.suid,
    username: identity.username,
  });
  return found && !found.is_disabled ? found.player_id : null;
}

/** Returns true when a provider's question about this player can be answered with yes. */
export async function isLivePlayer(db: Queryable, playerId: string): Promise<boolean> {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(playerId)) return false;
  const rows = await query(
    db,
    'account_is_live',
    'select 1 as yes from player where player_id = $1 and disabled_at is null',
    [playerId],
  );
  return rows.length > 0;
}
