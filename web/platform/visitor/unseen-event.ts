// The running event that this player has not looked at yet: a dot on "Event", which lies over nothing.
import { useSyncExternalStore } from 'react';

let eventId = '';
const listeners = new Set<() => void>();

/** Its id; empty for none. */
export const unseenEvent = (): string => eventId;

export function setUnseenEvent(next: string): void {
  eventId = next;
  for (const listener of listeners) listener();
}

export function useUnseenEvent(): boolean {
  return useSyncExternalStore(watch, unseenEvent, unseenEvent) !== '';
}

function watch(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
