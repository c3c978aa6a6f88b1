// Verifies the signature of a request of the shop with Node's standard library alone (22.18 or newer runs TypeScript as
// it is; without the types it is JavaScript).
//
//   printf %s "$BODY" | SECRETS='whsec_new,whsec_old' node verify.ts "$ID" "$TIMESTAMP" "$SIGNATURE"
import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const TOLERANCE_SECONDS = 300;

type Headers = { readonly id: string; readonly timestamp: string; readonly signature: string };

/**
 * @param secrets every one that is good now
 * @param rawBody the bytes as they came
 * @param now seconds, for tests
 */
export function isSigned(
  secrets: readonly string[],
  { id, timestamp, signature }: Headers,
  rawBody: Uint8Array,
  now = Date.now() / 1000,
): boolean {
  if (id === '' || !/^\d{9,11}$/.test(timestamp)) return false;
  if (Math.abs(now - Number(timestamp)) > TOLERANCE_SECONDS) return false;
  const given = signature.split(' ').filter((one) => one.startsWith('v1,'));
  let found = false;
  for (const secret of secrets) {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    const hmac = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(rawBody);
    const expected = Buffer.from(hmac.digest('base64'));
    for (const one of given) {
      const bytes = Buffer.from(one.slice(3));
      // In constant time, and without leaving early: the time says nothing about which one fits.
      if (bytes.length === expected.length && timingSafeEqual(bytes, expected)) found = true;
    }
  }
  return found;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [id = '', timestamp = '', signature = '', now] = process.argv.slice(2);
  const secrets = (process.env.SECRETS ?? '').split(',');
  const ok = isSigned(secrets, { id, timestamp, signature }, readFileSync(0), now === undefined ? undefined : +now);
  console.log(ok ? 'signed' : 'refused');
  process.exitCode = ok ? 0 : 1;
}
