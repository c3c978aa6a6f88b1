// Work that comes round again and again, so that a test with a clock of its own can say when.

/** Runs `work` every `intervalMs` milliseconds until the function that it returns is called. */
export type Repeat = (intervalMs: number, work: () => void) => () => void;

export const repeatByTimer: Repeat = (intervalMs, work) => {
  const timer = setInterval(work, intervalMs);
  return () => clearInterval(timer);
};

/**
 * Works on all `items` at the same time, so that one that hangs holds up none of the others.
 * @throws the first failure, after all of them have ended
 */
export async function allAtOnce<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const ends = await Promise.allSettled(items.map(work));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}
