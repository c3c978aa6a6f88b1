// The documents of the shop: every address of the storefront answers with the same shell, written for its host.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CLASSIC_PATHS, DOCUMENT_PATHS, isDocumentPath, ONE_TIME_KEYS, type OneTimeKey } from '#contracts/documents.ts';
import { type BootData, BRAND_TEXTS_PATH, type BrandTexts } from '#contracts/boot.ts';
import { type OwnPath, toOwnPath } from '#kernel/own-path.ts';
import { redirectTo } from '#server/platform/http/redirect.ts';
import { readAddress } from './address.ts';
import type { BuiltAssets } from './assets.ts';
import { compressText } from './compress.ts';
import { pageOfAddress } from './first-picture.ts';
import { documentHeaders, makeNonce } from './headers.ts';
import { renderShell } from './render.ts';

export type ShellDeps = {
  /**
   * Returns the data that the page starts from, an address to send the visitor to, or null for a host that is no brand.
   */
  bootFor: (request: FastifyRequest) => Promise<BootData | { redirect: OwnPath } | null>;
  /** A short address of a game that this brand does not have: the page of "not found". */
  isUnknownGame?: (request: FastifyRequest) => boolean;
  /** The built storefront; asked for every page, so that a rebuilt one is picked up. */
  assets: () => Promise<BuiltAssets> | BuiltAssets;
  /**
   * Takes one-time keys out of a page address into a session, and says where to go on. Left out: they are thrown away.
   */
  takeKeys?: (request: FastifyRequest, reply: FastifyReply, keys: OneTimeKeys, cleanPath: OwnPath) => Promise<OwnPath>;
  /** Prepares the view in a frame, whose page takes the keys itself. False: this request is for no such frame. */
  openFrame?: (request: FastifyRequest, keys: OneTimeKeys | null) => boolean;
};

/** The last value of each that an address had. */
export type OneTimeKeys = Partial<Record<OneTimeKey, string>>;

/** No address of ours: what is drawn first is that of a page without goods. */
const NOT_FOUND = '/notFound';

/** A browser going somewhere, not a call or a file. */
function wantsDocument(request: FastifyRequest): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  const { pathname } = readAddress(request);
  if (/^\/(api|util|service|callback|assets|messages|brands|games|channels|pictures)\//.test(pathname)) return false;
  return (request.headers.accept ?? '').includes('text/html');
}

/**
 * Answers a request that no route took with the page of "not found"; null when it is a call or a file that is missing.
 */
export type SendMissingPage = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> | null;

/** Serves every document of the storefront. @returns what answers the addresses that are none */
export function registerShell(app: FastifyInstance, deps: ShellDeps): SendMissingPage {
  const sendDocument = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const address = readAddress(request);
    const keys = takeOut(address);
    const cleanPath = toOwnPath(address.pathname + address.search);
    const isFrame = deps.openFrame?.(request, keys) === true;
    if (keys && isLookedAhead(request)) return reply.code(503).header('Cache-Control', 'no-store').send();
    if (keys && !isFrame && request.method === 'GET')
      return answerRedirect(reply, (await deps.takeKeys?.(request, reply, keys, cleanPath)) ?? cleanPath);
    if (keys && !isFrame) return answerRedirect(reply, cleanPath);
    const boot = await deps.bootFor(request);
    if (boot === null) return reply.code(404).header('Cache-Control', 'no-store').type('text/plain').send('Not Found');
    if ('redirect' in boot) return answerRedirect(reply, boot.redirect);
    const nonce = makeNonce();
    const headers = documentHeaders({
      nonce,
      isHttps: request.protocol === 'https',
      calledOrigins: [
        ...boot.brand.backupOrigins,
        ...(boot.brand.tracking?.host ? [`https://${boot.brand.tracking.host}`] : []),
      ],
      frameParents: boot.frameParents,
    });
    const isFound = isDocumentPath(address.pathname, boot.brand) && deps.isUnknownGame?.(request) !== true;
    const shown = isFound ? pageOfAddress(address) : NOT_FOUND;
    const page = renderShell(boot, await deps.assets(), nonce, shown);
    const { body, encoding } = await compressText(page, request.headers['accept-encoding']);
    if (encoding) reply.header('Content-Encoding', encoding);
    return reply
      .header('Vary', 'Accept-Encoding')
      .code(isFound ? 200 : 404)
      .headers(headers)
      .type('text/html; charset=utf-8')
      .send(body);
  };
  app.get(BRAND_TEXTS_PATH, { schema: { hide: true } as never }, async (request, reply) => {
    const boot = await deps.bootFor(request);
    if (boot === null || 'redirect' in boot) return reply.callNotFound();
    const { title, text, chip } = boot.brand.hero;
    const texts: BrandTexts = {
      title: boot.brand.title,
      hero: { title, text, chip },
      regions: boot.regions,
      noticeItems: boot.noticeItems,
    };
    return reply.header('Cache-Control', 'no-store').send(texts);
  });
  for (const path of [...DOCUMENT_PATHS, ...CLASSIC_PATHS, '/@:code'])
    app.get(path, { schema: { hide: true } as never }, sendDocument);
  return (request, reply) => (wantsDocument(request) ? sendDocument(request, reply) : null);
}

/** Takes the one-time keys out of an address; null when there are none. */
function takeOut(address: URL): OneTimeKeys | null {
  const found: OneTimeKeys = {};
  for (const key of ONE_TIME_KEYS) {
    const value = address.searchParams.getAll(key).at(-1);
    if (value !== undefined) found[key] = value;
    address.searchParams.delete(key);
  }
  return Object.keys(found).length > 0 ? found : null;
}

/**
 * A browser that fetches what the visitor may want next: nobody has come yet, so nothing that works once is used up.
 */
function isLookedAhead(request: FastifyRequest): boolean {
  const purpose = `${String(request.headers['sec-purpose'] ?? '')} ${String(request.headers.purpose ?? '')}`;
  return /prefetch|prerender/.test(purpose);
}

function answerRedirect(reply: FastifyReply, to: OwnPath): FastifyReply {
  reply.header('Cache-Control', 'no-store').header('Referrer-Policy', 'no-referrer').header('X-Robots-Tag', 'noindex');
  return redirectTo(reply, to);
}
