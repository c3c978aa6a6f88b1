// The back button closes a popup: while one is open the history holds one more entry of the same address, the guard.

type GuardState = { popupGuard?: boolean } | null;

const hasGuard = () => (history.state as GuardState)?.popupGuard === true;

/** Our choice: a step back that has brought no event by then brings none. */
const LEAVE_MS = 500;

let isLeaving = false;
let waiting: ReturnType<typeof setTimeout> | undefined;

/** Puts the guard on top of the history, or keeps the one that is there. */
export function pushGuard(): void {
  clearTimeout(waiting);
  if (!hasGuard()) history.pushState({ ...history.state, popupGuard: true }, '');
}

/**
 * Takes the guard away. After the running code: whoever closes a popup and goes to another
 * page in the same breath must not be called back from there, and a popup that opens another one keeps it.
 */
export function popGuard(): void {
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    if (!hasGuard()) return;
    isLeaving = true;
    setTimeout(() => (isLeaving = false), LEAVE_MS);
    history.back();
  }, 0);
}

export type BackListener = {
  /** Closes the popup in sight, if it may be closed. */
  closeTop: () => void;
  hasOpen: () => boolean;
};

/** Calls `closeTop` when the player goes back while the guard is there. Returns the way to stop. */
export function watchBack({ closeTop, hasOpen }: BackListener): () => void {
  const onPop = () => {
    // Our own step back closes nothing. Forward onto a guard of long ago is no way back.
    if (!isLeaving && !hasGuard()) closeTop();
    isLeaving = false;
    if (hasOpen()) pushGuard();
  };
  addEventListener('popstate', onPop);
  return () => removeEventListener('popstate', onPop);
}
