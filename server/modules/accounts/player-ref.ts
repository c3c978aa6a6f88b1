// How operators and their systems name a player: by an id, never by a shown name, which players choose for themselves.
import type { BrandKey, PlayerId } from '#kernel/ids.ts';
import { type Queryable, query } from '#server/platform/database/db.ts';
import { subjectOf } from './store.ts';

/**
 * `user_id`: the user id of the game, exactly. `login`: the login name of an account that the
 * shop keeps itself, in any case.
 * `player_id`: our own id.
 */
export type PlayerRef =
  | { readonly by: 'user_id'; readonly value: string }
  | { readonly by: 'login'; readonly value: string }
  | { readonly by: 'player_id'; readonly value: string };

export type FoundPlayer = { player_id: PlayerId; username: string; suid: string };

/** Our choice: as many as a person can choose from. */
const MAX_FOUND = 10;

/**
 * Players of a brand that one of these names, the oldest first; usually one, never more than ten. A beta user beside
 * an account is not meant by its ids.
 * @param refs several, where the kind of a text is not known
 * @param isDisabled whoever is shut out as well; else only those who may log in
 */
export function findPlayersByRef(
  db: Queryable,
  brandKey: BrandKey,
  refs: readonly PlayerRef[],
  isDisabled = false,
): Promise<FoundPlayer[]> {
  const of = (by: PlayerRef['by']) => refs.find((ref) => ref.by === by)?.value ?? null;
  const login = of('login');
  return query<FoundPlayer>(
    db,
    'player_by_ref',
    `with named as materialized (
       select player_id from player_identity where brand_key = $1 and provider = 'builtin' and subject = $4
     ), found as materialized (
       select player_id, username, suid, created_at from player p where brand_key = $1 and ($5 or disabled_at is null)
         and (suid = $2 or player_id::text = lower($3) or player_id in (select player_id from named))
     )
     select player_id, username, suid from found p
     where not exists (select from player_identity i where i.player_id = p.player_id and i.provider like '%~beta')
     order by created_at limit ${MAX_FOUND}`,
    [brandKey, of('user_id'), of('player_id'), login === null ? null : subjectOf(login), isDisabled],
  );
}

/**
 * Players of a brand that are shown by this name, in any case: to be told to a person, who decides
 * whether one of them is meant.
 */
export function findPlayersShownAs(
  db: Queryable,
  brandKey: BrandKey,
  name: string,
  isDisabled = false,
): Promise<FoundPlayer[]> {
  return query<FoundPlayer>(
    db,
    'player_shown_as',
    `with found as materialized (
       select player_id, username, suid, created_at from player where brand_key = $1 and ($3 or disabled_at is null)
         and lower(username) = lower($2)
     )
     select player_id, username, suid from found p
     where not exists (select from player_identity i where i.player_id = p.player_id and i.provider like '%~beta')
     order by created_at limit 2`,
    [brandKey, name, isDisabled],
  );
}
