// Login, logout and who is logged in, on the wire.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type UserInfo, accountRoutes } from '#contracts/accounts.ts';
import { decodeCredential } from '#contracts/credentials.ts';
import { ingameLoginRoutes } from '#contracts/logins.ts';
import type { BrandKey } from '#kernel/ids.ts';
import {
  canHoldCookie,
  clearCookieToken,
  readCookieToken,
  readSecretCookie,
  writeCookieToken,
  writeSecretCookie,
} from '#server/platform/http/cookie.ts';
import { type Caller, type HttpDeps, mountRoute } from '#server/platform/http/http.ts';
import { type Answer, refuse, refuseFor, succeed } from '#server/platform/http/answer.ts';
import { openLegacyToken } from '#server/platform/http/legacy-token.ts';
import { DEVICE_SECONDS, absoluteLifeOf } from '#server/platform/http/session.ts';
import type { AccountsService } from './service.ts';

export function mountAccountRoutes(
  app: FastifyInstance,
  http: HttpDeps,
  accounts: AccountsService,
  clientOfGame: (brandKey: BrandKey, gameId: string) => string | null,
): void {
  const logIn = async (
    { site, ip, userAgent }: Caller,
    { request, reply }: { request: FastifyRequest; reply: FastifyReply },
    input: { username: string; password: string },
    clientId: string | null,
    kind: 'web' | 'replenish',
  ): Promise<Answer<UserInfo>> => {
    // Before any work: a session that cannot be handed over must not be opened, nor push another one out.
    if (!canHoldCookie(request)) return refuse('forbidden');
    const username = decodeCredential(input.username)?.trim();
    const password = readPassword(input.password);
    if (!username || !password || !isName(username) || password.includes('\0')) return refuse('wrongCredentials');
    const { brandKey, betaId } = site;
    const gpId = clientId && accounts.gpIdOf(brandKey, clientId);
    if (!clientId || !gpId) return refuse('noGame');
    const outcome = await accounts.logIn({
      brandKey,
      betaId,
      clientId,
      username,
      password,
      ip,
      kind,
      userAgent,
      replaces: readCookieToken(request),
      device: readSecretCookie(request, 'device'),
    });
    if (outcome.kind === 'wrong_credentials') return refuse('wrongCredentials');
    if (outcome.kind === 'too_many') return refuseFor(outcome.waitSeconds);
    if (outcome.kind === 'unavailable') return refuse('unavailable');
    writeCookieToken(request, reply, outcome.token, absoluteLifeOf(kind));
    if (outcome.device) writeSecretCookie(request, reply, 'device', outcome.device, DEVICE_SECONDS);
    const oauthToken = (await openLegacyToken(http, request, site, outcome.token)) ?? outcome.publicId;
    return succeed({ username: outcome.username, suid: outcome.suid, oauth_token: oauthToken, gp_id: gpId });
  };
  mountRoute(app, http, accountRoutes.login, (input, caller, exchange) =>
    logIn(caller, exchange, input, input.client_id, 'web'),
  );
  mountRoute(app, http, ingameLoginRoutes.password, (input, caller, exchange) =>
    logIn(caller, exchange, input, clientOfGame(caller.site.brandKey, input.game_id), 'replenish'),
  );

  mountRoute(app, http, accountRoutes.getUserInfo, async (input, { session, site }) =>
    succeed({
      username: session.username,
      suid: session.suid,
      oauth_token: session.publicId,
      gp_id: accounts.gpIdOf(site.brandKey, input.client_id ?? ''),
    }),
  );

  mountRoute(app, http, accountRoutes.changePassword, async (input, { session, site, ip }, { request }) => {
    const [from, to] = [readPassword(input.old_password), readPassword(input.new_password)];
    if (!from || !to) return refuse('wrongCredentials');
    const device = readSecretCookie(request, 'device');
    const outcome = await accounts.changePassword({ session, from, to, ip, device, names: [site.brandKey] });
    if (typeof outcome === 'object') return refuseFor(outcome.waitSeconds);
    return outcome === 'done' ? succeed({}) : refuse(outcome);
  });

  mountRoute(app, http, accountRoutes.logout, async (_input, { session }, { request, reply }) => {
    // The caller's own session, whichever way it was named.
    if (session) await accounts.logOut(session);
    // The page forgets by itself who was logged in; language, area and draft stay. @source specification
    // section 4: "clears user info"
    clearCookieToken(request, reply);
    // Pages that the browser kept for its back button show whose account it was. @source OWASP ASVS 5.0, 14.3.1
    reply.header('Clear-Site-Data', '"cache"');
    return succeed({});
  });
}

/**
 * @source specification section 5: both fields are trimmed on the page; here again, so that
 * both ends mean the same password
 */
const readPassword = (encoded: string): string | undefined => decodeCredential(encoded)?.trim();

/** A name that an account can have. Compatibility forms count in full: one character may stand for eighteen. */
function isName(username: string): boolean {
  return username.normalize('NFKC').length <= 100 && !username.includes('\0');
}
