// Hides header and navigation while a player scrolls down to read; they return on the way up.

/** Pixels from the top where the bars always show. @source specification section 9, "Scroll threshold 100" */
const THRESHOLD = 100;
/**
 * A turn that is taken back within that time is a trembling finger.
 * @source specification section 9, "debounce 300 ms"
 */
const DEBOUNCE_MS = 300;
/** @source specification section 9, "scroll indicator resets after 5000 ms" */
const RESET_MS = 5000;

export type ScrollSpot = { top: number; bottom: number };

/**
 * Returns true when the bars hide after a move. Near the top and at the bottom they always show.
 * @param from pixels scrolled before; @param spot where the page is now, and how far its end is
 */
export function shouldHide(from: number, spot: ScrollSpot, isHidden: boolean): boolean {
  if (spot.top <= THRESHOLD || spot.bottom <= 1) return false;
  if (spot.top === from) return isHidden;
  return spot.top > from;
}

/**
 * Marks the bars (`data-bar`) while they are hidden, from the first scroll on. Past React, and a moment after the
 * scroll: a press often comes right behind it, and would wait for header, hero and navigation to be drawn anew, and
 * for the header's way out. Returns the way to call it off.
 */
export function watchBars(): () => void {
  // Every page begins at its top; the scroll that brought this code is over by now.
  let from = 0;
  let wanted = false;
  let now = false;
  let turning: ReturnType<typeof setTimeout> | undefined;
  let reset: ReturnType<typeof setTimeout> | undefined;
  const turn = () => {
    now = wanted;
    // A page without navigation keeps its header: whatever is hidden comes back, whatever it is by now.
    for (const bar of document.querySelectorAll(now ? '[data-bar]' : '[data-hidden]'))
      bar.toggleAttribute('data-hidden', now);
  };
  const want = (next: boolean, delayMs: number) => {
    clearTimeout(reset);
    if (next) reset = setTimeout(want, RESET_MS, false, 0);
    if (next === wanted && delayMs > 0) return;
    wanted = next;
    clearTimeout(turning);
    if (next === now) return;
    if (delayMs > 0) turning = setTimeout(turn, delayMs);
    else turn();
  };
  const onScroll = () => {
    const spot = { top: scrollY, bottom: document.documentElement.scrollHeight - innerHeight - scrollY };
    const next = shouldHide(from, spot, wanted);
    from = spot.top;
    const isForced = spot.top <= THRESHOLD || spot.bottom <= 1;
    want(next, isForced ? 0 : DEBOUNCE_MS);
  };
  // For the keyboard's focus alone: were they back for that of a press, its button would slip away from under it.
  const onFocus = ({ target }: FocusEvent) => {
    if (now && target instanceof Element && target.matches('[data-bar] :focus-visible')) want(false, 0);
  };
  addEventListener('scroll', onScroll, { passive: true });
  addEventListener('focusin', onFocus);
  onScroll();
  return () => {
    clearTimeout(turning);
    clearTimeout(reset);
    removeEventListener('scroll', onScroll);
    removeEventListener('focusin', onFocus);
  };
}
