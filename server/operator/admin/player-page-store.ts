// SQL of a player's page that no module asks for itself.
import type { BrandKey, PlayerId } from '#kernel/ids.ts';
import type { Currency } from '#kernel/money.ts';
import { type Queryable, query } from '#server/platform/database/db.ts';

export type PlayerFacts = {
  player_id: PlayerId;
  user_id: string;
  brand_key: BrandKey;
  username: string;
  created_at: Date;
  blocked_at: Date | null;
  /** Live ones. */
  sessions: number;
};

export async function readPlayerFacts(db: Queryable, playerId: PlayerId): Promise<PlayerFacts | null> {
  const [row] = await query<PlayerFacts>(
    db,
    'player_facts',
    `select p.player_id, p.suid as user_id, p.brand_key, p.username, p.created_at, p.disabled_at as blocked_at,
       (select count(*) from session s where s.player_id = p.player_id and s.revoked_at is null
          and s.idle_until > now() and s.absolute_until > now()) as sessions
     from player p where p.player_id = $1`,
    [playerId],
  );
  return row ?? null;
}

export type LinkedAccount = { provider: string; account: string; created_at: Date };

/** Lists the logins of a player. Each shows only the first characters of its subject: a name at another company. */
export function listAccounts(db: Queryable, playerId: PlayerId): Promise<LinkedAccount[]> {
  return query<LinkedAccount>(
    db,
    'player_accounts',
    `select provider, left(subject, least(2, length(subject) / 2)) || '***' as account, created_at
     from player_identity where player_id = $1 order by created_at, provider`,
    [playerId],
  );
}

export type Character = {
  client_id: string;
  server_id: string;
  server_name: string;
  area_id: string;
  role_id: string;
  name: string;
  level: number;
  seen_at: Date;
};

/** As the game last told of them, the one seen last first. */
export function listCharacters(db: Queryable, playerId: PlayerId, limit: number): Promise<Character[]> {
  return query<Character>(
    db,
    'player_characters',
    `select client_id, server_id, server_name, area_id, role_id, name, level, seen_at from player_role
     where player_id = $1 order by seen_at desc, client_id, server_id, role_id limit $2`,
    [playerId, limit],
  );
}

export type SetCap = {
  currency: Currency;
  period: string;
  cap_minor: number | null;
  next_cap_minor: number | null;
  next_at: Date | null;
};

/** Lists the player's caps in every currency; a raise whose waiting time is over counts as set. */
export function listCaps(db: Queryable, playerId: PlayerId): Promise<SetCap[]> {
  return query<SetCap>(
    db,
    'player_caps',
    `select currency, period, case when next_at <= now() then next_cap_minor else cap_minor end as cap_minor,
       case when next_at > now() then next_cap_minor end as next_cap_minor,
       case when next_at > now() then next_at end as next_at
     from spending_cap where player_id = $1 order by currency, array_position('{day,week,month}'::text[], period)`,
    [playerId],
  );
}
