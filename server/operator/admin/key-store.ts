// All SQL of the admin API itself: its keys, and the calls of a day.
import type { Scope } from '#contracts/admin.ts';
import { type Queryable, query, toJsonb } from '#server/platform/database/db.ts';

export type AdminKey = {
  key_id: string;
  name: string;
  scopes: Scope[];
  secret_hash: Buffer;
  created_by: string;
  created_at: Date;
  expires_at: Date;
  revoked_at: Date | null;
  seen_at: Date | null;
  is_live: boolean;
};

const COLUMNS = `key_id, name, scopes, secret_hash, created_by, created_at, expires_at, revoked_at, seen_at,
  revoked_at is null and expires_at > now() as is_live`;

/** The newest first. */
export function listKeys(db: Queryable): Promise<AdminKey[]> {
  return query<AdminKey>(db, 'admin_keys', `select ${COLUMNS} from admin_key order by created_at desc, key_id`);
}

/** A key that may call now. */
export async function findLiveKey(db: Queryable, keyId: string): Promise<AdminKey | null> {
  const [row] = await query<AdminKey>(
    db,
    'admin_key_find',
    `select ${COLUMNS} from admin_key where key_id = $1 and revoked_at is null and expires_at > now()`,
    [keyId],
  );
  return row ?? null;
}

/** Notes once a minute that a key called. Only of a call that it signed: its id is no secret. */
export async function noteKeySeen(db: Queryable, keyId: string): Promise<void> {
  await query(
    db,
    'admin_key_seen',
    `update admin_key set seen_at = now()
     where key_id = $1 and coalesce(seen_at, '-infinity') < now() - interval '1 minute'`,
    [keyId],
  );
}

export type NewKey = { keyId: string; name: string; scopes: readonly Scope[]; hash: Buffer; days: number; by: string };

/** @returns until when it is good; null: a live key has the name, and audit lines must tell one from the other */
export async function addKey(db: Queryable, key: NewKey): Promise<Date | null> {
  const [row] = await query<{ expires_at: Date }>(
    db,
    'admin_key_add',
    `insert into admin_key (key_id, name, scopes, secret_hash, created_by, expires_at)
     select $1, $2, $3, $4, $5, now() + make_interval(days => $6)
     where not exists (select from admin_key where name = $2 and revoked_at is null and expires_at > now())
     returning expires_at`,
    [key.keyId, key.name, key.scopes, key.hash, key.by, key.days],
  );
  return row?.expires_at ?? null;
}

/** @returns its name; null: there is no live key of this id */
export async function revokeKey(db: Queryable, keyId: string): Promise<string | null> {
  const [row] = await query<{ name: string }>(
    db,
    'admin_key_revoke',
    'update admin_key set revoked_at = now() where key_id = $1 and revoked_at is null returning name',
    [keyId],
  );
  return row?.name ?? null;
}

export type CallName = { readonly keyId: string; readonly callId: string; readonly fingerprint: Buffer };

export type TakenCall =
  | { readonly kind: 'new' | 'other' | 'running' }
  | { readonly kind: 'answered'; readonly status: number; readonly answer: unknown };

/**
 * Takes a call by its id, once. `other`: the id was used for something else. An act whose process died before it
 * answered may be carried out again after `stallSeconds`; the acts themselves bear it.
 */
export async function takeCall(db: Queryable, call: CallName, stallSeconds: number): Promise<TakenCall> {
  const values = [call.keyId, call.callId, call.fingerprint];
  const taken = await query(
    db,
    'admin_call_take',
    `with gone as (
       delete from admin_call where (key_id, call_id) in (select key_id, call_id from admin_call
         where at < now() - interval '1 day' order by at limit 20 for update skip locked)
     )
     insert into admin_call as c (key_id, call_id, fingerprint) values ($1, $2, $3)
     on conflict (key_id, call_id) do update set at = now()
       where c.status is null and c.fingerprint = $3 and c.at < now() - make_interval(secs => $4)
     returning 1`,
    [...values, stallSeconds],
  );
  if (taken.length > 0) return { kind: 'new' };
  const [row] = await query<{ is_same: boolean; status: number | null; answer: unknown }>(
    db,
    'admin_call_find',
    'select fingerprint = $3 as is_same, status, answer from admin_call where key_id = $1 and call_id = $2',
    values,
  );
  if (!row || !row.is_same) return { kind: 'other' };
  return row.status === null ? { kind: 'running' } : { kind: 'answered', status: row.status, answer: row.answer };
}

/** @param answer null where nothing is to be answered again: of reads, which hold what players are called */
export async function finishCall(db: Queryable, call: CallName, status: number, answer: unknown): Promise<void> {
  await query(
    db,
    'admin_call_finish',
    'update admin_call set status = $3, answer = $4::jsonb where key_id = $1 and call_id = $2',
    [call.keyId, call.callId, status, answer === null ? null : toJsonb(answer)],
  );
}

export type AuditLine = { at: Date; actor: string; act: string; billing_no: string | null; details: object };

/** The newest first. @param before id of the last line of the page before */
export function listAudit(
  db: Queryable,
  filter: { billingNo: string | null; before: number | null },
  limit: number,
): Promise<(AuditLine & { id: number; cursor_at: string })[]> {
  return query(
    db,
    'admin_audit',
    `select id, at, actor, act, billing_no, details, at::text as cursor_at from audit_entry
     where ($1::text is null or billing_no = $1) and ($2::bigint is null or id < $2) order by id desc limit $3`,
    [filter.billingNo, filter.before, limit],
  );
}
