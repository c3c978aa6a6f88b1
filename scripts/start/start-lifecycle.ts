// Knows what runs and ends it in the reverse order of its start: server, simulators, database.
// Once only, whoever asks first.
import type { Progress } from './start-progress.ts';

export type Lifecycle = {
  /** Registers a part that must be stopped; without a label it is done in silence. */
  add: (label: string | undefined, stop: () => Promise<void>) => void;
  /** Ends everything because a part ended although nobody asked it to. @param how "exit code 1" */
  lose: (label: string, how: string, logFile: string) => void;
  isStopping: () => boolean;
  /** Stops all parts and exits with `code`; later calls wait for the first. */
  end: (code: number, reason?: string) => Promise<never>;
};

/** @param exit ends the process; handed in for tests */
export function createLifecycle(progress: Progress, exit: (code: number) => never): Lifecycle {
  const parts: { label: string | undefined; stop: () => Promise<void> }[] = [];
  let ending: Promise<never> | undefined;

  const stopAll = async (code: number, reason: string | undefined): Promise<never> => {
    let exitCode = code;
    if (reason !== undefined) progress.say(`\n${reason}`);
    for (const part of parts.toReversed()) {
      try {
        await (part.label === undefined ? part.stop() : progress.step(`Stopping ${part.label}`, part.stop));
      } catch (error) {
        // The parts after this one still have to be stopped.
        progress.say(error instanceof Error ? error.message : String(error));
        exitCode = 1;
      }
    }
    return exit(exitCode);
  };
  const end = (code: number, reason?: string): Promise<never> => (ending ??= stopAll(code, reason));

  return {
    add: (label, stop) => parts.push({ label, stop }),
    lose: (label, how, logFile) => {
      void end(1, `Refill ends because ${label} ended unexpectedly (${how}): see ${logFile}`);
    },
    isStopping: () => ending !== undefined,
    end,
  };
}
