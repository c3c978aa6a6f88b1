// The promo code of this visit: the one in the address until the player says otherwise. One for the whole page, because
// bar, panel and sheet show the same order.
import { useSyncExternalStore } from 'react';
import { parseQuery, readSearch } from '#web/paths.ts';

export type CodeChoice = {
  /** As it was typed or linked; empty for none. */
  code: string;
  /** It came with the address, so the player has not asked for it in the place of anything. */
  isLinked: boolean;
  /** Why an order was refused with it, in the server's words; empty while it is asked for. */
  refused: string;
  /** The coupon was taken out, because the code goes with none. */
  isCouponOut: boolean;
};

const fromAddress = (): CodeChoice => ({
  code: readSearch(parseQuery(location.search)).promo_code ?? '',
  isLinked: true,
  refused: '',
  isCouponOut: false,
});

let choice: CodeChoice | null = null;
const listeners = new Set<() => void>();

/** The same object until something changes, as useSyncExternalStore wants it. */
const current = (): CodeChoice => (choice ??= fromAddress());

function put(next: CodeChoice | null): void {
  choice = next;
  for (const listener of listeners) listener();
}

export function useCodeChoice(): CodeChoice {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    current,
    current,
  );
}

/** Takes this code, or none where it is empty. */
export function chooseCode(code: string): void {
  put({ code: code.trim(), isLinked: false, refused: '', isCouponOut: false });
}

/** Keeps the code in view with the reason why it is not used. */
export function refuseCode(words: string): void {
  put({ ...current(), refused: words });
}

export function noteCouponOut(): void {
  put({ ...current(), isCouponOut: true });
}

/** As when the page was opened: for tests. */
export function clearCode(): void {
  put(null);
}
