// Half of the time for the archive, half for the shop that sells meanwhile.
import { setTimeout as sleep } from 'node:timers/promises';

/** Our choice: longer than what a timer is late by; an order waits for several processes in turn, each time so long. */
const STINT_MS = 5;

/** Called between two pieces of work: rests as long as was worked, once a stint is over. */
export type Pace = () => Promise<void>;

/** @param clock for tests; both in milliseconds */
export function createPace(
  clock: { now: () => number; rest: (ms: number) => Promise<unknown> } = { now: () => performance.now(), rest: sleep },
): Pace {
  let since = clock.now();
  return async () => {
    const worked = clock.now() - since;
    if (worked < STINT_MS) return;
    await clock.rest(worked);
    since = clock.now();
  };
}
