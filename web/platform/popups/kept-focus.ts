// Keeps the focus over a reload of ours, for players by keyboard or reader: the element that opened the login has it
// again, or, where that is gone, the menu of the player. Loaded by the page after such a reload.

import { KEPT_FOCUS, nameOf } from './keep-focus.ts';

/** Our choice: a page on a weak line has drawn its buttons by then. */
const TIMEOUT_MS = 5000;

/** After it: as soon as the element is drawn, unless the player has begun something else. */
export function giveFocusBack(): void {
  const name = sessionStorage.getItem(KEPT_FOCUS) ?? '';
  sessionStorage.removeItem(KEPT_FOCUS);
  const over = new AbortController();
  const find = (isLate: boolean): HTMLElement | null =>
    (name === ''
      ? null
      : [...document.querySelectorAll<HTMLElement>('button, a[href], summary')].find((one) => nameOf(one) === name)) ??
    (name === '' || isLate ? document.querySelector<HTMLElement>('header summary') : null);
  const look = (isLate = false) => {
    if (document.activeElement === document.body) find(isLate)?.focus({ preventScroll: true });
  };
  const watch = new MutationObserver(() => look());
  const timer = setTimeout(() => {
    look(true);
    over.abort();
  }, TIMEOUT_MS);
  over.signal.addEventListener('abort', () => {
    watch.disconnect();
    clearTimeout(timer);
  });
  for (const act of ['keydown', 'pointerdown']) addEventListener(act, () => over.abort(), { signal: over.signal });
  watch.observe(document.body, { childList: true, subtree: true });
  look();
}
