// Secrets that both sides must know and no database keeps: made of REFILL_KEY_SECRETS and the name of what they are
// for. The database keeps a hash, which tells of which of several secrets one was made; without that row, and without
// the process's own secret, nothing opens.
import { createHash, createHmac } from 'node:crypto';

/** In the form of Standard Webhooks: `whsec_` and 32 bytes in base64. */
const makeOf = (root: string, name: string): string =>
  `whsec_${createHmac('sha256', root).update(`refill/${name}`).digest('base64')}`;

const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/**
 * A new secret and the hash to keep.
 * @param roots of REFILL_KEY_SECRETS; the first one makes
 * @param name never used for two things: "webhook/WE-.../1"
 * @returns null when there is no root
 */
export function makeSecret(roots: readonly string[], name: string): { secret: string; hash: Buffer } | null {
  const [root] = roots;
  if (root === undefined) return null;
  const secret = makeOf(root, name);
  return { secret, hash: hashOf(secret) };
}

/** The secret whose hash was kept; null when the root that made it is gone. */
export function findSecret(roots: readonly string[], name: string, hash: Buffer): string | null {
  return roots.map((root) => makeOf(root, name)).find((secret) => hashOf(secret).equals(hash)) ?? null;
}
