// SQL of the characters we have seen.
import type { RoleItem } from '#contracts/games.ts';
import type { PlayerId } from '#kernel/ids.ts';
import { type Queryable, query, toJsonb } from '#server/platform/database/db.ts';

/** Remembers characters as the game just showed them. */
export async function saveRoles(
  db: Queryable,
  playerId: PlayerId,
  clientId: string,
  roles: readonly RoleItem[],
): Promise<void> {
  if (roles.length === 0) return;
  await query(
    db,
    'roles_save',
    `insert into player_role (player_id, client_id, server_id, area_id, role_id, name, level, server_name)
     select $1, $2, r.server_id, r.area_id, r.value, r.display, r.level, r.server_name
     from jsonb_to_recordset($3::jsonb) as r(server_id text, area_id text, value text, display text,
       level integer, server_name text)
     on conflict (player_id, client_id, server_id, area_id, role_id)
     do update set name = excluded.name, level = excluded.level, server_name = excluded.server_name,
     seen_at = excluded.seen_at`,
    [playerId, clientId, toJsonb(roles)],
  );
}
