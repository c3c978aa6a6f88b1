// Decides who may look at a preview, and at which brand: on the bare request, before anything reads its host or
// cookies.
import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { fastifyCookie } from '@fastify/cookie';
import { readHost } from '#server/platform/http/site.ts';

export const KEY_COOKIE = 'refill_preview';
export const BRAND_COOKIE = 'refill_preview_brand';

/** A page keeps these cookies for itself in the browser; all others that one sends are none of a preview's. */
const KEPT_COOKIES = new Set(['refill_lang', 'refill_area', 'refill_country']);

export type PreviewAccess = {
  /** Keys of all brands, the one that is shown first in front. */
  readonly brands: readonly string[];
  /** Null: for this machine alone, without a key. */
  readonly key: string | null;
};

/** Null: nobody who may look. */
export type PreviewLook = { readonly brand: string } | null;

/** Host by which a brand is reached inside the preview, whatever address the browser used. */
const hostOfBrand = (brand: string): string => `${brand.toLowerCase()}.demo.localhost`;

/** Makes an ordinary request for a brand's page out of one for the preview, which is told who looks. */
export function takeRequest(request: IncomingMessage, access: PreviewAccess): PreviewLook {
  const { headers } = request;
  const cookies = new Map(Object.entries(fastifyCookie.parse(headers.cookie ?? '')));
  const host = readHost(headers.host);
  const port = /:\d+$/.exec(headers.host ?? '')?.[0] ?? '';
  const named = access.brands.find((brand) => host === hostOfBrand(brand));
  // A page of elsewhere that calls itself a name of this machine must not read what is not out yet.
  const isHere = named !== undefined || host === '127.0.0.1' || host === 'localhost';
  const mayLook = access.key === null ? isHere : isSame(cookies.get(KEY_COOKIE) ?? '', access.key);
  const chosen = cookies.get(BRAND_COOKIE) ?? '';
  const brand = named ?? (access.brands.includes(chosen) ? chosen : (access.brands[0] ?? ''));
  headers.host = `${hostOfBrand(brand)}${port}`;
  headers.cookie = [...cookies]
    .filter(([name]) => KEPT_COOKIES.has(name))
    .map((pair) => pair.join('='))
    .join('; ');
  delete headers.authorization;
  // The bar is written into pages as they go out.
  if ((headers.accept ?? '').includes('text/html')) delete headers['accept-encoding'];
  return mayLook ? { brand } : null;
}

/** In a time that does not tell how much of it was right. */
export function isSame(given: string, key: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(key)];
  return a.length === b.length && timingSafeEqual(a, b);
}
