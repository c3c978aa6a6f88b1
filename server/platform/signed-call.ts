// Calls that a game's server signs as the shop signs its own: Standard Webhooks headers over the raw bytes.
import { createHash, timingSafeEqual } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

export type SignedCall = {
  readonly headers: { readonly id: string; readonly timestamp: string; readonly signature: string };
  readonly body: Buffer;
};

/** @source docs/game-server-contract.md, "Signature": five minutes, in either direction */
const SKEW_SECONDS = 300;

export function isSigned(secrets: readonly string[], { headers, body }: SignedCall, nowMs: number): boolean {
  const { id, timestamp, signature } = headers;
  if (!/^[\w.-]{8,100}$/.test(id) || !/^\d{9,11}$/.test(timestamp)) return false;
  if (Math.abs(nowMs / 1000 - Number(timestamp)) > SKEW_SECONDS) return false;
  const given = signature.split(' ').filter((one) => one.startsWith('v1,'));
  const at = new Date(Number(timestamp) * 1000);
  // All pairs are compared, so that the time says nothing about which one fits.
  const matches = secrets.flatMap((secret) => {
    const expected = digest(new Webhook(secret).sign(id, at, body.toString('utf8')));
    return given.slice(0, 10).map((one) => timingSafeEqual(digest(one), expected));
  });
  return matches.includes(true);
}

/** Equal lengths for the comparison. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The body's JSON; undefined for what is none, and for texts that are no UTF-8 or hold a NUL. */
export function readSignedJson(body: Buffer): unknown {
  const text = body.toString('utf8');
  // Bytes that are no UTF-8 were not what was signed.
  if (Buffer.from(text, 'utf8').compare(body) !== 0) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    const isClean = (part: unknown) => typeof part !== 'string' || (!part.includes('\0') && part.isWellFormed());
    return typeof value === 'object' && value !== null && Object.values(value).every(isClean) ? value : undefined;
  } catch {
    return undefined;
  }
}
