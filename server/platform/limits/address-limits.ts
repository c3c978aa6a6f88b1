// Limits by network address, counted where every process sees the same numbers.
import ipaddr from 'ipaddr.js';
import type { RateLimiterRes, RateLimiterStoreAbstract } from 'rate-limiter-flexible';
import type { LimitStore } from './limit-store.ts';

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
  const [text = ''] = bare.split('%', 1);
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

/** Counts one more. @returns seconds to wait where it was one too many, else 0 */
async function consume(limiter: RateLimiterStoreAbstract, key: string): Promise<number> {
  try {
    await limiter.consume(key);
    return 0;
  } catch (error) {
    if (error instanceof Error) throw error;
    return secondsOf(error as RateLimiterRes);
  }
}

/** Looks without counting. @returns seconds to wait where nothing is left, else 0 */
async function waitFor(limiter: RateLimiterStoreAbstract, key: string): Promise<number> {
  const found = await limiter.get(key);
  return found && found.remainingPoints <= 0 ? secondsOf(found) : 0;
}

const secondsOf = ({ msBeforeNext }: RateLimiterRes): number => Math.max(1, Math.ceil(msBeforeNext / 1000));

/** Counts an address by its network and, for IPv6, by the site around it. */
export function createRangeLimiter(counts: LimitStore, name: string, points: number, seconds: number) {
  const byNetwork = counts({ keyPrefix: name, points, duration: seconds });
  const bySite = counts({ keyPrefix: `${name}_site`, points: points * SITE_TIMES, duration: seconds });
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
export function createAddressLimit(
  counts: LimitStore,
  name: string,
  perMinute: number,
): (ip: string) => Promise<boolean> {
  const { take } = createRangeLimiter(counts, name, perMinute, 60);
  return async (ip) => (await take(ip)) === 0;
}

/** The same for wrong guesses: by network, IPv6 by the site around it as well; any other text counts as it is. */
export function createGuessLimit(counts: LimitStore, name: string, failures: number, seconds: number): FailureLimit {
  const { take, waitOf } = createRangeLimiter(counts, name, failures, seconds);
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
  counts: LimitStore,
  name: string,
  limit: { failures: number; seconds: number; bits: { ipv4: number; ipv6: number } },
): FailureLimit {
  const limiter = counts({ keyPrefix: name, points: limit.failures, duration: limit.seconds });
  return {
    hasLeft: async (ip) => (await waitFor(limiter, networkOf(ip, limit.bits))) === 0,
    count: async (ip) => void (await consume(limiter, networkOf(ip, limit.bits))),
  };
}
