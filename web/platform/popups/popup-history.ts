// The back button closes a popup: while one is open the history holds one more entry of the same address, the guard.

type GuardState = { popupGuard?: boolean } | null;

const hasGuard = () => (history.state as GuardState)?.popupGuard === true;

/**
 * Our choice: a step back that has brought no event by then brings none. A busy phone may take seconds for one, and
 * whoever pressed Pay meanwhile must keep the sheet that came.
 */
const LEAVE_MS = 10_000;

let isLeaving = false;
let waiting: ReturnType<typeof setTimeout> | undefined;
let leaving: ReturnType<typeof setTimeout> | undefined;

function setLeaving(next: boolean): void {
  isLeaving = next;
  clearTimeout(leaving);
  if (next) leaving = setTimeout(() => (isLeaving = false), LEAVE_MS);
}

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
    // A second step beside one that is still under way would leave the page.
    if (!hasGuard() || isLeaving) return;
    setLeaving(true);
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
    setLeaving(false);
    if (hasOpen()) pushGuard();
  };
  addEventListener('popstate', onPop);
  return () => removeEventListener('popstate', onPop);
}
