// Long work beside a shop that sells: it works in short stints and rests after each, so that whoever buys finds a free
// processor most of the time. Nothing is held meanwhile that others wait for; low priority would do that (a process of
// PostgreSQL that waits for its turn with a lock of PostgreSQL's own holds up all others).
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Our choice: below the 4 ms after which Linux looks again whose turn it is (250 times a second on Debian's kernels).
 * Whoever is woken on a processor that is taken waits so long for a stint that does not end by itself before.
 */
const STINT_MS = 1;
/**
 * Our choice: an eighth of one processor. An order that meets a stint waits for it, so this is how many do: at a
 * quarter one in twenty took more than twice its time (docs/benchmarks.md).
 */
const REST = 7;

/** Called between two pieces of work, which are best shorter than a stint: rests seven times as long as was worked, once a stint is over. */
export type Pace = () => Promise<void>;

/** @param clock for tests; both in milliseconds */
export function createPace(
  clock: { now: () => number; rest: (ms: number) => Promise<unknown> } = { now: () => performance.now(), rest: sleep },
): Pace {
  let since = clock.now();
  return async () => {
    const worked = clock.now() - since;
    if (worked < STINT_MS) return;
    await clock.rest(REST * worked);
    since = clock.now();
  };
}

/** For work that somebody waits for, or that disturbs nobody. */
export const unpaced: Pace = () => Promise.resolve();
