// SQL over the players of a brand, for the operator's commands. One of them is found by player-ref.ts.
import type { BrandKey, PlayerId } from '#kernel/ids.ts';
import { type Queryable, query } from '#server/platform/database/db.ts';

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
