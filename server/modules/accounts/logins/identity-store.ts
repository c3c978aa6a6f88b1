// SQL of the identities linked to a player.
import { createHash } from 'node:crypto';
import type { BrandKey, PlayerId } from '#kernel/ids.ts';
import { type Queryable, query } from '#server/platform/database/db.ts';

export type IdentityKey = { readonly brandKey: BrandKey; readonly provider: string; readonly subject: string };
export type PlayerName = { readonly playerId: PlayerId; readonly suid: string; readonly username: string };

/** The player behind an identity. `isDisabled`: known, and not let in. */
export async function findPlayerOf(
  db: Queryable,
  { brandKey, provider, subject }: IdentityKey,
): Promise<(PlayerName & { isDisabled: boolean }) | null> {
  const [row] = await query<{ player_id: PlayerId; suid: string; username: string; disabled_at: Date | null }>(
    db,
    'identity_find_player',
    `select i.player_id, p.suid, p.username, p.disabled_at
     from player_identity i cross join lateral player_names(i.player_id, i.brand_key) p
     where i.brand_key = $1 and i.provider = $2 and i.subject = $3`,
    [brandKey, provider, subject],
  );
  return row
    ? { playerId: row.player_id, suid: row.suid, username: row.username, isDisabled: row.disabled_at !== null }
    : null;
}

/** A live player of this brand. */
export async function findLivePlayer(
  db: Queryable,
  brandKey: BrandKey,
  playerId: PlayerId,
): Promise<PlayerName | null> {
  const [row] = await query<{ suid: string; username: string }>(
    db,
    'identity_find_live_player',
    'select suid, username from player where player_id = $1 and brand_key = $2 and disabled_at is null',
    [playerId, brandKey],
  );
  return row ? { playerId, ...row } : null;
}

/** From here to the end of the transaction nobody else changes this player's identities. */
export async function lockPlayer(db: Queryable, playerId: PlayerId): Promise<void> {
  await query(db, 'identity_lock_player', 'select 1 as yes from player where player_id = $1 for update', [playerId]);
}

/** @returns whose it is now: the player's, unless somebody else had it before */
export async function addIdentity(db: Queryable, key: IdentityKey, playerId: PlayerId): Promise<PlayerId | null> {
  const [row] = await query<{ player_id: PlayerId }>(
    db,
    'identity_add',
    `with added as (
       insert into player_identity (brand_key, provider, subject, player_id) values ($1, $2, $3, $4)
       on conflict (brand_key, provider, subject) do update set subject = excluded.subject returning player_id
     )
     select player_id from added cross join lateral (select take_over_guards(added.player_id, $1, $2, $3)) brought`,
    [key.brandKey, key.provider, key.subject, playerId],
  );
  return row?.player_id ?? null;
}

/** The player whose user id in the game was made of this identity, linked to it or not; null for nobody. */
export async function findFounder(
  db: Queryable,
  { brandKey, provider, subject }: IdentityKey,
): Promise<PlayerId | null> {
  const [row] = await query<{ player_id: PlayerId | null }>(
    db,
    'identity_find_founder',
    'select founder_of_identity($1, $2, $3) as player_id',
    [brandKey, provider, subject],
  );
  return row?.player_id ?? null;
}

/** All identities of a player; `linkedAt` in epoch milliseconds. */
export async function listIdentities(
  db: Queryable,
  brandKey: BrandKey,
  playerId: PlayerId,
): Promise<{ provider: string; subject: string; linkedAt: number }[]> {
  const rows = await query<{ provider: string; subject: string; created_at: Date }>(
    db,
    'identity_list',
    `select provider, subject, created_at from player_identity where brand_key = $1 and player_id = $2
      order by created_at, provider`,
    [brandKey, playerId],
  );
  return rows.map(({ provider, subject, created_at: at }) => ({ provider, subject, linkedAt: at.getTime() }));
}

export async function removeIdentity(db: Queryable, key: IdentityKey, playerId: PlayerId): Promise<void> {
  await query(
    db,
    'identity_remove',
    'delete from player_identity where brand_key = $1 and provider = $2 and subject = $3 and player_id = $4',
    [key.brandKey, key.provider, key.subject, playerId],
  );
}

/** Ends the player's other sessions that were opened by this way in. @source ASVS 7.4.3 */
export async function endSessionsBy(
  db: Queryable,
  playerId: PlayerId,
  authMethod: string,
  exceptPublicId: string,
): Promise<void> {
  await query(
    db,
    'identity_end_sessions',
    `update session set revoked_at = now(), revoke_reason = 'unlinked'
     where player_id = $1 and auth_method = $2 and public_id <> $3 and revoked_at is null`,
    [playerId, authMethod, exceptPublicId],
  );
}

/**
 * Returns true when a session may change the logins of its account: opened lately, in the shop, by a login that proves
 * more than holding a card.
 * @param minutes how lately
 * @source ASVS 7.5.1; half an hour as for stored balances
 */
export async function isFreshSession(db: Queryable, publicId: string, minutes = 30): Promise<boolean> {
  const rows = await query(
    db,
    'identity_is_fresh',
    `select 1 as yes from session where public_id = $1 and kind = 'web' and auth_method <> 'card'
      and created_at > now() - make_interval(mins => $2)`,
    [publicId, minutes],
  );
  return rows.length > 0;
}

/** A session keeps this hash of the identity that opened it. */
export function hashIdentity({ provider, subject }: Pick<IdentityKey, 'provider' | 'subject'>): Buffer {
  return createHash('sha256').update(`${provider}\n${subject}`).digest();
}

/**
 * Sets links aside that are older than `before`: nobody logs in by them, and `restoreIdentity` finds them.
 * @returns whose they were
 */
export async function setIdentitiesAside(
  db: Queryable,
  identity: { brandKey: BrandKey; provider: string; subjects: readonly string[]; before: Date },
): Promise<PlayerId[]> {
  const { brandKey, provider, subjects, before } = identity;
  // Of what was set aside earlier under the same subject the newer one counts.
  await query(
    db,
    'identity_forget_aside',
    `delete from player_identity g where g.brand_key = $1 and g.provider = $2::text || '~gone'
       and g.subject = any($3::text[]) and exists (
       select from player_identity i
       where i.brand_key = $1 and i.provider = $2 and i.subject = g.subject and i.created_at <= $4)`,
    [brandKey, provider, subjects, before],
  );
  const rows = await query<{ player_id: PlayerId }>(
    db,
    'identity_set_aside',
    `update player_identity set provider = $2::text || '~gone'
     where brand_key = $1 and provider = $2 and subject = any($3::text[]) and created_at <= $4 returning player_id`,
    [brandKey, provider, subjects, before],
  );
  return rows.map((row) => row.player_id);
}

/** Puts a link back whose identity has proven itself again. False when none was set aside. */
export async function restoreIdentity(db: Queryable, { brandKey, provider, subject }: IdentityKey): Promise<boolean> {
  const rows = await query(
    db,
    'identity_restore',
    `update player_identity g set provider = $2, created_at = now()
       where g.brand_key = $1 and g.provider = $2::text || '~gone' and g.subject = $3
       and not exists (select from player_identity i where i.brand_key = $1 and i.provider = $2 and i.subject = $3)
         returning 1 as done`,
    [brandKey, provider, subject],
  );
  return rows.length > 0;
}

/**
 * Ends the sessions older than `before` that these identities opened; of `players`, also those that do
 * not say which identity it was.
 * @returns how many
 */
export async function endSessionsOfIdentities(
  db: Queryable,
  identity: {
    brandKey: BrandKey;
    hashes: readonly Buffer[];
    authMethod: string;
    players: readonly PlayerId[];
    before: Date;
  },
): Promise<number> {
  const rows = await query(
    db,
    'identity_end_opened',
    `update session set revoked_at = now(), revoke_reason = 'identity_over'
     where brand_key = $1 and revoked_at is null and created_at <= $5
       and (identity_hash = any($2::bytea[])
         or (identity_hash is null and auth_method = $3 and player_id = any($4::uuid[]))) returning public_id`,
    [identity.brandKey, identity.hashes, identity.authMethod, identity.players, identity.before],
  );
  return rows.length;
}
