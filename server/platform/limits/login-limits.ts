// Limits of logins: by address, by account and by known device, counted where every process sees the same numbers;
// accounts and devices in PostgreSQL, for they are kept for days.
import { DAY_SECONDS } from '#kernel/time.ts';
import { createHash, randomBytes } from 'node:crypto';
import { type Db, type Queryable, query } from '#server/platform/database/db.ts';
import { DEVICE_SECONDS } from '#server/platform/http/session.ts';
import { createRangeLimiter } from './address-limits.ts';
import { countInDatabase, type LimitStore } from './limit-store.ts';

export type LoginPermit = {
  readonly isAllowed: boolean;
  /** Until a try counts again; 0 where this one does. */
  readonly waitSeconds: number;
  /** The browser logged in to this account before. */
  readonly isKnownDevice: boolean;
  /**
   * Returns this browser's device id from now on: the one it brought, or a fresh one; null where devices were not asked
   * about.
   */
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
const FAILURES_KEPT_SECONDS = DAY_SECONDS;
/** @source SECURITY section 7: failures of one address in a day */
const DAILY_FAILURES = 200;
/** Our choice: a known device that fails so often in a row is as strange as any. */
const DEVICE_FAILURES = 10;

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
 * @param options.perDay failures from one address in a day
 */
export function createLoginLimits(
  db: Db,
  perMinute: number,
  { perDay = DAILY_FAILURES, counts = countInDatabase(db) }: { perDay?: number; counts?: LimitStore } = {},
): LoginLimits {
  const tries = createRangeLimiter(counts, 'login_ip', perMinute, 60);
  const failures = createRangeLimiter(counts, 'login_ip_day', perDay, 86_400);
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
          await clearFailures(db, accountHash, kept === null ? null : hash(kept));
          return { device: kept };
        },
        failed: async () => void (await failures.take(ip)),
        undecided: () => uncountTry(db, accountHash, isKnown ? hash(brought) : null),
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
         select account_hash from login_guard where forget_at < now() and account_hash <> $1
         order by forget_at limit 5 for update skip locked)
     )
     insert into login_guard as g (account_hash, failures, blocked_until, forget_at)
     values ($1, 1, now(), now() + make_interval(secs => $2))
     on conflict (account_hash) do update set
       failures = case when g.forget_at < now() then 1 else g.failures + 1 end,
       blocked_until = clock_timestamp() + make_interval(secs => case when g.forget_at < now()
         or g.failures < $3::integer then 0
         else least($4::integer, 2 ^ least(30, g.failures - $3::integer)) end),
       forget_at = now() + make_interval(secs => $2)
     where g.blocked_until <= clock_timestamp() or g.forget_at < now()
     returning failures`,
    [accountHash, FAILURES_KEPT_SECONDS, FREE_FAILURES, LONGEST_DELAY_SECONDS],
  );
  return rows.length > 0;
}

/** Seconds until the next try counts, at least one. */
async function waitOfAccount(db: Db, accountHash: Buffer): Promise<number> {
  const [row] = await query<{ seconds: number }>(
    db,
    'login_guard_wait',
    `select ceil(extract(epoch from blocked_until - clock_timestamp()))::integer as seconds
      from login_guard where account_hash = $1`,
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
     where account_hash = $1 and device_hash = $2 and failures < $3 and seen_at > now() - make_interval(secs => $4)
     returning failures`,
    [accountHash, deviceHash, DEVICE_FAILURES, DEVICE_SECONDS],
  );
  return rows.length > 0;
}

async function clearFailures(db: Db, accountHash: Buffer, deviceHash: Buffer | null): Promise<void> {
  await query(
    db,
    'login_guard_forget',
    `with fresh as (delete from login_guard where account_hash = $1), gone as (
       delete from known_device where (account_hash, device_hash) in (
         select account_hash, device_hash from known_device
         where seen_at < now() - make_interval(secs => $3) and account_hash <> $1
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
export async function eraseDevices(db: Queryable, account: string, keep: string | null): Promise<void> {
  await query(
    db,
    'login_devices_forget',
    'delete from known_device where account_hash = $1 and device_hash is distinct from $2',
    [hash(account), keep === null ? null : hash(keep)],
  );
}

/** A try that nobody could decide did not happen. */
async function uncountTry(db: Db, accountHash: Buffer, deviceHash: Buffer | null): Promise<void> {
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
