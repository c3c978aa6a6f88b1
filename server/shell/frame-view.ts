// The view that a game's page shows in a frame: who may frame it, and how its document differs.
import type { FastifyRequest } from 'fastify';
import { readHttpsOrigin } from '#kernel/origins.ts';
import type { Configuration } from '#server/modules/configuration/service.ts';
import { BETA_HEADER, forbidCookies } from '#server/platform/http/cookie.ts';
import { type HttpDeps, siteOfRequest } from '#server/platform/http/http.ts';
import { isLoopbackHost } from '#kernel/pay-link.ts';
import { readAddress } from './address.ts';

type FrameDeps = HttpDeps & { readonly configuration: () => Configuration };

/**
 * Exact origins that may frame this request's page: of the embedded view the brand's own, of everything else none.
 * @source specification section 2, "visit=sdk gives the embedded view"
 */
export function listFrameParents(deps: FrameDeps, request: FastifyRequest): string[] {
  const address = readAddress(request);
  const isView = address.pathname === '/userCenter' && address.searchParams.getAll('visit').at(-1) === 'sdk';
  const site = siteOfRequest(deps, request);
  const brand = isView && site ? deps.configuration().brands.get(site.brandKey) : undefined;
  if (!brand) return [];
  const isDemo = deps.config.environment === 'demo';
  const more = isDemo ? deps.config.demoEmbedParents : [];
  return [...brand.file.embedParents, ...more].flatMap((parent) => readFrameParent(parent, isDemo) ?? []);
}

/** The parsed form alone goes into a policy. A demo on this machine may be framed by a page on it. */
function readFrameParent(text: string, isDemo: boolean): string | null {
  const exact = readHttpsOrigin(text);
  if (exact !== null || !isDemo || !URL.canParse(text)) return exact;
  const { origin, protocol, hostname } = new URL(text);
  return protocol === 'http:' && text === origin && isLoopbackHost(hostname) ? origin : null;
}

/**
 * In a frame of such a parent nothing of this browser counts: no cookie says who asks, and the page itself exchanges
 * the keys of its address (a redirect would spend a ticket on a cookie that the browser may keep away).
 * @returns false: no such frame, or a browser that does not say
 * @see docs/decisions/0035-the-frame-holds-its-own-session.md
 */
export function openFrame(deps: FrameDeps, request: FastifyRequest, keys: { beta_key?: string } | null): boolean {
  const isFrame = ['iframe', 'frame'].includes(String(request.headers['sec-fetch-dest']));
  if (!isFrame || listFrameParents(deps, request).length === 0) return false;
  forbidCookies(request);
  if (keys?.beta_key !== undefined) request.headers[BETA_HEADER] = keys.beta_key;
  return true;
}
