// SQL of the results of real-name checks: that there was one, by whom and when. payer_refusal reads it where an order
// is placed.
import type { PlayerId } from '#kernel/ids.ts';
import { type Queryable, query } from '#server/platform/database/db.ts';

type RealNameRow = {
  state: 'started' | 'verified' | 'refused';
  source: string;
  asked_at: Date;
  decided_at: Date | null;
};

export async function readRealName(db: Queryable, playerId: PlayerId): Promise<RealNameRow | null> {
  const [row] = await query<RealNameRow>(
    db,
    'real_name_read',
    'select state, source, asked_at, decided_at from real_name where player_id = $1',
    [playerId],
  );
  return row ?? null;
}

/** Notes what was said. A verified player stays one: a later word of another service takes nothing back. */
export async function saveRealName(
  db: Queryable,
  playerId: PlayerId,
  { state, source }: Pick<RealNameRow, 'state' | 'source'>,
): Promise<void> {
  const isDecided = state !== 'started';
  await query(
    db,
    isDecided ? 'real_name_save_decided' : 'real_name_save',
    `insert into real_name (player_id, state, source, decided_at)
     values ($1, $2, $3, ${isDecided ? 'now()' : 'null'})
     on conflict (player_id) do update set state = excluded.state, source = excluded.source,
       asked_at = excluded.asked_at, decided_at = excluded.decided_at
     where real_name.state <> 'verified'`,
    [playerId, state, source],
  );
}

/** Support lets a player be checked anew. False: there was no result. */
export async function eraseRealName(db: Queryable, playerId: PlayerId): Promise<boolean> {
  const rows = await query(db, 'real_name_forget', 'delete from real_name where player_id = $1 returning player_id', [
    playerId,
  ]);
  return rows.length > 0;
}
