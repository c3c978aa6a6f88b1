// Follows the applied revision in a running process: a notification at once, a poll where notifications do not pass.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '#server/platform/database/db.ts';
import { listenForRevisions, readRevision } from './store.ts';

export type ConfigurationWatch = { readonly stop: () => Promise<void> };

/** Our choice: a change of prices is everywhere within two seconds even behind a pooler that swallows notifications. */
const POLL_MS = 2000;

/**
 * Calls `onChange` with every revision other than the last one seen, one call at a time. A call that
 * fails is told to `onError` and made again at the next look, so that no replica stays on old prices.
 * @param options.revision what the caller runs on now; default: whatever is applied at the first look
 */
export function watchConfiguration(
  db: Db,
  onChange: (revision: number) => Promise<void> | void,
  options: { revision?: number; pollMs?: number; onError?: (error: unknown) => void } = {},
): ConfigurationWatch {
  const { pollMs = POLL_MS, onError = () => undefined } = options;
  const ending = new AbortController();
  let seen = options.revision;
  let wake = new AbortController();
  let release: (() => void) | null = null;

  const look = async (): Promise<void> => {
    release ??= await listenForRevisions(db, { onRevision: () => wake.abort(), onLost: () => (release = null) });
    const revision = await readRevision(db);
    if (seen !== undefined && revision !== seen) await onChange(revision);
    seen = revision;
  };

  const run = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      wake = new AbortController();
      await look().catch(onError);
      const signal = AbortSignal.any([ending.signal, wake.signal]);
      await sleep(pollMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  };
  const running = run();
  return {
    stop: async () => {
      ending.abort();
      await running;
      release?.();
    },
  };
}
