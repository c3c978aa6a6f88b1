// Login, logout and who is logged in, on the wire.
import type { FastifyInstance } from 'fastify';
import { accountRoutes } from '#contracts/accounts.ts';
import { decodeCredential } from '#contracts/credentials.ts';
import { canHoldCookie, clearCookieToken, readCookieToken, writeCookieToken } from '#server/platform/cookie.ts';
import { type HttpDeps, mountRoute, refuse, succeed } from '#server/platform/http.ts';
import { absoluteLifeOf } from '#server/platform/session.ts';
import type { AccountsService } from './service.ts';

export function mountAccountRoutes(app: FastifyInstance, http: HttpDeps, accounts: AccountsService): void {
  mountRoute(app, http, accountRoutes.login, async (input, { site, ip }, { request, reply }) => {
    // Before any work: a session that can not be handed over must not be opened, nor push another one out.
    if (!canHoldCookie(request)) return refuse('forbidden');
    const username = decodeCredential(input.username)?.trim();
    // Trimmed by the specification on the page; the same here, so that both ends mean the same password.
    const password = decodeCredential(input.password)?.trim();
    if (!username || !password || !isName(username) || password.includes('\0')) return refuse('wrongCredentials');
    const gpId = accounts.gpIdOf(site.brandKey, input.client_id);
    if (!gpId) return refuse('noGame');
    const { brandKey, mode } = site;
    const replaces = readCookieToken(request);
    const outcome = await accounts.logIn({
      brandKey,
      clientId: input.client_id,
      mode,
      username,
      password,
      ip,
      replaces,
    });
    if (outcome.kind === 'wrong_credentials') return refuse('wrongCredentials');
    if (outcome.kind === 'too_many') return refuse('tooManyAttempts');
    if (outcome.kind === 'unavailable') return refuse('unavailable');
    writeCookieToken(request, reply, outcome.token, absoluteLifeOf('web'));
    return succeed({ username: outcome.username, suid: outcome.suid, oauth_token: outcome.publicId, gp_id: gpId });
  });

  mountRoute(app, http, accountRoutes.getUserInfo, async (input, { session, site }) =>
    succeed({
      username: session.username,
      suid: session.suid,
      oauth_token: session.publicId,
      gp_id: accounts.gpIdOf(site.brandKey, input.client_id ?? ''),
    }),
  );

  mountRoute(app, http, accountRoutes.loginConfig, async (_input, { site }) =>
    succeed(accounts.loginConfig(site.brandKey)),
  );

  mountRoute(app, http, accountRoutes.logout, async (_input, { session }, { request, reply }) => {
    // The caller's own session, whichever way it was named.
    if (session) await accounts.logOut(session.publicId);
    clearCookieToken(request, reply);
    reply.header('clear-site-data', '"storage"');
    return succeed({});
  });
}

/** A name that an account can have. Compatibility forms count in full: one character may stand for eighteen. */
function isName(username: string): boolean {
  return username.normalize('NFKC').length <= 100 && !username.includes('\0');
}
