// Batches calls that come while others are under way: one round trip, one commit and one flush for all of them. Alone,
// a call goes at once and by itself.
import DataLoader from 'dataloader';
import { type Repeat, repeatByTimer } from './repeat.ts';

const MAX_BATCH_SIZE = 32;
/** Our choice: a second batch beside the first, so that a slow one does not hold up all; with more, each is smaller. */
const MAX_CONCURRENT_BATCHES = 2;
/**
 * Our choice: what comes while a batch runs waits for it, until so many wait that a second one is worth its while, for
 * much of what a batch costs it costs with any size. Measured in turn: with 1, six in a hundred fewer orders at 16
 * players and three at 64 than with 4; with 4, three fewer at 16 than with 10 and as many at 64; with 32, a tenth fewer
 * at 64 (decision 15).
 */
const WORTH_A_SECOND_BATCH = 10;
/** Our choice: a batch that takes longer (a lock, a slow disk) has stalled and does not hold up the next. */
const BATCH_STALL_MS = 100;

/**
 * @param runBatch answers a batch in its order; a promise in place of an answer is for that caller alone to wait for, a
 *   rejection is thrown to all of the batch
 * @param repeat tells the time; tests hand in their own
 */
export function gather<Input, Output>(
  runBatch: (batch: readonly Input[]) => Promise<readonly (Output | Promise<Output>)[]>,
  repeat: Repeat = repeatByTimer,
): (input: Input) => Promise<Output> {
  const waiting: (() => void)[] = [];
  let running = 0;
  /** Calls that wait for a batch. */
  let gathered = 0;

  function startWaiting(): void {
    while (waiting.length > 0 && running < MAX_CONCURRENT_BATCHES) {
      if (running > 0 && gathered < WORTH_A_SECOND_BATCH) return;
      running += 1;
      // Calls of the same turn of the event loop join the batch.
      setImmediate(waiting.shift() as () => void);
    }
  }

  async function runInSlot(batch: readonly Input[]): Promise<readonly (Output | Promise<Output>)[]> {
    let hasSlot = true;
    gathered -= batch.length;
    const releaseSlot = () => {
      stopStallTimer();
      if (!hasSlot) return;
      hasSlot = false;
      running -= 1;
      startWaiting();
    };
    const stopStallTimer = repeat(BATCH_STALL_MS, releaseSlot);
    try {
      return await runBatch(batch);
    } finally {
      releaseSlot();
    }
  }

  const loader = new DataLoader<Input, Output | Promise<Output>>(runInSlot, {
    cache: false,
    maxBatchSize: MAX_BATCH_SIZE,
    batchScheduleFn: (dispatch) => {
      waiting.push(dispatch);
      startWaiting();
    },
  });
  return async (input) => {
    gathered += 1;
    const answer = loader.load(input);
    startWaiting();
    return answer;
  };
}
