// Whether header and navigation are out of the way: they go when a player scrolls down to read,
// and come back on the way up.
import { useEffect } from 'react';

/** Pixels from the top where the bars always show. @source specification section 9, "Scroll threshold 100" */
const THRESHOLD = 100;
/** @source specification section 9, "debounce 300 ms": a turn within that time of the last one is a trembling finger */
const DEBOUNCE_MS = 300;
/** @source specification section 9, "scroll indicator resets after 5000 ms" */
const RESET_MS = 5000;

export type ScrollSpot = { top: number; bottom: number };

/**
 * Whether the bars hide after a move. Near the top and at the bottom they always show.
 * @param from pixels scrolled before; @param spot where the page is now, and how far its end is
 */
export function shouldHide(from: number, spot: ScrollSpot, isHidden: boolean): boolean {
  if (spot.top <= THRESHOLD || spot.bottom <= 1) return false;
  if (spot.top === from) return isHidden;
  return spot.top > from;
}

/**
 * Marks the bars (`data-bar`) while they are hidden. Past React: a player scrolls and presses, and header, hero and
 * navigation would be drawn anew between the finger and the answer.
 */
export function useHiddenBars(): void {
  useEffect(() => {
    // Not asked for before the first move: the question would make the browser lay the page out at once.
    let from: number | undefined;
    let turnedAt = 0;
    let now = false;
    let reset: ReturnType<typeof setTimeout> | undefined;
    const onScroll = () => {
      const spot = { top: scrollY, bottom: document.documentElement.scrollHeight - innerHeight - scrollY };
      const next = shouldHide(from ?? spot.top, spot, now);
      from = spot.top;
      clearTimeout(reset);
      if (next) reset = setTimeout(() => turn(false), RESET_MS);
      const isForced = spot.top <= THRESHOLD || spot.bottom <= 1;
      if (next !== now && (isForced || performance.now() - turnedAt > DEBOUNCE_MS)) turn(next);
    };
    const turn = (next: boolean) => {
      now = next;
      turnedAt = performance.now();
      // A page without navigation keeps its header: whatever is hidden comes back, whatever it is by now.
      for (const bar of document.querySelectorAll(next ? '[data-bar]' : '[data-hidden]'))
        bar.toggleAttribute('data-hidden', next);
    };
    addEventListener('scroll', onScroll, { passive: true });
    return () => {
      clearTimeout(reset);
      removeEventListener('scroll', onScroll);
    };
  }, []);
}
