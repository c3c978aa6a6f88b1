// Paths of our own: the only thing the server ever redirects to. A text becomes one here and nowhere else.

declare const isOwn: unique symbol;

/**
 * A path of this very host, with its query: ASCII, normalised, and never two slashes at its beginning,
 * which would name another host.
 */
export type OwnPath = string & { readonly [isOwn]: true };

/** The same as the check of the database on what it keeps. */
const OWN_PATH = /^\/(?:[!-.0-[\]-~][!-[\]-~]*)?$/;

/**
 * The path that a browser would go to for `text`, on this host whatever it says; `/` for a text that
 * is no path. Dots, backslashes and control characters are resolved as browsers do, before anything is compared.
 */
export function toOwnPath(text: string): OwnPath {
  // Behind a host of ours, two slashes at the beginning are a part of the path and no host.
  const address = text.startsWith('/') ? URL.parse(`http://own.invalid${text}`) : null;
  if (!address) return '/' as OwnPath;
  const path = `/${address.pathname.replace(/^[/\\]+/, '')}${address.search.replaceAll('\\', '%5C')}`;
  return (OWN_PATH.test(path) ? path : '/') as OwnPath;
}
