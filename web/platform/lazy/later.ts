// Parts of the page whose code comes after the first picture: asked for when the browser has nothing
// else to do, or when somebody reaches for them. Unlike React.lazy a part that is there already is drawn in the same
// breath, which transitions need.
import { useSyncExternalStore } from 'react';
import { fetchWhole } from './lazy-part.ts';

export type Later<Module> = {
  /** Fetches the code. Asking again costs nothing; after a failure it is another try. */
  warm: () => void;
  /** The code, or null before it is there. */
  useModule: () => Module | null;
  /** Tries that failed one after another; by itself it is tried again. 0: it is there, or was never asked for. */
  useLosses: () => number;
};

/** Our choice: a line that has just gone is asked soon, one that stays away twice a minute. */
const FIRST_PAUSE_MS = 2000;
const LONGEST_PAUSE_MS = 30_000;

export function createLater<Module>(load: () => Promise<Module>): Later<Module> {
  let module: Module | null = null;
  let isLoading = false;
  let losses = 0;
  let pauseMs = FIRST_PAUSE_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const listeners = new Set<() => void>();
  const end = (found: Module | null) => {
    module = found;
    isLoading = false;
    losses = found === null ? losses + 1 : 0;
    for (const listener of listeners) listener();
  };
  const warm = () => {
    if (module || isLoading) return;
    isLoading = true;
    clearTimeout(timer);
    fetchWhole(load).then(end, () => {
      end(null);
      timer = setTimeout(warm, pauseMs);
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
      addEventListener('online', warm, { once: true });
    });
  };
  const watch = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const read = () => module;
  const readLosses = () => losses;
  return {
    warm,
    useModule: () => useSyncExternalStore(watch, read, read),
    useLosses: () => useSyncExternalStore(watch, readLosses, readLosses),
  };
}

/** Our choice: on a page that is never at rest the parts come after two seconds all the same. */
const TIMEOUT_MS = 2000;

/** Runs `work` once the first picture stands and nothing is waiting. Returns the way to call it off. */
export function whenIdle(work: () => void): () => void {
  // Safari has no requestIdleCallback.
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(work, TIMEOUT_MS / 2);
    return () => clearTimeout(timer);
  }
  const idle = requestIdleCallback(work, { timeout: TIMEOUT_MS });
  return () => cancelIdleCallback(idle);
}

/**
 * Runs `work` after the next picture: a press is answered before what it sets going is drawn. One frame more, so that
 * the picture does not share the processor with that work while it is put together.
 */
export function afterPaint(work: () => void): void {
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(work)));
}
