// Which page an address shows: guards first, then the page's code, then the page. The whole router, because a library's
// cost a fifth of the landing page's scripts (docs/decisions/0031-a-router-of-our-own.md).
import type { ComponentType } from 'react';
import { type CarriedSearch, CARRIED_KEYS, parseQuery, readSearch, type ShopPath, writeQuery } from '#web/paths.ts';
import { type AddressBook, browserAddresses } from './history.ts';

/** A page whose code comes with its first use can be fetched ahead; that never fails (lazy-part.ts). */
export type Page = ComponentType & { preload?: () => Promise<void> };

/** The keys that travel, and those of single pages. */
export type Search = CarriedSearch & { reason?: string | undefined; tab?: string | undefined };

export type Place = { path: string; search: Search; href: string };

export type Target = {
  /** "." stays on the page. */
  to: ShopPath | '.';
  /** Keys that are left out travel along; `undefined` puts a key out. */
  search?: Search | ((before: Search) => Search);
  /** Takes the place of the present address in the history. */
  replace?: boolean;
};

export type RouterTable = {
  /** Null where no page has this path. */
  pageOf: (path: string) => Page | null;
  /** Returns the place to go instead of this one; null to stay. Asked again for what it answers. */
  leadOn: (place: Place) => Target | null;
  /** Before a page is shown. `from` is undefined on a fresh page. */
  onMove?: (from: string | undefined, to: string) => void;
};

export type Router = {
  /** The page that is shown. */
  readonly place: Place;
  pageOf: RouterTable['pageOf'];
  /** Shows the page of the present address. */
  load: () => Promise<void>;
  /** Resolves when the page is there. */
  navigate: (target: Target) => Promise<void>;
  hrefOf: (target: Target, from: Place) => string;
  /** Fetches a page's code ahead. */
  preload: (path: string) => void;
  watch: (listener: (place: Place) => void) => () => void;
};

/** Our choice: a guard that leads on more often leads in a circle. */
const MAX_LEADS = 8;

/** @param extraKeys query keys of single pages, by path: they do not travel */
export function createRouter(
  table: RouterTable,
  { addresses = browserAddresses, extraKeys = {} }: RouterOptions = {},
): Router {
  const readPlace = (path: string, fields: Record<string, unknown>): Place => {
    const search: Search = readSearch(fields);
    for (const key of extraKeys[path] ?? []) if (typeof fields[key] === 'string') search[key] = fields[key];
    return { path, search, href: path + writeQuery(search) };
  };
  const readAddress = (): Place => {
    const [path = '', query = ''] = addresses.read().split(/\?(.*)/s);
    return readPlace(cleanPath(path), parseQuery(query));
  };
  const placeOf = ({ to, search = {} }: Target, from: Place): Place => {
    const own = typeof search === 'function' ? search(from.search) : search;
    const fields: Record<string, unknown> = { ...own };
    for (const key of CARRIED_KEYS) if (!(key in own)) fields[key] = from.search[key];
    return readPlace(to === '.' ? from.path : to, fields);
  };
  const follow = (wanted: Place): Place => {
    let place = wanted;
    for (let leads = 0; leads < MAX_LEADS; leads += 1) {
      const target = table.leadOn(place);
      if (!target) return place;
      place = placeOf(target, place);
    }
    return place;
  };

  const listeners = new Set<(place: Place) => void>();
  /** Holds the present address; the page that is shown follows when its code is there. */
  let latest = readAddress();
  let shown: Place | null = null;
  let turn = 0;

  const show = async (place: Place): Promise<void> => {
    latest = place;
    turn += 1;
    const own = turn;
    table.onMove?.(shown?.path, place.path);
    await table.pageOf(place.path)?.preload?.();
    // The player went elsewhere meanwhile.
    if (own !== turn) return;
    shown = place;
    for (const listener of listeners) listener(place);
  };
  const load = () => {
    const place = follow(readAddress());
    if (place.href !== addresses.read()) addresses.replace(place.href);
    return show(place);
  };
  addresses.watch(() => {
    // A popup's guard is an entry of the same address.
    if (readAddress().href === latest.href) return;
    // Back to a page that leads on to the one before it: one step more, or the next press would seem to do nothing.
    const { href } = follow(readAddress());
    if (href !== readAddress().href && href === addresses.before()) addresses.back();
    else void load();
  });
  return {
    get place() {
      return shown ?? latest;
    },
    pageOf: table.pageOf,
    load,
    navigate: (target) => {
      const place = follow(placeOf(target, latest));
      if (place.href !== addresses.read()) addresses[target.replace ? 'replace' : 'push'](place.href);
      return show(place);
    },
    hrefOf: (target, from) => placeOf(target, from).href,
    preload: (path) => void table.pageOf(path)?.preload?.(),
    watch: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export type RouterOptions = {
  addresses?: AddressBook;
  extraKeys?: Readonly<Record<string, readonly Exclude<keyof Search, keyof CarriedSearch>[]>>;
};

/** One slash in front, or a path could name another host; none at the end. */
function cleanPath(path: string): string {
  return `/${path.replaceAll(/^\/+|\/+$/g, '')}`;
}
