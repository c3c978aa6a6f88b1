// The window of the provider's page.
import { openEmptyWindow } from '#web/platform/empty-window.ts';
import { leaveTo } from '#web/platform/frame.ts';

export type PayWindow = {
  /**
   * True where no window opens: blocked, or a browser inside an app. The page of the shop may go
   * to the provider itself then.
   */
  isRefused: boolean;
  /** Sends the window to an address that has passed isPayLink. False when there is none, or the player closed it. */
  go: (url: string) => boolean;
  /** Closes it again when there is nothing to show. */
  drop: () => void;
};

/** The one that stands empty: a second press meanwhile gets it too, so no spare one is left over. */
let waiting: { opened: Window; payWindow: PayWindow } | null = null;

/**
 * Opens an empty window and cuts its way back to us before any foreign page is in it, as `noopener` would
 * (with `noopener` itself no handle comes back, and the address is not known yet).
 */
export function openPayWindow(page: Pick<Window, 'open'> = window): PayWindow {
  if (waiting && !waiting.opened.closed) return waiting.payWindow;
  const opened = openEmptyWindow(page);
  if (!opened) return { isRefused: true, go: () => false, drop: () => undefined };
  opened.opener = null;
  let isSent = false;
  const payWindow: PayWindow = {
    isRefused: false,
    go(url) {
      if (opened.closed) return false;
      if (!isSent) opened.location.replace(url);
      isSent = true;
      waiting = null;
      return true;
    },
    drop() {
      if (isSent) return;
      if (!opened.closed) opened.close();
      waiting = null;
    },
  };
  waiting = { opened, payWindow };
  return payWindow;
}

/** These of a press on a link decide. */
type LinkPress = Pick<MouseEvent, 'button' | 'metaKey' | 'ctrlKey' | 'shiftKey' | 'altKey' | 'preventDefault'>;

/**
 * A press on a link to a provider's page: a window of its own, this page where none opens;
 * the return address leads back.
 */
export function followPayLink(
  press: LinkPress,
  url: string,
  page: Pick<Window, 'open'> = window,
  leave: (url: string) => void = leaveTo,
): void {
  // A press with a key held is a wish of the player's own.
  if (press.button !== 0 || press.metaKey || press.ctrlKey || press.shiftKey || press.altKey) return;
  press.preventDefault();
  if (!openPayWindow(page).go(url)) leave(url);
}
