// Detects a dead line, as far as the browser knows. Only for a notice: calls are made all the same.
import { useSyncExternalStore } from 'react';

function watchLine(listener: () => void): () => void {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}

export function useIsOffline(): boolean {
  return useSyncExternalStore(
    watchLine,
    () => !navigator.onLine,
    () => false,
  );
}
