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

/**
 * Rounds of work, none beside another of its kind. Loops are made of these, so that `stop` keeps its promise.
 * @returns every: begins a round now and each `intervalMs`; `onFault` hears of one that failed, and the next still comes
 */
export function createRounds(repeat: Repeat = repeatByTimer) {
  const stops: (() => void)[] = [];
  const running = new Set<Promise<void>>();

  function every(intervalMs: number, work: () => Promise<unknown>, onFault: (error: unknown) => void): void {
    let isRunning = false;
    const run = async () => {
      isRunning = true;
      try {
        await work();
      } catch (error) {
        onFault(error);
      } finally {
        isRunning = false;
      }
    };
    const begin = () => {
      if (isRunning) return;
      const round = run().finally(() => running.delete(round));
      running.add(round);
    };
    stops.push(repeat(intervalMs, begin));
    begin();
  }

  return {
    every,
    /** Begins no more rounds, and waits for those that are under way. */
    stop: async (): Promise<void> => {
      for (const stop of stops.splice(0)) stop();
      await Promise.all(running);
    },
  };
}
