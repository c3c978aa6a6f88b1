// The signature of an operator's call: HMAC-SHA256 over what was called, when, once, and with what.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

export type SignedCall = {
  readonly method: string;
  /** Host name of the shop that is called, lower case, without a port. */
  readonly host: string;
  /** Path without query. */
  readonly path: string;
  readonly timestamp: string;
  readonly nonce: string;
  /** The exact bytes. */
  readonly body: Uint8Array;
};

/**
 * Hex HMAC-SHA256 of method, host, path, timestamp, nonce and the hex SHA-256 of the body, a line
 * each without a last line feed.
 */
export function signCall(key: string, call: SignedCall): string {
  const digest = createHash('sha256').update(call.body).digest('hex');
  const text = [call.method, call.host, call.path, call.timestamp, call.nonce, digest].join('\n');
  return createHmac('sha256', key).update(text).digest('hex');
}

/** @param keys any of them counts, so that one can be changed for another */
export function isSignedBy(keys: readonly string[], call: SignedCall, signature: string): boolean {
  if (!/^[0-9a-f]{64}$/.test(signature)) return false;
  const given = Buffer.from(signature, 'hex');
  // All are compared, so that the time says nothing about which one fits.
  return keys.map((key) => timingSafeEqual(Buffer.from(signCall(key, call), 'hex'), given)).includes(true);
}
