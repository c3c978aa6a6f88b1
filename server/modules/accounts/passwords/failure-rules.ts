// When so many logins of a brand fail that somebody should look. Pure; counted by each process for itself.
import { MINUTE_MS } from '#kernel/time.ts';

/** Our choice: fewer than this in a minute is nobody's attack, however quiet the shop is. */
const LEAST = 30;
/** @source SECURITY section 7: alarm at five times the usual rate */
const TIMES = 5;
/** Our choice: what is usual is what the last hour was like. */
const WEIGHT = 1 / 60;
/** Our choice: one alarm in ten minutes wakes a person as well as six hundred. */
const QUIET_MS = 600_000;

type Seen = { minute: number; count: number; usual: number; alarmedAt: number };

/** @returns for each failure whether it is the one to raise the alarm; `nowMs` in epoch milliseconds */
export function createFailureWatch(): (brand: string, nowMs: number) => boolean {
  const brands = new Map<string, Seen>();
  return (brand, nowMs) => {
    const minute = Math.floor(nowMs / MINUTE_MS);
    const seen = brands.get(brand) ?? { minute, count: 0, usual: 0, alarmedAt: Number.NEGATIVE_INFINITY };
    brands.set(brand, seen);
    if (minute > seen.minute) {
      seen.usual += (seen.count - seen.usual) * WEIGHT;
      // Minutes in which nothing failed count as well.
      seen.usual *= (1 - WEIGHT) ** Math.min(600, minute - seen.minute - 1);
      seen.minute = minute;
      seen.count = 0;
    }
    seen.count += 1;
    if (seen.count < Math.max(LEAST, TIMES * seen.usual) || nowMs - seen.alarmedAt < QUIET_MS) return false;
    seen.alarmedAt = nowMs;
    return true;
  };
}
