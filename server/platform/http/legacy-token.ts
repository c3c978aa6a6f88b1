// The token that a login answers to a client of the old way, which names it as `oauth_token` in the query of its calls.
import type { FastifyRequest } from 'fastify';
import type { HttpDeps } from './http.ts';
import { openCallToken } from './session.ts';
import type { Site } from './site.ts';

/**
 * Null where the brand has no `legacyQueryToken`, and for our own page: that logs in by POST, goes by
 * its cookie, and keeps a public id where the specification keeps a token.
 * @param sessionToken of the session that the login opened
 * @source specification section 3, "User info"; section 5, "All are GET with query parameters"
 */
export async function openLegacyToken(
  { db }: HttpDeps,
  request: FastifyRequest,
  site: Site,
  sessionToken: string,
): Promise<string | null> {
  if (!site.legacyQueryToken || request.method !== 'GET') return null;
  return openCallToken(db, sessionToken, site.brandKey);
}
