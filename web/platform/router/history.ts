// The addresses that the router walks: the browser's own, or a list in memory for tests.

export type AddressBook = {
  /** Path and query of the present address. */
  read: () => string;
  push: (href: string) => void;
  /** Leaves no state behind: a popup's guard on the entry belonged to the address before. */
  replace: (href: string) => void;
  /** Calls `listener` when the player goes back or forward. */
  watch: (listener: () => void) => void;
};

export const browserAddresses: AddressBook = {
  read: () => location.pathname + location.search,
  push: (href) => history.pushState(null, '', href),
  replace: (href) => history.replaceState(null, '', href),
  watch: (listener) => addEventListener('popstate', listener),
};

/** @param start path and query */
export function memoryAddresses(start: string): AddressBook & { back: () => void } {
  const entries = [start];
  let listeners: (() => void)[] = [];
  return {
    read: () => entries.at(-1) ?? start,
    push: (href) => void entries.push(href),
    replace: (href) => void entries.splice(-1, 1, href),
    watch: (listener) => {
      listeners = [...listeners, listener];
    },
    back: () => {
      if (entries.length > 1) entries.pop();
      for (const listener of listeners) listener();
    },
  };
}
