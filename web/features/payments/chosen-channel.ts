// The method that is chosen: one for the whole page, because panel, bar and popup show the same order.
import { useSyncExternalStore } from 'react';
import { track } from '#web/platform/visitor/track.ts';

let chosen = '';
const listeners = new Set<() => void>();

/** See `keyOfChoice` of methods/method-rules.ts; empty for none. */
export function useChosenChannel(): string {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => chosen,
    () => chosen,
  );
}

/** The player chooses. */
export function chooseChannel(key: string): void {
  if (key !== '' && key !== chosen) track('channel_choose', { channel: key });
  restoreChannel(key);
}

/** The page takes a way that was chosen before, or that is first: nobody has chosen now. */
export function restoreChannel(key: string): void {
  chosen = key;
  for (const listener of listeners) listener();
}
