// The window of the provider's page. Opened on the press itself, because browsers block windows opened after an answer came.

export type PayWindow = {
  /** Sends the window to an address that has passed isPayLink. False when the browser blocked it or the player closed it. */
  go: (url: string) => boolean;
  /** Closes it again when there is nothing to show. */
  drop: () => void;
};

/**
 * Opens an empty window and cuts its way back to us before any foreign page is in it, as `noopener` would
 * (with `noopener` itself no handle comes back, and the address is not known yet).
 */
export function openPayWindow(page: Pick<Window, 'open'> = window): PayWindow {
  const opened = page.open('about:blank', '_blank');
  if (opened) opened.opener = null;
  return {
    go(url) {
      if (!opened || opened.closed) return false;
      opened.location.replace(url);
      return true;
    },
    drop() {
      if (opened && !opened.closed) opened.close();
    },
  };
}

/** Opens a known payment address in a new window of its own, on a press of "Go to payment". */
export function openPayLink(url: string, page: Pick<Window, 'open'> = window): void {
  page.open(url, '_blank', 'noopener,noreferrer');
}
