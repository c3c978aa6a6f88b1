// Calls that come while others are under way wait and go together: one round trip, one commit and one flush for all of them. Alone, a
// call goes at once and by itself.
import DataLoader from 'dataloader';
import { type Repeat, repeatByTimer } from './repeat.ts';

/** Our choice: two batches are worked on while the next gathers; more would be smaller. */
const FLIGHTS = 2;
const MOST = 32;
/** Our choice: a batch that takes longer (a lock, a slow disk) does not hold up the next. */
const PATIENCE_MS = 100;

/**
 * @param answer answers a batch in its order; a promise in place of an answer is for that caller alone to wait for, a rejection is thrown to all of the batch
 * @param repeat tells the time; tests hand in their own
 */
export function gather<Input, Output>(
  answer: (batch: readonly Input[]) => Promise<readonly (Output | Promise<Output>)[]>,
  repeat: Repeat = repeatByTimer,
): (input: Input) => Promise<Output> {
  const waiting: (() => void)[] = [];
  let flights = 0;

  function take(): void {
    while (flights < FLIGHTS && waiting.length > 0) {
      flights += 1;
      // What the same turn of the event loop brings comes along.
      setImmediate(waiting.shift() as () => void);
    }
  }

  async function fly(batch: readonly Input[]): Promise<readonly (Output | Promise<Output>)[]> {
    let isUnderWay = true;
    const land = () => {
      stop();
      if (!isUnderWay) return;
      isUnderWay = false;
      flights -= 1;
      take();
    };
    const stop = repeat(PATIENCE_MS, land);
    try {
      return await answer(batch);
    } finally {
      land();
    }
  }

  const loader = new DataLoader<Input, Output | Promise<Output>>(fly, {
    cache: false,
    maxBatchSize: MOST,
    batchScheduleFn: (dispatch) => {
      waiting.push(dispatch);
      take();
    },
  });
  return async (input) => loader.load(input);
}
