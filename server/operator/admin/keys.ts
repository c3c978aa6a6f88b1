// Keys of the admin API: made with a secret that is told once, and checked by what it signed. The secret is made of
// REFILL_KEY_SECRETS and the key's id, so that the database alone opens nothing, and neither does the setting alone.
import { ulid } from 'ulid';
import type { Scope } from '#contracts/admin.ts';
import type { Queryable } from '#server/platform/database/db.ts';
import { isSigned } from '#server/platform/http/signed-call.ts';
import { findSecret, makeSecret } from '#server/platform/made-secrets.ts';
import { type AdminKey, addKey, findLiveKey, noteKeySeen } from './key-store.ts';

const secretName = (keyId: string): string => `admin/${keyId}`;

/** Null: REFILL_KEY_SECRETS is not set. `taken`: a live key has this name. */
export async function makeKey(
  db: Queryable,
  keySecrets: readonly string[],
  wanted: { name: string; scopes: readonly Scope[]; days: number; by: string },
): Promise<{ keyId: string; secret: string; expiresAt: Date } | 'taken' | null> {
  const keyId = `AK-${ulid()}`;
  const made = makeSecret(keySecrets, secretName(keyId));
  if (!made) return null;
  const expiresAt = await addKey(db, { ...wanted, keyId, hash: made.hash });
  return expiresAt ? { keyId, secret: made.secret, expiresAt } : 'taken';
}

export type AdminCall = {
  readonly keyId: string;
  readonly method: string;
  /** Name of the host that was called, lower case, without a port. */
  readonly host: string;
  /** Path and query, byte for byte as they were sent. */
  readonly target: string;
  readonly headers: { readonly id: string; readonly timestamp: string; readonly signature: string };
  readonly body: Buffer;
};

/**
 * The signature covers id and time, then this: method, host, path and query in a line, then the body. So a call cannot
 * be sent to another shop, nor be made another one.
 * @source docs/admin-api.md, "Signature"
 */
export function signedText({ method, host, target }: Pick<AdminCall, 'method' | 'host' | 'target'>): string {
  return `${method} ${host}${target}\n`;
}

/** The live key that signed this call lately; null for anything else. */
export async function findCaller(
  db: Queryable,
  keySecrets: readonly string[],
  call: AdminCall,
  nowMs: number,
): Promise<AdminKey | null> {
  if (!/^AK-[0-9A-HJKMNP-TV-Z]{26}$/.test(call.keyId)) return null;
  const key = await findLiveKey(db, call.keyId);
  const secret = key && findSecret(keySecrets, secretName(key.key_id), key.secret_hash);
  if (!key || !secret) return null;
  const body = Buffer.concat([Buffer.from(signedText(call)), call.body]);
  if (!isSigned([secret], { headers: call.headers, body }, nowMs)) return null;
  await noteKeySeen(db, key.key_id);
  return key;
}
