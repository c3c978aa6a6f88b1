// When the result popup asks again. Time is counted in polls, so the table can be read and tested.
import { MINUTE_MS, SECOND_MS } from '#kernel/time.ts';

/** @source specification section 4: "the first poll waits 1 s" */
const FIRST_MS = SECOND_MS;
/** Our choice: every 2 s while a player looks at the page of the provider, then slower, never above 5 s. */
const STEPS = [
  { untilMs: MINUTE_MS, delayMs: 2 * SECOND_MS },
  { untilMs: 3 * MINUTE_MS, delayMs: 3 * SECOND_MS },
] as const;
const LAST_MS = 5 * SECOND_MS;

/**
 * Milliseconds to wait before the next poll.
 * @param polls how many have been made
 * @param sinceMs milliseconds since the popup opened
 */
export function pollDelayMs(polls: number, sinceMs: number): number {
  if (polls === 0) return FIRST_MS;
  return STEPS.find((step) => sinceMs < step.untilMs)?.delayMs ?? LAST_MS;
}
