// How much strangers may make us write. Beyond it things are counted in memory, and one line a
// minute tells how many there were.
import { MINUTE_MS } from '#kernel/time.ts';
import { networkOf } from '#server/platform/limits/address-limits.ts';

/** Our choice: enough to see who does what; a network that does more of one thing in a minute says nothing new. */
export const PER_NETWORK = 30;
/** Our choice, for all things of all networks together: under attack 5 lines a second, some 90 MB a day. */
const IN_ALL = 300;
const OF_LOG = { perNetwork: PER_NETWORK, inAll: IN_ALL };

export type NoiseBudget = {
  /** Returns true when one more `kind` from this address is written. @param ip empty where none is known */
  takes(kind: string, ip: string): boolean;
};

/**
 * Of this process. @param tell how many of each kind were not written, a minute after the first of them
 * @param now epoch milliseconds
 * @param most in a minute: of one kind from one network, and of all together
 */
export function createNoiseBudget(
  tell: (unwritten: Readonly<Record<string, number>>) => void,
  now: () => number = Date.now,
  most: { perNetwork: number; inAll: number } = OF_LOG,
): NoiseBudget {
  let minute = 0;
  let inAll = 0;
  const byNetwork = new Map<string, number>();
  let unwritten: Record<string, number> = {};
  const report = () => {
    const counts = unwritten;
    unwritten = {};
    tell(counts);
  };
  const leaveOut = (kind: string) => {
    // The process may end meanwhile: what is counted then is not worth waiting for.
    if (Object.keys(unwritten).length === 0) setTimeout(report, MINUTE_MS).unref();
    unwritten[kind] = (unwritten[kind] ?? 0) + 1;
    return false;
  };
  return {
    takes: (kind, ip) => {
      const current = Math.floor(now() / MINUTE_MS);
      if (current !== minute) {
        minute = current;
        inAll = 0;
        byNetwork.clear();
      }
      if (inAll >= most.inAll) return leaveOut(kind);
      const key = `${kind} ${networkOf(ip)}`;
      const count = byNetwork.get(key) ?? 0;
      if (count >= most.perNetwork) return leaveOut(kind);
      // At most `most.inAll` networks are remembered, whatever they are called.
      byNetwork.set(key, count + 1);
      inAll += 1;
      return true;
    },
  };
}
