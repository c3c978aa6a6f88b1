// SQL of login links: tickets and codes of games, and questions whether to go on as their player. Each is redeemed
// once.
import type { Bound } from '#kernel/bound.ts';
import type { BrandKey, PlayerId } from '#kernel/ids.ts';
import type { OwnPath } from '#kernel/own-path.ts';
import { type Queryable, query, toJsonb } from '#server/platform/database/db.ts';

export type LoginLink = {
  readonly kind: 'ticket' | 'code' | 'question';
  readonly brandKey: BrandKey;
  readonly playerId: PlayerId;
  readonly bound: Bound | null;
  /** Of the token in an address that a question is about. */
  readonly linkTokenHash: Buffer | null;
  readonly returnTo: OwnPath;
};

/**
 * Also clears away what is long over, a little with each new one.
 * @returns false: this very call was made before, or the code is another's
 */
export async function saveLink(
  db: Queryable,
  linkHash: Buffer,
  link: LoginLink,
  more: { lifeSeconds: number; messageId: string | null },
): Promise<boolean> {
  const rows = await query(
    db,
    'login_link_save',
    `with gone as (
       delete from login_link where link_hash in (
         select link_hash from login_link where expires_at < now() - interval '15 minutes'
         order by expires_at limit 20 for update skip locked)
     )
     insert into login_link (link_hash, kind, brand_key, player_id, bound, link_token_hash,
       return_to, message_id, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, now() + make_interval(secs => $9))
     on conflict do nothing returning 1 as saved`,
    [
      linkHash,
      link.kind,
      link.brandKey,
      link.playerId,
      link.bound ? toJsonb(link.bound) : null,
      link.linkTokenHash,
      link.returnTo,
      more.messageId,
      more.lifeSeconds,
    ],
  );
  return rows.length > 0;
}

type Row = {
  player_id: PlayerId;
  username: string;
  bound: Bound | null;
  link_token_hash: Buffer | null;
  /** Checked by the database as well. */
  return_to: OwnPath;
};
type Wanted = { kind: LoginLink['kind']; brandKey: BrandKey };
export type FoundLink = LoginLink & { readonly username: string };

const toLink = (row: Row | undefined, wanted: Wanted): FoundLink | null =>
  row
    ? {
        ...wanted,
        playerId: row.player_id,
        username: row.username,
        bound: row.bound,
        linkTokenHash: row.link_token_hash,
        returnTo: row.return_to,
      }
    : null;

/** Redeems it, if it is good here and now. It cannot be had a second time. */
export async function redeemLink(db: Queryable, linkHash: Buffer, wanted: Wanted): Promise<FoundLink | null> {
  const [row] = await query<Row>(
    db,
    'login_link_redeem',
    `update login_link e set used_at = now()
     where e.link_hash = $1 and e.kind = $2 and e.brand_key = $3 and e.used_at is null and e.expires_at > now()
       and exists (select from player_names(e.player_id, e.brand_key) p where p.disabled_at is null)
     returning e.player_id, (select p.username from player_names(e.player_id, e.brand_key) p) as username, e.bound,
       e.link_token_hash, e.return_to`,
    [linkHash, wanted.kind, wanted.brandKey],
  );
  return toLink(row, wanted);
}

/** Looks without redeeming. */
export async function findLink(db: Queryable, linkHash: Buffer, wanted: Wanted): Promise<FoundLink | null> {
  const [row] = await query<Row>(
    db,
    'login_link_find',
    `select e.player_id, p.username, e.bound, e.link_token_hash, e.return_to
     from login_link e cross join lateral player_names(e.player_id, e.brand_key) p
     where e.link_hash = $1 and e.kind = $2 and e.brand_key = $3 and e.used_at is null and e.expires_at > now()`,
    [linkHash, wanted.kind, wanted.brandKey],
  );
  return toLink(row, wanted);
}

/** The live player of a brand whom a game knows by this user id; null for nobody, and for more than one. */
export async function findPlayerBySuid(db: Queryable, brandKey: BrandKey, suid: string): Promise<PlayerId | null> {
  const rows = await query<{ player_id: PlayerId }>(
    db,
    'login_link_find_user_id',
    `with named as materialized (
       select player_id from player where suid = $2 and brand_key = $1 and disabled_at is null
     )
     select n.player_id from named n join player_identity i on i.player_id = n.player_id and i.brand_key = $1
       and i.provider = 'builtin' limit 2`,
    [brandKey, suid],
  );
  return rows.length === 1 ? (rows[0]?.player_id ?? null) : null;
}
