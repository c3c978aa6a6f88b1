// Opens an empty window for somebody else's page: on the press, because browsers block one that opens after an answer.
import { readBoot } from './boot.ts';

/**
 * Returns null where no window opens, or where it would be this page: the page itself goes then. Views in apps have
 * one window only: there `open` answers the page itself, after it has led the page to the new address.
 */
export function openEmptyWindow(page: Pick<Window, 'open'> = window, features?: string): Window | null {
  if (readBoot().isInApp) return null;
  // Without an address: a view that is not known as one leaves the page as it is.
  const opened = page.open('', '_blank', features);
  return opened === window ? null : opened;
}
