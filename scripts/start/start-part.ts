// A child that can be started again: what `npm run dev` does on every change, and what a normal start does once.
import { type Child, type ChildOptions, startChild } from './start-child.ts';

export type Part<Ready> = {
  restart: () => Promise<Ready>;
  stop: () => Promise<void>;
};

/**
 * @param describe is asked before every start, because the environment may have changed
 * @param onStart is told of every child that came up
 * @param onLost is told how a child ended that neither `stop` nor `restart` had asked to
 */
export function createPart<Ready>(
  describe: () => ChildOptions,
  onStart: (child: Child<Ready>) => Promise<void>,
  onLost: (how: string) => void,
): Part<Ready> {
  let child: Child<Ready> | undefined;
  const stopping = new AbortController();
  // One after the other: two quick changes must not make two servers fight over one port.
  let queue: Promise<unknown> = Promise.resolve();

  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const turn = queue.then(work, work);
    queue = turn.catch(() => undefined);
    return turn;
  };
  const stopChild = async (): Promise<void> => {
    const running = child;
    child = undefined;
    await running?.stop();
  };
  return {
    restart: () =>
      inTurn(async () => {
        await stopChild();
        stopping.signal.throwIfAborted();
        const started = await startChild<Ready>({ ...describe(), signal: stopping.signal });
        child = started;
        void started.exited.then((how) => {
          if (child === started) onLost(how);
        });
        await onStart(started);
        return started.ready;
      }),
    stop: () => {
      stopping.abort();
      return inTurn(stopChild);
    },
  };
}
