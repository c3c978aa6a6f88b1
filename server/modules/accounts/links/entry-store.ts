// SQL of tickets and of questions whether to go on as somebody else: both are taken once.
import type { Bound } from '#kernel/bound.ts';
import type { BrandKey, PlayerId } from '#kernel/ids.ts';
import { type Queryable, query, toJsonb } from '#server/platform/database/db.ts';

export type Pass = {
  readonly kind: 'ticket' | 'switch';
  readonly brandKey: BrandKey;
  readonly playerId: PlayerId;
  readonly bound: Bound | null;
  /** Of a token in an address that the pass stands for. */
  readonly entryHash: Buffer | null;
  /** A path of ours. */
  readonly returnTo: string;
};

/** Also clears away what is long over, a little with each new one. @returns false: this very call was made before */
export async function savePass(
  db: Queryable,
  passHash: Buffer,
  pass: Pass,
  more: { lifeSeconds: number; messageId: string | null },
): Promise<boolean> {
  const rows = await query(
    db,
    'entry_save',
    `with gone as (
       delete from entry_pass where pass_hash in (
         select pass_hash from entry_pass where expires_at < now() - interval '15 minutes' order by expires_at limit 20 for update skip locked)
     )
     insert into entry_pass (pass_hash, kind, brand_key, player_id, bound, entry_hash, return_to, message_id, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, now() + make_interval(secs => $9))
     on conflict (message_id) do nothing returning 1 as saved`,
    [passHash, pass.kind, pass.brandKey, pass.playerId, pass.bound ? toJsonb(pass.bound) : null, pass.entryHash,
      pass.returnTo, more.messageId, more.lifeSeconds], // prettier-ignore
  );
  return rows.length > 0;
}

type Row = {
  player_id: PlayerId;
  username: string;
  bound: Bound | null;
  entry_hash: Buffer | null;
  return_to: string;
};
type Wanted = { kind: Pass['kind']; brandKey: BrandKey };
export type FoundPass = Pass & { readonly username: string };

const toPass = (row: Row | undefined, wanted: Wanted): FoundPass | null =>
  row
    ? {
        ...wanted,
        playerId: row.player_id,
        username: row.username,
        bound: row.bound,
        entryHash: row.entry_hash,
        returnTo: row.return_to,
      }
    : null;

/** Takes it, if it is good here and now. It can not be had a second time. */
export async function takePass(db: Queryable, passHash: Buffer, wanted: Wanted): Promise<FoundPass | null> {
  const [row] = await query<Row>(
    db,
    'entry_take',
    `update entry_pass e set used_at = now() from player p
     where e.pass_hash = $1 and e.kind = $2 and e.brand_key = $3 and e.used_at is null and e.expires_at > now()
       and p.player_id = e.player_id and p.disabled_at is null
     returning e.player_id, p.username, e.bound, e.entry_hash, e.return_to`,
    [passHash, wanted.kind, wanted.brandKey],
  );
  return toPass(row, wanted);
}

/** Looks without taking. */
export async function findPass(db: Queryable, passHash: Buffer, wanted: Wanted): Promise<FoundPass | null> {
  const [row] = await query<Row>(
    db,
    'entry_find',
    `select e.player_id, p.username, e.bound, e.entry_hash, e.return_to from entry_pass e join player p using (player_id)
     where e.pass_hash = $1 and e.kind = $2 and e.brand_key = $3 and e.used_at is null and e.expires_at > now()`,
    [passHash, wanted.kind, wanted.brandKey],
  );
  return toPass(row, wanted);
}

/** The live player of a brand whom a game knows by this user id; null for nobody, and for more than one. */
export async function findPlayerBySuid(db: Queryable, brandKey: BrandKey, suid: string): Promise<PlayerId | null> {
  const rows = await query<{ player_id: PlayerId }>(
    db,
    'entry_find_suid',
    `select p.player_id from player p join player_identity i on i.player_id = p.player_id and i.brand_key = p.brand_key and i.provider = 'builtin'
     where p.suid = $2 and p.brand_key = $1 and p.disabled_at is null limit 2`,
    [brandKey, suid],
  );
  return rows.length === 1 ? (rows[0]?.player_id ?? null) : null;
}
