// Limits of logins, counted in PostgreSQL so that every process sees the same numbers.
import { RateLimiterMemory, RateLimiterPostgres, type RateLimiterRes } from 'rate-limiter-flexible';
import type { Db } from './db.ts';

export type LoginPermit = { isAllowed: boolean; succeeded(): Promise<void>; failed(): Promise<void> };
export type LoginLimits = { ask(ip: string, account: string): Promise<LoginPermit> };

/** @source SECURITY section 7: five failures free, then delays of 1, 2, 4 ... s up to 15 minutes, forgotten after 24 h or on success */
const FREE_FAILURES = 5;
const LONGEST_DELAY_SECONDS = 900;
const FORGOTTEN_SECONDS = 86_400;

/** Seconds an account has to wait after its n-th failure in a row. */
export function delayAfter(failures: number): number {
  return failures <= FREE_FAILURES ? 0 : Math.min(LONGEST_DELAY_SECONDS, 2 ** (failures - FREE_FAILURES - 1));
}

/** IPv6 addresses count by their /64, the least a household gets. */
export function networkOf(ip: string): string {
  if (!ip.includes(':') || ip.startsWith('::ffff:')) return ip;
  const [head = '', tail] = ip.split('::');
  const groups = head.split(':').filter(Boolean);
  if (tail !== undefined) while (groups.length < 4) groups.push('0');
  return `${groups.slice(0, 4).join(':')}::/64`;
}

/** @param perMinute logins from one address in a minute, right or wrong */
export function createLoginLimits(db: Db, perMinute: number): LoginLimits {
  const shared = { storeClient: db, storeType: 'pool', tableName: 'rate_limit', tableCreated: true } as const;
  // While the database is away the count goes on in this process: logins are allowed, but not without limit.
  const byAddress = new RateLimiterPostgres({
    ...shared, keyPrefix: 'login_ip', points: perMinute, duration: 60, insuranceLimiter: new RateLimiterMemory({ keyPrefix: 'login_ip', points: perMinute, duration: 60 }),
  }); // prettier-ignore
  const failures = new RateLimiterPostgres({
    ...shared,
    keyPrefix: 'login_failures',
    points: 1_000_000,
    duration: FORGOTTEN_SECONDS,
  });
  const delays = new RateLimiterPostgres({ ...shared, keyPrefix: 'login_delay', points: 1, duration: 1 });
  return {
    ask: async (ip, account) => {
      const refused: LoginPermit = {
        isAllowed: false,
        succeeded: async () => undefined,
        failed: async () => undefined,
      };
      try {
        await byAddress.consume(networkOf(ip));
      } catch (error) {
        if (error instanceof Error) throw error;
        return refused;
      }
      const delay: RateLimiterRes | null = await delays.get(account);
      if (delay && delay.remainingPoints <= 0 && delay.msBeforeNext > 0) return refused;
      return {
        isAllowed: true,
        succeeded: async () => {
          await Promise.all([failures.delete(account), delays.delete(account)]);
        },
        failed: async () => {
          const { consumedPoints } = await failures.consume(account);
          const wait = delayAfter(consumedPoints);
          if (wait > 0) await delays.block(account, wait);
        },
      };
    },
  };
}

/**
 * Answers whether an address may do a thing once more in this minute.
 * @param name of the thing, a word; @param perMinute for one address
 */
export function createAddressLimit(db: Db, name: string, perMinute: number): (ip: string) => Promise<boolean> {
  const rule = { keyPrefix: name, points: perMinute, duration: 60 };
  const limiter = new RateLimiterPostgres({
    ...rule,
    storeClient: db,
    storeType: 'pool',
    tableName: 'rate_limit',
    tableCreated: true,
    insuranceLimiter: new RateLimiterMemory(rule),
  });
  return async (ip) => {
    try {
      await limiter.consume(networkOf(ip));
      return true;
    } catch (error) {
      if (error instanceof Error) throw error;
      return false;
    }
  };
}
