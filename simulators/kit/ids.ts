// Identifiers in the manner of the outside systems.

import { createHash, randomBytes } from 'node:crypto';

const blockBytes = 4096;
let block = Buffer.alloc(0);

/** Random bytes from a block that was asked of the system at once: a call for each id is a fiftieth of what a busy simulator does. */
function takeBytes(count: number): Buffer {
  if (block.length < count) block = randomBytes(Math.max(count, blockBytes));
  const taken = block.subarray(0, count);
  block = block.subarray(count);
  return taken;
}

const upperAlphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** `length` random characters of 0-9 and A-Z. */
export function randomUpper(length: number): string {
  let text = '';
  for (const byte of takeBytes(length)) text += upperAlphabet[byte % upperAlphabet.length];
  return text;
}

/** Random lower-case hex of `bytes` bytes. */
export function randomHex(bytes: number): string {
  return takeBytes(bytes).toString('hex');
}

/** Equal input, equal answer: lets an idempotency key be compared with the body it first came with. */
export function fingerprint(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
