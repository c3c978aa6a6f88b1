// Ties a run to its terminal and its parent: signals, a killed parent, faults told in one sentence.
import type { Lifecycle } from './start-lifecycle.ts';

// The classes live in rooms that may not know each other; the name is what marks a sentence for a person.
const plainFaults = new Set([
  'StartFault',
  'PostgresFault',
  'MigrationFault',
  'SettingFault',
  'EnvironmentFault',
  'ShopFolderFault',
]);

/** One sentence for what a person can mend, the stack for all else. */
export function describeFault(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return plainFaults.has(error.name) ? error.message : (error.stack ?? error.message);
}

/**
 * Ctrl-C and a closed terminal end a run in order, exit code 0; so does the end of the process that started this one.
 */
export function endWithTerminal(lifecycle: Lifecycle): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void lifecycle.end(0));
  process.once('disconnect', () => void lifecycle.end(0));
  // The channel to scripts/start.mjs carries nothing; its end is the message.
  process.channel?.unref();
  // A reader that went away (`npm start | head`) is no reason to drop the shop without draining it.
  process.stdout.on('error', () => {});
  process.stderr.on('error', () => {});
}
