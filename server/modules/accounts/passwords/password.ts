// Password hashing behind a bounded queue, so that a flood of logins cannot take the machine from everybody else.
import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { normalisePassword } from '#contracts/accounts.ts';

/** @source OWASP Password Storage: argon2id, 19 MiB, 2 iterations, 1 lane */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const CURRENT_PREFIX = '$argon2id$v=19$m=19456,t=2,p=1$';
/**
 * Hashes at once: a core is left for everything else, and one of the four threads that files and names need
 * as well. Then fifty waiting,
 * then "try later". @source SECURITY section 2 bounds it at two a core; measured: with all cores busy the
 * other answers take twice as long
 */
export const AT_ONCE = Math.min(3, Math.max(1, availableParallelism() - 1));
export const WAITING = 50;
/** Longer inputs are refused before any work. @source SECURITY section 2 */
const MAX_BYTES = 1024;

/** Of a password nobody has: what an unknown account is compared with, so that it takes the same time. */
const DUMMY = '$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$Z3Q3Z0p2aHp0bW5xeWZ4c2RrcmV3cHFhYmNkZWZnaGk';

let running = 0;
/**
 * Browsers that logged in to the account before go first, and have a queue of their own: a flood
 * of strangers does not fill it.
 */
const waiting = { known: [] as (() => void)[], others: [] as (() => void)[] };
type Queue = keyof typeof waiting;

/** @param waitsForever waits however many are before; else too many waiting is 'busy' */
async function inTurn<Result>(
  work: () => Promise<Result>,
  queue: Queue = 'others',
  waitsForever = false,
): Promise<Result | 'busy'> {
  if (running < AT_ONCE) running += 1;
  else {
    if (!waitsForever && waiting[queue].length >= WAITING) return 'busy';
    // Whoever ends hands its place over, so that nobody slips in between.
    await new Promise<void>((resolve) => waiting[queue].push(resolve));
  }
  try {
    return await work();
  } finally {
    const next = waiting.known.shift() ?? waiting.others.shift();
    if (next) next();
    else running -= 1;
  }
}

/** PHC string of a password, for the operator's own commands: waits for its turn. */
export async function hashPassword(password: string): Promise<string> {
  const result = await inTurn(() => hash(normalisePassword(password), PARAMETERS), 'others', true);
  if (result === 'busy') throw new Error('a patient hash was refused');
  return result;
}

/** PHC string of a password on a player's request; null when too many wait already. */
export async function hashPasswordNow(password: string, isKnownDevice = false): Promise<string | null> {
  const result = await inTurn(() => hash(normalisePassword(password), PARAMETERS), isKnownDevice ? 'known' : 'others');
  return result === 'busy' ? null : result;
}

/** Refuses passwords of more than MAX_BYTES, and those with a zero byte. */
export function isHashable(password: string): boolean {
  return Buffer.byteLength(password) <= MAX_BYTES && !password.includes('\0');
}

/**
 * `outdated` is a match whose hash has other parameters than today's, or was made of the password before it was
 * normalised: it is to be hashed again.
 * @param stored PHC string, or null for an account that does not exist: the same work is done
 * @param isKnownDevice the browser logged in to this account before: it goes first
 */
export async function checkPassword(
  stored: string | null,
  password: string,
  isKnownDevice = false,
): Promise<'match' | 'outdated' | 'differs' | 'busy'> {
  if (!isHashable(password)) return 'differs';
  const fits = (text: string) => verify(stored ?? DUMMY, text).catch(() => false);
  const normalised = normalisePassword(password);
  const result = await inTurn(
    async () => {
      if (await fits(normalised)) return 'normalised';
      return password !== normalised && (await fits(password)) ? 'as_typed' : null;
    },
    isKnownDevice ? 'known' : 'others',
  );
  if (result === 'busy') return 'busy';
  if (result === null || stored === null) return 'differs';
  return result === 'as_typed' || !stored.startsWith(CURRENT_PREFIX) ? 'outdated' : 'match';
}
