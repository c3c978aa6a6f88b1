// Limits of logins, counted in PostgreSQL so that every process sees the same numbers.
import { createHash, randomBytes } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import { RateLimiterMemory, RateLimiterPostgres, type RateLimiterRes } from 'rate-limiter-flexible';
import { type Db, type Queryable, query } from './database/db.ts';
import { DEVICE_SECONDS } from './http/session.ts';

export type LoginPermit = {
  readonly isAllowed: boolean;
  /** Until a try counts again; 0 where this one does. */
  readonly waitSeconds: number;
  /** The browser logged in to this account before. */
  readonly isKnownDevice: boolean;
  /** What this browser is known by from now on: what it brought, or fresh; null where devices were not asked about. */
  succeeded(): Promise<{ device: string | null }>;
  failed(): Promise<void>;
  /** Nobody could say whether it was right: it does not count. */
  undecided(): Promise<void>;
};
export type LoginLimits = {
  /**
   * Counts the try at once, so that many at the same moment are as slow as one after the other.
   * @param device what this browser brought, null for nothing; left out where no browser is known by it
   */
  ask(ip: string, account: string, device?: string | null): Promise<LoginPermit>;
};

/**
 * @source SECURITY section 7: five failures free, then delays of 1, 2, 4 ... s up to 15 minutes,
 * forgotten after 24 h or on success
 */
const FREE_FAILURES = 5;
const LONGEST_DELAY_SECONDS = 900;
const FORGOTTEN_SECONDS = 86_400;
/** @source SECURITY section 7: failures of one address in a day */
const DAILY_FAILURES = 200;
/** Our choice: a known device that fails so often in a row is as strange as any. */
const DEVICE_FAILURES = 10;

/** Seconds an account has to wait after its n-th failure in a row. */
export function delayAfter(failures: number): number {
  return failures <= FREE_FAILURES ? 0 : Math.min(LONGEST_DELAY_SECONDS, 2 ** (failures - FREE_FAILURES - 1));
}

/** Bits of an address that count. @source RFC 6177: a household gets a /64 at least, a site a /48 at most */
const ADDRESS_BITS = { ipv4: 32, ipv6: 64 };
const SITE_BITS = { ipv4: 32, ipv6: 48 };
/** Our choice: a site may hold many households, and a mobile network many phones. */
const SITE_TIMES = 2;

/**
 * The network that an address counts by: an IPv4 address by itself, IPv6 by its /64. IPv4 inside
 * IPv6 (`::ffff:192.0.2.7`) is that IPv4 address, and ports and zones do not count. Text that is no address counts as
 * it is.
 * @param bits how much of an address counts
 */
export function networkOf(ip: string, bits: { ipv4: number; ipv6: number } = ADDRESS_BITS): string {
  // "192.0.2.7:443", "[2001:db8::1]:443", "fe80::1%eth0"
  const bare = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(ip)?.[1] ?? /^\[([^\]]+)\](?::\d+)?$/.exec(ip)?.[1] ?? ip;
  const text = bare.replace(/%.*$/, '');
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text)) return ip;
  const address = ipaddr.process(text);
  const length = bits[address.kind()];
  const isWhole = address.kind() === 'ipv4' && length === 32;
  if (isWhole) return address.toString();
  const kind = address.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  return `${kind.networkAddressFromCIDR(`${address.toString()}/${length}`).toString()}/${length}`;
}

/** The network that an address counts by, and for IPv6 the /48 around it, which may do `SITE_TIMES` as much. */
function rangesOf(ip: string): { network: string; site: string | null } {
  const network = networkOf(ip);
  const site = networkOf(ip, SITE_BITS);
  return { network, site: site === network ? null : site };
}

const refused = (waitSeconds: number): LoginPermit => ({
  isAllowed: false,
  waitSeconds,
  isKnownDevice: false,
  succeeded: async () => ({ device: null }),
  failed: async () => undefined,
  undecided: async () => undefined,
});

/**
 * @param perMinute logins from one address in a minute, right or wrong
 * @param perDay failures from one address in a day
 */
export function createLoginLimits(db: Db, perMinute: number, perDay = DAILY_FAILURES): LoginLimits {
  const tries = createRangeLimiter(db, 'login_ip', perMinute, 60);
  const failures = createRangeLimiter(db, 'login_ip_day', perDay, 86_400);
  return {
    ask: async (ip, account, device) => {
      const wait = (await tries.take(ip)) || (await failures.waitOf(ip));
      if (wait > 0) return refused(wait);
      const accountHash = hash(account);
      const brought = device && /^[\w-]{43}$/.test(device) ? device : null;
      const isKnown = brought !== null && (await useDevice(db, accountHash, hash(brought)));
      if (!isKnown && !(await countTry(db, accountHash))) return refused(await waitOfAccount(db, accountHash));
      return {
        isAllowed: true,
        waitSeconds: 0,
        isKnownDevice: isKnown,
        succeeded: async () => {
          const kept = device === undefined ? null : (brought ?? randomBytes(32).toString('base64url'));
          await forgetFailures(db, accountHash, kept === null ? null : hash(kept));
          return { device: kept };
        },
        failed: async () => void (await failures.take(ip)),
        undecided: () => takeBack(db, accountHash, isKnown ? hash(brought) : null),
      };
    },
  };
}

const hash = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * One statement and one row lock: of many tries at one moment only as many pass as would one after the
 * other. False: still to wait.
 */
async function countTry(db: Db, accountHash: Buffer): Promise<boolean> {
  const rows = await query(
    db,
    'login_guard_try',
    `with gone as (
       delete from login_guard where account_hash in (
         select account_hash from login_guard where forget_at < now() and account_hash <> $1 order by forget_at limit 5 for update skip locked)
     )
     insert into login_guard as g (account_hash, failures, blocked_until, forget_at) values ($1, 1, now(), now() + make_interval(secs => $2))
     on conflict (account_hash) do update set
       failures = case when g.forget_at < now() then 1 else g.failures + 1 end,
       blocked_until = clock_timestamp() + make_interval(secs => case when g.forget_at < now() or g.failures < $3::integer then 0
         else least($4::integer, 2 ^ least(30, g.failures - $3::integer)) end),
       forget_at = now() + make_interval(secs => $2)
     where g.blocked_until <= clock_timestamp() or g.forget_at < now()
     returning failures`,
    [accountHash, FORGOTTEN_SECONDS, FREE_FAILURES, LONGEST_DELAY_SECONDS],
  );
  return rows.length > 0;
}

/** Seconds until the next try counts, at least one. */
async function waitOfAccount(db: Db, accountHash: Buffer): Promise<number> {
  const [row] = await query<{ seconds: number }>(
    db,
    'login_guard_wait',
    'select ceil(extract(epoch from blocked_until - clock_timestamp()))::integer as seconds from login_guard where account_hash = $1',
    [accountHash],
  );
  return Math.max(1, row?.seconds ?? 1);
}

/**
 * A browser that logged in to this account well before does not wait for what strangers did. Its own
 * failures in a row are counted.
 */
async function useDevice(db: Db, accountHash: Buffer, deviceHash: Buffer): Promise<boolean> {
  const rows = await query(
    db,
    'login_device_use',
    `update known_device set failures = failures + 1
     where account_hash = $1 and device_hash = $2 and failures < $3 and seen_at > now() - make_interval(secs => $4) returning failures`,
    [accountHash, deviceHash, DEVICE_FAILURES, DEVICE_SECONDS],
  );
  return rows.length > 0;
}

async function forgetFailures(db: Db, accountHash: Buffer, deviceHash: Buffer | null): Promise<void> {
  await query(
    db,
    'login_guard_forget',
    `with fresh as (delete from login_guard where account_hash = $1), gone as (
       delete from known_device where (account_hash, device_hash) in (
         select account_hash, device_hash from known_device where seen_at < now() - make_interval(secs => $3) and account_hash <> $1
         order by seen_at limit 5 for update skip locked)
     )
     insert into known_device (account_hash, device_hash) select $1, $2::bytea where $2 is not null
     on conflict (account_hash, device_hash) do update set failures = 0, seen_at = now()`,
    [accountHash, deviceHash, DEVICE_SECONDS],
  );
}

/**
 * Every browser but one is a stranger to this account from now on.
 * @param keep what that browser is known by, null for none
 */
export async function forgetDevices(db: Queryable, account: string, keep: string | null): Promise<void> {
  await query(
    db,
    'login_devices_forget',
    'delete from known_device where account_hash = $1 and device_hash is distinct from $2',
    [hash(account), keep === null ? null : hash(keep)],
  );
}

async function takeBack(db: Db, accountHash: Buffer, deviceHash: Buffer | null): Promise<void> {
  if (deviceHash)
    await query(
      db,
      'login_device_take_back',
      'update known_device set failures = greatest(0, failures - 1) where account_hash = $1 and device_hash = $2',
      [accountHash, deviceHash],
    );
  else
    await query(
      db,
      'login_guard_take_back',
      'update login_guard set failures = greatest(0, failures - 1), blocked_until = now() where account_hash = $1',
      [accountHash],
    );
}

/** While the database is away the count goes on in this process: not without limit. */
function createLimiter(db: Db, keyPrefix: string, points: number, duration: number): RateLimiterPostgres {
  const rule = { keyPrefix, points, duration };
  return new RateLimiterPostgres({
    ...rule,
    storeClient: db,
    storeType: 'pool',
    tableName: 'rate_limit',
    tableCreated: true,
    insuranceLimiter: new RateLimiterMemory(rule),
  });
}

/** Counts one more. @returns seconds to wait where it was one too many, else 0 */
async function consume(limiter: RateLimiterPostgres, key: string): Promise<number> {
  try {
    await limiter.consume(key);
    return 0;
  } catch (error) {
    if (error instanceof Error) throw error;
    return secondsOf(error as RateLimiterRes);
  }
}

/** Looks without counting. @returns seconds to wait where nothing is left, else 0 */
async function waitFor(limiter: RateLimiterPostgres, key: string): Promise<number> {
  const found = await limiter.get(key);
  return found && found.remainingPoints <= 0 ? secondsOf(found) : 0;
}

const secondsOf = ({ msBeforeNext }: RateLimiterRes): number => Math.max(1, Math.ceil(msBeforeNext / 1000));

/** Counts an address by its network and, for IPv6, by the site around it. */
function createRangeLimiter(db: Db, name: string, points: number, seconds: number) {
  const byNetwork = createLimiter(db, name, points, seconds);
  const bySite = createLimiter(db, `${name}_site`, points * SITE_TIMES, seconds);
  return {
    /** Counts one more. @returns seconds to wait where it was one too many, else 0 */
    take: async (ip: string): Promise<number> => {
      const { network, site } = rangesOf(ip);
      return (await consume(byNetwork, network)) || (site === null ? 0 : consume(bySite, site));
    },
    /** Looks without counting. @returns seconds to wait where nothing is left, else 0 */
    waitOf: async (ip: string): Promise<number> => {
      const { network, site } = rangesOf(ip);
      return (await waitFor(byNetwork, network)) || (site === null ? 0 : waitFor(bySite, site));
    },
  };
}

/**
 * Answers whether an address may do a thing once more in this minute.
 * @param name of the thing, a word; @param perMinute for one address
 */
export function createAddressLimit(db: Db, name: string, perMinute: number): (ip: string) => Promise<boolean> {
  const { take } = createRangeLimiter(db, name, perMinute, 60);
  return async (ip) => (await take(ip)) === 0;
}

/** The same for wrong guesses: by network, IPv6 by the site around it as well; any other text counts as it is. */
export function createGuessLimit(db: Db, name: string, failures: number, seconds: number): FailureLimit {
  const { take, waitOf } = createRangeLimiter(db, name, failures, seconds);
  return { hasLeft: async (ip) => (await waitOf(ip)) === 0, count: async (ip) => void (await take(ip)) };
}

export type FailureLimit = {
  /** Looks without counting. False: too many failed lately. */
  hasLeft(ip: string): Promise<boolean>;
  count(ip: string): Promise<void>;
};

/**
 * A limit of failures for a whole network. It is counted in statements of its own: nobody waits
 * for another's transaction. Many at one moment may go over it by a few.
 * @param bits how much of an address counts
 */
export function createFailureLimit(
  db: Db,
  name: string,
  limit: { failures: number; seconds: number; bits: { ipv4: number; ipv6: number } },
): FailureLimit {
  const limiter = createLimiter(db, name, limit.failures, limit.seconds);
  return {
    hasLeft: async (ip) => (await waitFor(limiter, networkOf(ip, limit.bits))) === 0,
    count: async (ip) => void (await consume(limiter, networkOf(ip, limit.bits))),
  };
}
