// Removes everything that a bench made: processes, folders, connections; also when it fails or is interrupted.

/** Registers something to be undone; undone in the reverse order. */
export type Defer = (undo: () => Promise<unknown>) => void;

/** Runs `work` and undoes all that it deferred, whether it ends, throws, or the process is told to stop. */
export async function withCleanup<Result>(work: (defer: Defer) => Promise<Result>): Promise<Result> {
  const undos: (() => Promise<unknown>)[] = [];
  let undoing: Promise<void> | undefined;
  const undoAll = (): Promise<void> =>
    (undoing ??= (async () => {
      for (const undo of undos.toReversed()) {
        // One thing that cannot be taken away must not keep the others.
        await undo().catch((error: unknown) => console.error(`Cleaning up: ${(error as Error).message}`));
      }
    })());
  const stop = () => void undoAll().then(() => process.exit(130));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop);
  try {
    return await work((undo) => undos.push(undo));
  } finally {
    await undoAll();
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.off(signal, stop);
  }
}
