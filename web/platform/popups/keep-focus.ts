// Remembers, before a reload of ours, what had the focus; kept-focus.ts gives it back.

/** In the session storage of the tab. */
export const KEPT_FOCUS = 'refill.focus';

export const nameOf = (element: Element): string =>
  (element.getAttribute('aria-label') ?? element.textContent ?? '').replaceAll(/\s+/g, ' ').trim();

/** Before the reload. @param opener had the focus when the login opened; the head's own button is gone after it */
export function keepFocus(opener: HTMLElement | null): void {
  try {
    sessionStorage.setItem(KEPT_FOCUS, opener && !opener.closest('header') ? nameOf(opener) : '');
  } catch {
    // Shut storage: the page begins at its top, as after any reload.
  }
}
