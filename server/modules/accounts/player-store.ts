// SQL that finds players by what a person calls them: for the operator's commands and calls.
import type { BrandKey, PlayerId } from '#kernel/ids.ts';
import { type Queryable, query } from '#server/platform/database/db.ts';

export type NamedPlayer = { player_id: PlayerId; username: string; suid: string };

/**
 * Players of a brand with this login name (any case) or user id of the game; usually one, never more than ten. A beta user beside an
 * account is not meant by its name.
 * @param isDisabled whoever is shut out as well; else only those who may log in
 */
export function findPlayersNamed(
  db: Queryable,
  brandKey: BrandKey,
  name: string,
  isDisabled = false,
): Promise<NamedPlayer[]> {
  return query<NamedPlayer>(
    db,
    'player_named',
    `select player_id, username, suid from player p where brand_key = $1 and ($3 or disabled_at is null) and (suid = $2 or lower(username) = lower($2))
       and not exists (select from player_identity i where i.player_id = p.player_id and i.provider like '%~beta')
     order by created_at limit 10`,
    [brandKey, name, isDisabled],
  );
}

/** Every player of a brand that may log in. */
export async function listPlayerIds(db: Queryable, brandKey: BrandKey): Promise<PlayerId[]> {
  const rows = await query<{ player_id: PlayerId }>(
    db,
    'player_ids',
    'select player_id from player where brand_key = $1 and disabled_at is null order by player_id',
    [brandKey],
  );
  return rows.map((row) => row.player_id);
}
