// May a cookie-bearing POST change something? Our header, JSON, and the browser's own word that the page is ours.
// @source OWASP Cross-Site Request Forgery Prevention: Fetch Metadata with Origin as fallback; ASVS 3.5.1, 3.5.2

import type { FastifyRequest } from 'fastify';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** @param origin scheme, host and port of the brand's own page as the browser sees it */
export function isAllowedToChange(headers: Headers, origin: string): boolean {
  if (headers['x-refill'] !== '1') return false;
  if (!/^application\/json\b/.test(String(headers['content-type'] ?? ''))) return false;
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  return headers.origin === origin;
}

/**
 * Returns true when a browser came here from a page of another site, as far as it says so: by Fetch Metadata, else by
 * Origin or Referer. The old GET calls are refused then. Silence is no proof of anything.
 */
export function hasLeftAnotherSite(headers: Headers, origin: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'cross-site' || site === 'same-site';
  const from = headers.origin ?? headers.referer;
  return from !== undefined && (URL.parse(String(from))?.origin ?? null) !== origin;
}

/** Returns true when a page of ours sent a plain form: a form cannot carry our header. */
export function isOwnForm(headers: Headers, origin: string): boolean {
  const site = headers['sec-fetch-site'];
  return site === undefined ? headers.origin === origin : site === 'same-origin';
}

/** The page that a browser shows, in the browser's own words: held against its Origin, and told to nobody. */
export function pageOriginOf(request: FastifyRequest): string {
  return `${request.protocol}://${request.headers.host ?? ''}`;
}
