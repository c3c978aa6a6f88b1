// SQL of players and their built-in passwords.
import { randomUUID } from 'node:crypto';
import type { BrandKey, PlayerId } from '#kernel/ids.ts';
import { type Queryable, query } from '#server/platform/database/db.ts';

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
  const [row] = await query<{ player_id: PlayerId; suid: string; username: string; hash: string }>(
    db,
    'account_find_builtin',
    `select p.player_id, p.suid, p.username, w.hash from player_identity i
     join player p on p.player_id = i.player_id join player_password w on w.player_id = i.player_id
     where i.brand_key = $1 and i.provider = 'builtin' and i.subject = $2 and p.disabled_at is null`,
    [brandKey, subject],
  );
  return row ? { playerId: row.player_id, suid: row.suid, username: row.username, hash: row.hash } : null;
}

export async function savePassword(db: Queryable, playerId: PlayerId, hash: string): Promise<void> {
  await query(
    db,
    'account_save_password',
    `insert into player_password (player_id, hash) values ($1, $2) on conflict (player_id) do update set hash = excluded.hash, changed_at = now()`,
    [playerId, hash],
  );
}

/** The built-in password of a player, and the name it goes with; null when they have none. */
export async function findPasswordOf(
  db: Queryable,
  playerId: PlayerId,
): Promise<{ brandKey: BrandKey; subject: string; hash: string } | null> {
  const [row] = await query<{ brand_key: BrandKey; subject: string; hash: string }>(
    db,
    'account_find_password',
    `select i.brand_key, i.subject, w.hash from player_password w join player_identity i on i.player_id = w.player_id and i.provider = 'builtin'
     where w.player_id = $1`,
    [playerId],
  );
  return row ? { brandKey: row.brand_key, subject: row.subject, hash: row.hash } : null;
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
  const [row] = await query<{ player_id: PlayerId; disabled_at: Date | null }>(
    db,
    'account_ensure',
    `with known as (
       select player_id from player_identity where brand_key = $2 and provider = $3 and subject = $4
     ), linked as (
       insert into player_identity (brand_key, provider, subject, player_id) select $2, $3, $4, $1 where not exists (select from known)
       on conflict (brand_key, provider, subject) do update set subject = excluded.subject returning player_id
     ), made as (
       insert into player (player_id, brand_key, suid, username) select player_id, $2, $5, $6 from linked
       on conflict (player_id) do update set username = excluded.username returning player_id, disabled_at
     )
     select player_id, disabled_at from made
     cross join lateral (select take_over_guards(made.player_id, $2, $3, $4)) brought
     union all select p.player_id, p.disabled_at from known join player p using (player_id)`,
    [randomUUID(), identity.brandKey, identity.provider, identity.subject, identity.suid, identity.username],
  );
  return row && !row.disabled_at ? row.player_id : null;
}

/** Whether a provider's question about this player can be answered with yes. */
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
