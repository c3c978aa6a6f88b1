// Keeps the player's choice of offers: one for the whole page, because bar, panel and sheet show the same order.
import { useSyncExternalStore } from 'react';

/** `left`: put aside by the player. `over`: the server did not take it any more. */
type Said = { readonly code: string; readonly why: 'left' | 'over' } | null;

let said: Said = null;
const listeners = new Set<() => void>();

function put(next: Said): void {
  said = next;
  for (const listener of listeners) listener();
}

const watch = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
const current = () => said;

/** Why this offer is not used; null: it is. */
export function useOfferChoice(code: string): 'left' | 'over' | null {
  const now = useSyncExternalStore(watch, current, current);
  return now?.code === code ? now.why : null;
}

export const leaveOffer = (code: string, why: 'left' | 'over'): void => put({ code, why });
export const takeOfferAgain = (): void => put(null);
