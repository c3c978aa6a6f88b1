// Super mode: keys that make a browser a beta user of one brand. Issued by the operator, held in
// a cookie, stored as SHA-256.
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { BrandKey } from '#kernel/ids.ts';
import { type Queryable, query } from '#server/platform/database/db.ts';

const KEY = /^rb1_[A-Za-z0-9_-]{43}$/;

const hashKey = (key: string): Buffer => createHash('sha256').update(key).digest();

/** Id of a key that holds for this brand now, or null. */
export async function findBetaKey(db: Queryable, key: string, brandKey: BrandKey): Promise<string | null> {
  if (!KEY.test(key)) return null;
  const [row] = await query<{ beta_id: string }>(
    db,
    'beta_find',
    'select beta_id from beta_key where key_hash = $1 and brand_key = $2 and revoked_at is null and expires_at > now()',
    [hashKey(key), brandKey],
  );
  return row?.beta_id ?? null;
}

/** The key is returned once and stored nowhere. */
export async function issueBetaKey(
  db: Queryable,
  input: { brandKey: BrandKey; label: string; days: number; by: string },
): Promise<{ id: string; key: string }> {
  const key = `rb1_${randomBytes(32).toString('base64url')}`;
  const id = randomUUID();
  await query(
    db,
    'beta_issue',
    `insert into beta_key (beta_id, brand_key, key_hash, label, issued_by, expires_at)
     values ($1, $2, $3, $4, $5, now() + make_interval(days => $6))`,
    [id, input.brandKey, hashKey(key), input.label, input.by, input.days],
  );
  return { id, key };
}

export type BetaKeyRow = {
  beta_id: string;
  label: string;
  issued_by: string;
  created_at: Date;
  expires_at: Date;
  revoked_at: Date | null;
};

/** All keys of a brand, the newest first. */
export function listBetaKeys(db: Queryable, brandKey: BrandKey): Promise<BetaKeyRow[]> {
  return query<BetaKeyRow>(
    db,
    'beta_list',
    `select beta_id, label, issued_by, created_at, expires_at, revoked_at from beta_key
      where brand_key = $1 order by created_at desc`,
    [brandKey],
  );
}

/** Its sessions end with it. @returns false when there is no such live key of this brand */
export async function revokeBetaKey(db: Queryable, brandKey: BrandKey, id: string): Promise<boolean> {
  const rows = await query(
    db,
    'beta_revoke',
    `with gone as (
       update beta_key set revoked_at = now() where brand_key = $1 and beta_id::text = $2 and revoked_at is null
       returning beta_id
     ), ended as (
       update session set revoked_at = now(), revoke_reason = 'beta'
       where beta_id in (select beta_id from gone) and revoked_at is null
     )
     select beta_id from gone`,
    [brandKey, id],
  );
  return rows.length > 0;
}
