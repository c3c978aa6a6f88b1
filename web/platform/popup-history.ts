// The back button closes a popup: while one is open the history holds one more entry of the same address, the guard.

type GuardState = { popupGuard?: boolean } | null;

const hasGuard = () => (history.state as GuardState)?.popupGuard === true;

let isLeavingGuard = false;
let waiting: ReturnType<typeof setTimeout> | undefined;

/** Puts the guard on top of the history, or keeps the one that is there. */
export function pushGuard(): void {
  clearTimeout(waiting);
  if (!hasGuard()) history.pushState({ ...history.state, popupGuard: true }, '');
}

/**
 * Takes the guard away. After the running code: whoever closes a popup and goes to another page in the same breath must not
 * be called back from there, and a popup that opens another one keeps it.
 */
export function popGuard(): void {
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    if (!hasGuard()) return;
    isLeavingGuard = true;
    history.back();
  }, 0);
}

/**
 * Calls `onBack` when the player goes back while the guard is there; true from it means that a popup is still open.
 * Returns the way to stop.
 */
export function watchBack(onBack: () => boolean): () => void {
  const onPop = () => {
    if (isLeavingGuard) {
      isLeavingGuard = false;
      return;
    }
    // Forward onto a guard of long ago is no way back.
    if (hasGuard()) return;
    if (onBack()) pushGuard();
  };
  addEventListener('popstate', onPop);
  return () => removeEventListener('popstate', onPop);
}
