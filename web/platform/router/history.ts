// The addresses that the router walks: the browser's own, or a list in memory for tests.

export type AddressBook = {
  /** Path and query of the present address. */
  read: () => string;
  push: (href: string) => void;
  /** Leaves no state behind: a popup's guard on the entry belonged to the address before. */
  replace: (href: string) => void;
  /** That of the entry before; undefined where there is none, or the browser does not tell. */
  before: () => string | undefined;
  back: () => void;
  /** Calls `listener` when the player goes back or forward. */
  watch: (listener: () => void) => void;
};

/** The router reads these of the browser's own list. @source https://developer.mozilla.org/docs/Web/API/Navigation */
type Entries = { currentEntry: { index: number } | null; entries: () => readonly { url: string | null }[] };

function readBefore(): string | undefined {
  const { navigation } = globalThis as unknown as { navigation?: Entries };
  const url = navigation?.entries()[(navigation.currentEntry?.index ?? 0) - 1]?.url;
  return url?.slice(location.origin.length);
}

export const browserAddresses: AddressBook = {
  read: () => location.pathname + location.search,
  push: (href) => history.pushState(null, '', href),
  replace: (href) => history.replaceState(null, '', href),
  before: readBefore,
  back: () => history.back(),
  watch: (listener) => addEventListener('popstate', listener),
};

/** @param start path and query */
export function memoryAddresses(start: string): AddressBook {
  const entries = [start];
  let listeners: (() => void)[] = [];
  return {
    read: () => entries.at(-1) ?? start,
    push: (href) => void entries.push(href),
    replace: (href) => void entries.splice(-1, 1, href),
    before: () => entries.at(-2),
    watch: (listener) => {
      listeners = [...listeners, listener];
    },
    back: () => {
      if (entries.length > 1) entries.pop();
      for (const listener of listeners) listener();
    },
  };
}
