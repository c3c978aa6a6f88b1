// Work that comes round again and again, so that a test with a clock of its own can say when.

/** Runs `work` every `intervalMs` milliseconds until the function that it returns is called. */
export type Repeat = (intervalMs: number, work: () => void) => () => void;

export const repeatByTimer: Repeat = (intervalMs, work) => {
  const timer = setInterval(work, intervalMs);
  return () => clearInterval(timer);
};
