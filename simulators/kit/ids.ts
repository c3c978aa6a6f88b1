// Identifiers in the manner of the outside systems.

import { createHash, randomBytes } from 'node:crypto';

const upperAlphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** `length` random characters of 0-9 and A-Z. */
export function randomUpper(length: number): string {
  let text = '';
  for (const byte of randomBytes(length)) text += upperAlphabet[byte % upperAlphabet.length];
  return text;
}

/** Random lower-case hex of `bytes` bytes. */
export function randomHex(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}

/** Equal input, equal answer: lets an idempotency key be compared with the body it first came with. */
export function fingerprint(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
