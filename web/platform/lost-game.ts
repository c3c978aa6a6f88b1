// Remembers that the game in use was lost: a call said that this brand does not have it. Until the player chooses, no
// other takes its place.
import { useSyncExternalStore } from 'react';

let isLost = false;
const listeners = new Set<() => void>();

/** @source specification section 8: "-3001: clears the selected game" */
export function setGameLost(next: boolean): void {
  if (isLost === next) return;
  isLost = next;
  for (const listener of listeners) listener();
}

export function useIsGameLost(): boolean {
  return useSyncExternalStore(watch, read, read);
}

const read = () => isLost;

const watch = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
