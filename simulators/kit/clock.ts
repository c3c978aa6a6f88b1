// Time as the simulators see it. Handed in, so that a test can move through a day of re-sends in a moment.

export type Clock = {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs once after `delayMs`; the answer cancels it. */
  after(delayMs: number, run: () => void): () => void;
};

/** The machine's own time. Its timers never keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** Resolves after `delayMs` of the given clock. */
export function waitFor(clock: Clock, delayMs: number): Promise<void> {
  return new Promise((resolve) => clock.after(delayMs, resolve));
}
