// Bounds the rows and bytes that strangers make this process store in a day. A flood from one network uses up that network's share alone.
import { DAY_MS } from '#kernel/time.ts';
import { networkOf } from './address-limits.ts';

export type Share = { readonly rows: number; readonly bytes: number };

/** Bytes of a value as JSON, near enough to those of its row. */
export const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

export type DayBudget = {
  /** Takes `wanted` from the shares of the network and of all; else says whose share is used up. */
  take(ip: string, wanted: Share): 'taken' | 'network' | 'all';
};

/** Of this process, by days of UTC. @param now epoch milliseconds */
export function createDayBudget(now: () => number, most: { perNetwork: Share; inAll: Share }): DayBudget {
  let day = 0;
  let used: Share = { rows: 0, bytes: 0 };
  const byNetwork = new Map<string, Share>();
  return {
    take: (ip, wanted) => {
      const today = Math.floor(now() / DAY_MS);
      if (today !== day) {
        day = today;
        used = { rows: 0, bytes: 0 };
        byNetwork.clear();
      }
      const inAll = add(used, wanted);
      if (exceeds(inAll, most.inAll)) return 'all';
      const network = networkOf(ip);
      const ofNetwork = add(byNetwork.get(network), wanted);
      if (exceeds(ofNetwork, most.perNetwork)) return 'network';
      used = inAll;
      // At most `most.inAll.rows` networks are remembered, for each of them used up a row.
      byNetwork.set(network, ofNetwork);
      return 'taken';
    },
  };
}

const add = (used: Share | undefined, more: Share): Share => ({
  rows: (used?.rows ?? 0) + more.rows,
  bytes: (used?.bytes ?? 0) + more.bytes,
});

const exceeds = (used: Share, most: Share): boolean => used.rows > most.rows || used.bytes > most.bytes;
