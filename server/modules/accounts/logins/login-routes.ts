// Logins by other identities and by card on the wire: both sets of routes, the callback page, and the links on My.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { UserInfo } from '#contracts/accounts.ts';
import { accountRoutes } from '#contracts/accounts.ts';
import { decodeCredential } from '#contracts/credentials.ts';
import { identityRoutes } from '#contracts/identities.ts';
import {
  LOGIN_CALLBACK_PATH,
  LOGIN_KINDS,
  type LoginKind,
  type LoginStart,
  ingameLoginRoutes,
  loginRoutes,
} from '#contracts/logins.ts';
import { chooseLanguage, directionOf, readAcceptLanguage, toBcp47 } from '#kernel/languages.ts';
import {
  canHoldCookie,
  readSecretCookie,
  readCookieToken,
  writeSecretCookie,
  writeCookieToken,
} from '#server/platform/http/cookie.ts';
import { type Caller, type HttpDeps, mountRoute, siteOfRequest } from '#server/platform/http/http.ts';
import { type Answer, refuse } from '#server/platform/http/answer.ts';
import { toOwnPath } from '#kernel/own-path.ts';
import { absoluteLifeOf } from '#server/platform/http/session.ts';
import { type BeginInput, makeSecret } from './begin-login.ts';
import { readCallback, writeCallbackPage } from './callback-page.ts';
import type { Finished } from './finish-login.ts';
import type { LoginsService } from './logins.ts';

type Exchange = { request: FastifyRequest; reply: FastifyReply };

/** As long as an attempt. */
const ATTEMPT_SECONDS = 600;

export function mountLoginRoutes(app: FastifyInstance, http: HttpDeps, logins: LoginsService): void {
  const begin = async (
    caller: Caller,
    { request, reply }: Exchange,
    input: Omit<BeginInput, 'browserSecret'>,
  ): Promise<Answer<LoginStart>> => {
    if (!canHoldCookie(request)) return refuse('forbidden');
    const known = readSecretCookie(request, 'attempt');
    // Several windows of one browser may be at it at once, so a secret that is there stays.
    const browserSecret = known && /^[\w-]{43}$/.test(known) ? known : makeSecret();
    const answer = await logins.begin(caller, { ...input, browserSecret });
    if (answer.code === 'success') writeSecretCookie(request, reply, 'attempt', browserSecret, ATTEMPT_SECONDS);
    return answer;
  };
  const hand = ({ request, reply }: Exchange, { answer, session }: Finished): Answer<UserInfo> => {
    if (session) writeCookieToken(request, reply, session.token, absoluteLifeOf(session.kind));
    return answer;
  };
  const finish = async (
    caller: Caller,
    exchange: Exchange,
    kind: LoginKind,
    given: Record<string, unknown>,
    isIngame: boolean,
  ): Promise<Answer<UserInfo>> => {
    const { request } = exchange;
    if (!canHoldCookie(request)) return refuse('forbidden');
    const brought = Object.fromEntries(
      Object.entries(given).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
    );
    const gameId = brought['game_id'];
    return hand(
      exchange,
      await logins.finish(caller, {
        kind,
        purposes: isIngame ? ['replenish'] : ['login', 'link'],
        state: (kind === 'twitter' ? brought['oauth_token'] : brought['state']) ?? '',
        clientId:
          (isIngame && gameId ? (logins.clientOfGame(caller.site.brandKey, gameId) ?? 'none') : brought['client_id']) ??
          null,
        brought,
        browserSecret: readSecretCookie(request, 'attempt'),
        replaces: readCookieToken(request),
      }),
    );
  };
  const byCard = async (
    caller: Caller,
    exchange: Exchange,
    input: { card_number: string; card_password: string },
    clientId: string | null,
    kind: 'web' | 'replenish',
  ): Promise<Answer<UserInfo>> => {
    if (!canHoldCookie(exchange.request)) return refuse('forbidden');
    if (!clientId) return refuse('noGame');
    const cardNumber = decodeCredential(input.card_number)?.trim();
    const password = decodeCredential(input.card_password)?.trim();
    // @source specification section 5: "each at most 80 characters"
    if (!isCardText(cardNumber) || !isCardText(password)) return refuse('wrongCredentials');
    const replaces = readCookieToken(exchange.request);
    return hand(exchange, await logins.logInByCard(caller, { clientId, cardNumber, password, kind, replaces }));
  };

  mountRoute(app, http, accountRoutes.loginConfig, async (input, { site, origin }) =>
    logins.loginConfig(site, origin, input.domain_area),
  );
  mountRoute(app, http, loginRoutes.start, (input, caller, exchange) =>
    begin(caller, exchange, {
      kind: input.kind,
      purpose: input.purpose ?? 'login',
      clientId: input.client_id,
      display: input.display ?? 'popup',
      returnTo: input.return_to,
    }),
  );
  mountRoute(app, http, loginRoutes.twitterRedirect, (input, caller, exchange) =>
    begin(caller, exchange, {
      kind: 'twitter',
      purpose: input.purpose ?? 'login',
      clientId: input.client_id,
      display: input.display ?? 'popup',
      returnTo: input.return_to,
      callback: input.callback,
    }),
  );
  mountRoute(app, http, ingameLoginRoutes.start, (input, caller, exchange) =>
    begin(caller, exchange, {
      kind: input.kind,
      purpose: 'replenish',
      clientId: logins.clientOfGame(caller.site.brandKey, input.game_id) ?? '',
      display: input.display ?? 'popup',
      returnTo: input.return_to,
    }),
  );
  mountRoute(app, http, ingameLoginRoutes.twitterRedirect, (input, caller, exchange) =>
    begin(caller, exchange, {
      kind: 'twitter',
      purpose: 'replenish',
      clientId: logins.clientOfGame(caller.site.brandKey, input.game_id) ?? '',
      display: input.display ?? 'popup',
      returnTo: input.return_to,
      callback: input.callback,
    }),
  );
  for (const kind of LOGIN_KINDS) {
    mountRoute(app, http, loginRoutes[kind], (input, caller, exchange) => finish(caller, exchange, kind, input, false));
    mountRoute(app, http, ingameLoginRoutes[kind], (input, caller, exchange) =>
      finish(caller, exchange, kind, input, true),
    );
  }
  mountRoute(app, http, loginRoutes.card, (input, caller, exchange) =>
    byCard(caller, exchange, input, input.client_id, 'web'),
  );
  mountRoute(app, http, ingameLoginRoutes.card, (input, caller, exchange) =>
    byCard(caller, exchange, input, logins.clientOfGame(caller.site.brandKey, input.game_id), 'replenish'),
  );
  mountRoute(app, http, identityRoutes.list, (input, caller) => logins.listLinked(caller, input.client_id ?? ''));
  mountRoute(app, http, identityRoutes.unlink, (input, caller) =>
    logins.unlink(caller, input.kind, input.client_id ?? ''),
  );
  mountCallback(app, http, logins);
}

/**
 * Changes nothing, so it needs neither our header nor a cookie: Apple posts here across sites, where
 * no cookie of ours comes along.
 */
function mountCallback(app: FastifyInstance, http: HttpDeps, logins: LoginsService): void {
  app.register(async (outside) => {
    outside.removeAllContentTypeParsers();
    outside.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    );
    outside.route<{ Params: { kind: string } }>({
      method: ['GET', 'POST'],
      url: `${LOGIN_CALLBACK_PATH}/:kind`,
      schema: { hide: true } as never,
      handler: async (request, reply) => {
        const site = siteOfRequest(http, request);
        const kind = LOGIN_KINDS.find((one) => one === request.params.kind);
        if (!site || !kind || (request.method === 'POST' && kind !== 'ios')) return reply.callNotFound();
        const sent = (request.method === 'POST' ? request.body : request.query) as Record<string, unknown> | null;
        const message = readCallback(kind, sent ?? {});
        const attempt = message.state ? await logins.attemptOf(site, message.state) : null;
        const isIngame = attempt?.purpose === 'replenish';
        const language = chooseLanguage(site.languages, [
          request.cookies['refill_lang'],
          ...readAcceptLanguage(request.headers['accept-language']),
        ]);
        const { html, headers } = writeCallbackPage({
          language: toBcp47(language),
          direction: directionOf(language),
          message,
          display: attempt?.display ?? 'popup',
          returnTo: attempt?.returnTo ?? toOwnPath('/'),
          authPath: (isIngame ? ingameLoginRoutes : loginRoutes)[kind].path,
          texts: {
            wait: http.texts(language, 'login.callback_wait'),
            close: http.texts(language, 'login.callback_close'),
            back: http.texts(language, 'login.callback_back'),
          },
        });
        return reply.headers(headers).type('text/html; charset=utf-8').send(html);
      },
    });
  });
}

function isCardText(text: string | undefined): text is string {
  return text !== undefined && text !== '' && [...text].length <= 80 && !text.includes('\0') && text.isWellFormed();
}
