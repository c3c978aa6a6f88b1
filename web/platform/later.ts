// Parts of the page whose code comes after the first picture: asked for when the browser has nothing else to do, or when somebody
// reaches for them. Unlike React.lazy a part that is there already is drawn in the same breath, which transitions need.
import { useSyncExternalStore } from 'react';

export type Later<Module> = {
  /** Fetches the code. Asking again costs nothing; after a failure it is another try. */
  warm: () => void;
  /** The code, or null before it is there. */
  useModule: () => Module | null;
};

export function createLater<Module>(load: () => Promise<Module>): Later<Module> {
  let module: Module | null = null;
  let isLoading = false;
  const listeners = new Set<() => void>();
  const warm = () => {
    if (module || isLoading) return;
    isLoading = true;
    load()
      .then((loaded) => {
        module = loaded;
        for (const listener of listeners) listener();
      })
      // Whoever reaches for the part asks again.
      .catch(() => undefined)
      .finally(() => {
        isLoading = false;
      });
  };
  const watch = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const read = () => module;
  return { warm, useModule: () => useSyncExternalStore(watch, read, read) };
}

/** Our choice: on a page that is never at rest the parts come after two seconds all the same. */
const PATIENCE_MS = 2000;

/** Runs `work` once the first picture stands and nothing is waiting. Returns the way to call it off. */
export function whenIdle(work: () => void): () => void {
  // Safari has no requestIdleCallback.
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(work, PATIENCE_MS / 2);
    return () => clearTimeout(timer);
  }
  const idle = requestIdleCallback(work, { timeout: PATIENCE_MS });
  return () => cancelIdleCallback(idle);
}
