// The text that a game keeps of an order for us: what the order is rebuilt from when a backup was brought back that
// does not know it. Sealed with REFILL_KEY_SECRETS, so that nobody outside can read it or make one up (decision 61), and for
// one environment: an order of the demo was never paid, also where both environments have one secret by mistake.
import { type KeyObject, createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { MAX_RECOVERY } from '#contracts/game-server.ts';
import type { Environment } from '#kernel/environment.ts';

/** The environment of this process, and its REFILL_KEY_SECRETS. */
export type SealedBy = { readonly environment: Environment; readonly keySecrets: readonly string[] };

const VERSION = 'r1.';
const [NONCE, TAG] = [12, 16];

/**
 * A text of a thousand characters needs no window of 32 KB: zlib clears all of it for each text.
 * @source https://nodejs.org/docs/latest-v24.x/api/zlib.html#memory-usage-tuning
 */
const SMALL = { windowBits: 11, memLevel: 4, chunkSize: 4096 };

/** Of each root and environment, of which a process knows one or two: to make them costs more than to seal a text. */
type Keys = { readonly nonce: KeyObject; readonly seal: KeyObject };
const keys = new Map<string, Keys>();

function keysOf(environment: Environment, root: string): Keys {
  const name = `${environment}/${root}`;
  const known = keys.get(name);
  if (known) return known;
  const derive = (use: string) =>
    createSecretKey(Buffer.from(hkdfSync('sha256', root, '', `refill/recovery/${environment}/${use}`, 32)));
  const made = { nonce: derive('nonce'), seal: derive('seal') };
  keys.set(name, made);
  return made;
}

/**
 * The same facts make the same text: a grant that is sent again has the body that it had.
 * @param roots of REFILL_KEY_SECRETS; the first seals
 * @returns null without a root, or for an order that is too large for the contract
 */
export function sealFacts(environment: Environment, roots: readonly string[], facts: object): string | null {
  const [root] = roots;
  if (root === undefined) return null;
  const key = keysOf(environment, root);
  const plain = deflateRawSync(JSON.stringify({ ...facts, environment }), SMALL);
  const nonce = createHmac('sha256', key.nonce).update(plain).digest().subarray(0, NONCE);
  const cipher = createCipheriv('aes-256-gcm', key.seal, nonce);
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
  const text = VERSION + Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
  return text.length > MAX_RECOVERY ? null : text;
}

/** Null: not sealed by any of our secrets for this environment, or changed since. */
export function openFacts<Facts extends object>(
  environment: Environment,
  roots: readonly string[],
  text: string,
): Facts | null {
  if (!text.startsWith(VERSION)) return null;
  const bytes = Buffer.from(text.slice(VERSION.length), 'base64url');
  if (bytes.length <= NONCE + TAG) return null;
  for (const root of roots) {
    const cipher = createDecipheriv('aes-256-gcm', keysOf(environment, root).seal, bytes.subarray(0, NONCE));
    cipher.setAuthTag(bytes.subarray(NONCE, NONCE + TAG));
    try {
      const plain = Buffer.concat([cipher.update(bytes.subarray(NONCE + TAG)), cipher.final()]);
      const opened = JSON.parse(inflateRawSync(plain).toString()) as Facts & { environment: unknown };
      if (opened.environment !== environment) return null;
      const { environment: _, ...facts } = opened;
      return facts as unknown as Facts;
    } catch {
      // Sealed by another secret: the next one may open it.
    }
  }
  return null;
}
