// Password hashing behind a bounded queue, so that a flood of logins can not take the machine from everybody else.
import { hash, verify } from '@node-rs/argon2';

/** @source OWASP Password Storage: argon2id, 19 MiB, 2 iterations, 1 lane */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const CURRENT_PREFIX = '$argon2id$v=19$m=19456,t=2,p=1$';
/** Our choice on SECURITY section 2: two hashes at once, fifty waiting, then "try later". */
const AT_ONCE = 2;
const WAITING = 50;
/** Longer inputs are refused before any work. @source SECURITY section 2 */
const MAX_BYTES = 1024;

/** Of a password nobody has: what an unknown account is compared with, so that it takes the same time. */
const DUMMY = '$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$Z3Q3Z0p2aHp0bW5xeWZ4c2RrcmV3cHFhYmNkZWZnaGk';

let running = 0;
const waiting: (() => void)[] = [];

async function inTurn<Result>(work: () => Promise<Result>): Promise<Result | 'busy'> {
  if (running >= AT_ONCE) {
    if (waiting.length >= WAITING) return 'busy';
    await new Promise<void>((resolve) => waiting.push(resolve));
  }
  running += 1;
  try {
    return await work();
  } finally {
    running -= 1;
    waiting.shift()?.();
  }
}

/** PHC string of a password. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, PARAMETERS);
}

/** @param stored PHC string, or null for an account that does not exist: the same work is done */
export async function checkPassword(stored: string | null, password: string): Promise<'match' | 'differs' | 'busy'> {
  if (Buffer.byteLength(password) > MAX_BYTES) return 'differs';
  const result = await inTurn(() => verify(stored ?? DUMMY, password).catch(() => false));
  if (result === 'busy') return 'busy';
  return result && stored !== null ? 'match' : 'differs';
}

/** True when the stored hash was made with other parameters than today's. */
export function needsRehash(stored: string): boolean {
  return !stored.startsWith(CURRENT_PREFIX);
}
