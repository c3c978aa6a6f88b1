// Login, logout and who is logged in, on the wire.
import type { FastifyInstance } from 'fastify';
import { accountRoutes } from '#contracts/accounts.ts';
import { decodeCredential } from '#contracts/credentials.ts';
import type { BrandKey } from '#kernel/ids.ts';
import type { Configuration } from '#server/modules/configuration/service.ts';
import { clearCookieToken, readCookieToken, writeCookieToken } from '#server/platform/cookie.ts';
import type { Db } from '#server/platform/db.ts';
import { type HttpDeps, mountRoute, refuse, succeed } from '#server/platform/http.ts';
import { absoluteLifeOf, revokeSession } from '#server/platform/session.ts';
import type { AccountsService } from './service.ts';

/** The game product id that a client belongs to; empty when this brand does not sell it. @source specification section 3, "User info" */
function gpIdOf(configuration: Configuration, brandKey: BrandKey, clientId: string): string {
  const found = configuration.gameOfClient(clientId);
  if (!found || !configuration.brands.get(brandKey)?.file.games.includes(found.game.id)) return '';
  return found.subGame?.gpId ?? found.game.file.gpId;
}

export function mountAccountRoutes(
  app: FastifyInstance,
  http: HttpDeps,
  deps: { accounts: AccountsService; configuration: () => Configuration; db: Db },
): void {
  mountRoute(app, http, accountRoutes.login, async (input, { site, ip }, { request, reply }) => {
    const brand = deps.configuration().brands.get(site.brandKey);
    const username = decodeCredential(input.username)?.trim();
    // Trimmed by the specification on the page; the same here, so that both ends mean the same password.
    const password = decodeCredential(input.password)?.trim();
    if (!brand || !username || !password || username.length > 100) return refuse('wrongCredentials');
    const gpId = gpIdOf(deps.configuration(), site.brandKey, input.client_id);
    if (!gpId) return refuse('noGame');
    const outcome = await deps.accounts.logIn({
      brandKey: site.brandKey, clientId: input.client_id, mode: site.mode, accounts: brand.file.accounts, username, password, ip, replaces: readCookieToken(request),
    }); // prettier-ignore
    if (outcome.kind === 'wrong_credentials') return refuse('wrongCredentials');
    if (outcome.kind === 'too_many') return refuse('tooManyAttempts');
    if (outcome.kind === 'unavailable') return refuse('unavailable');
    if (!writeCookieToken(request, reply, outcome.token, absoluteLifeOf('web'))) return refuse('forbidden');
    return succeed({ username: outcome.username, suid: outcome.suid, oauth_token: outcome.publicId, gp_id: gpId });
  });

  mountRoute(app, http, accountRoutes.getUserInfo, async (input, { session, site }) =>
    succeed({
      username: session.username,
      suid: session.suid,
      oauth_token: session.publicId,
      gp_id: gpIdOf(deps.configuration(), site.brandKey, input.client_id ?? ''),
    }),
  );

  mountRoute(app, http, accountRoutes.loginConfig, async (_input, { site }) => {
    const logins = deps.configuration().brands.get(site.brandKey)?.file.logins;
    return succeed({
      fb_id: logins?.facebookAppId ?? '',
      gg_id: logins?.googleClientId ?? '',
      gg_pkg: logins?.googlePackage ?? '',
      ios_id: logins?.iosBundle ?? '',
      vk_id: logins?.vkAppId ?? '',
      client_id: logins?.loginClient ?? '',
      json_type: [...(logins?.kinds ?? [])],
      twitterHtml: logins?.twitterRedirect ?? '',
    });
  });

  mountRoute(app, http, accountRoutes.logout, async (_input, _caller, { request, reply }) => {
    const token = readCookieToken(request);
    if (token) await revokeSession(deps.db, token, 'logout');
    clearCookieToken(request, reply);
    reply.header('clear-site-data', '"storage"');
    return succeed({});
  });
}
