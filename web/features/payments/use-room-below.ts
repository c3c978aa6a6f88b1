// The panel beside the goods ends where the window does, wherever it stands: under the art at the top of the page, or
// at its own place further down. What does not fit scrolls inside; the button that pays stays in sight.
import { useEffect } from 'react';

/** Under the panel, as much as beside it. */
const GAP_PX = 24;
/** Our choice: a method and the button; on lower windows the page scrolls. */
const LEAST_PX = 420;

/** @param selector of the panel, which is on the page as long as the component */
export function useRoomBelow(selector: string): void {
  useEffect(() => {
    const panel = document.querySelector<HTMLElement>(selector);
    if (!panel) return;
    const fit = () => {
      const room = innerHeight - panel.getBoundingClientRect().top - GAP_PX;
      panel.style.maxBlockSize = `${Math.max(LEAST_PX, Math.round(room))}px`;
    };
    fit();
    addEventListener('scroll', fit, { passive: true });
    addEventListener('resize', fit);
    return () => {
      removeEventListener('scroll', fit);
      removeEventListener('resize', fit);
      panel.style.maxBlockSize = '';
    };
  }, [selector]);
}
