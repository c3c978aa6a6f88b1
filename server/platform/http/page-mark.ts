// A page of ours that opens in a window beside a frame: the frame's session has no cookie, so the page's address
// carries a mark that holds for this one path, as long as the session lives, and opens nothing else.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { BrandKey } from '#kernel/ids.ts';
import type { Db } from '#server/platform/database/db.ts';
import { type Caller, readBearer } from './http.ts';
import { type Session, hashToken } from './session.ts';
import { findSessionToMark } from './session-find.ts';

/** Query key of the mark. */
const KEY = 'by';

const sign = (tokenHash: Buffer, path: string): Buffer => createHmac('sha256', tokenHash).update(path).digest();

/**
 * Adds the mark to the address of a page of ours, when the caller is a page in a frame; any other address stays as it
 * is.
 * @param prefix path that such pages begin with
 */
export function markAddress(request: FastifyRequest, caller: Caller, url: string, prefix: string): string {
  const bearer = readBearer(request, caller.site);
  if (!bearer || !caller.session || !url.startsWith(`${caller.origin}${prefix}`)) return url;
  const address = new URL(url);
  const mark = sign(hashToken(bearer), address.pathname).toString('base64url');
  address.searchParams.set(KEY, `${caller.session.publicId}.${mark}`);
  return address.href;
}

/** The live session that marked this request's path; null for no mark, or a wrong one. */
export async function readMark(db: Db, request: FastifyRequest, brandKey: BrandKey): Promise<Session | null> {
  const mark = (request.query as Record<string, string | undefined>)[KEY] ?? '';
  const [, publicId, given] = /^([\w-]{22})\.([\w-]{43})$/.exec(mark) ?? [];
  if (!publicId || !given) return null;
  const found = await findSessionToMark(db, publicId, brandKey);
  const path = request.url.split('?', 1)[0] ?? '';
  return found && timingSafeEqual(sign(found.tokenHash, path), Buffer.from(given, 'base64url')) ? found.session : null;
}
