// Long work beside a shop that sells: it works in short stints and rests after each, so that whoever buys finds a free
// processor most of the time. Nothing is held meanwhile that others wait for; low priority would do that (a process of
// PostgreSQL that waits for its turn with a lock of PostgreSQL's own holds up all others).
import { setTimeout as sleep } from 'node:timers/promises';

/** Our choice: longer than what a timer is late by; an order waits for several processes in turn, each time so long. */
const STINT_MS = 5;
/**
 * Our choice: an eighth of one processor. An order that meets a stint waits for it, so this is how many do: at a
 * quarter one in twenty took more than twice its time (docs/benchmarks.md).
 */
const REST = 7;

/** Called between two pieces of work: rests seven times as long as was worked, once a stint is over. */
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
