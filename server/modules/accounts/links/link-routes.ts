// Login links on the wire: what a page address carries, the page that asks first, and games that ask for tickets.
import { DAY_SECONDS } from '#kernel/time.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { linkRoutes } from '#contracts/links.ts';
import type { BrandKey } from '#kernel/ids.ts';
import { directionOf, toBcp47 } from '#kernel/languages.ts';
import {
  canHoldCookie,
  readCookieToken,
  readSecretCookie,
  writeCookieToken,
  writeSecretCookie,
} from '#server/platform/http/cookie.ts';
import {
  type HttpDeps,
  mountRoute,
  ownOriginOf,
  readBearer,
  readCaller,
  siteOfRequest,
} from '#server/platform/http/http.ts';
import { refuse, succeed } from '#server/platform/http/answer.ts';
import { type OwnPath, toOwnPath } from '#kernel/own-path.ts';
import { redirectTo } from '#server/platform/http/redirect.ts';
import { hasLeftAnotherSite, isOwnForm, pageOriginOf } from '#server/platform/http/same-origin.ts';
import { mountSignedCall } from '#server/platform/http/signed-call.ts';
import { absoluteLifeOf } from '#server/platform/http/session.ts';
import { type LoginLinksService, type Opened, QUESTION_SECONDS } from './login-links.ts';
import { type BrandFace, writeQuestionPage } from './question-page.ts';
import { plainAddress } from '#server/platform/http/plain-address.ts';

type Exchange = { request: FastifyRequest; reply: FastifyReply };

/** A page address may carry these keys; see contracts/documents.ts. */
export type LinkKeys = { oauth_token?: string; ticket?: string; beta_key?: string };

const QUESTION_PATH = toOwnPath('/login-link');
const HOME = toOwnPath('/');
/** As long as a key of super mode can be issued for; its own end counts. */
const BETA_SECONDS = 366 * DAY_SECONDS;

/**
 * Makes of the one-time keys of a page address what they stand for: cookies of this browser.
 * @param cleanPath the address without them
 * @returns where to go on: there, or to the page that asks first
 */
export async function redeemLinkKeys(
  http: HttpDeps,
  links: LoginLinksService,
  exchange: Exchange,
  keys: LinkKeys,
  cleanPath: OwnPath,
): Promise<OwnPath> {
  const { request, reply } = exchange;
  const site = siteOfRequest(http, request);
  if (!site || !canHoldCookie(request)) return cleanPath;
  if (keys.beta_key !== undefined) {
    // Anything that is no key leads out again: `beta_key=off`. A token beside it is thrown away: it would
    // be for the user that is left.
    const isKey = await links.takeBetaKey(site, keys.beta_key, plainAddress(request));
    writeSecretCookie(request, reply, 'beta', isKey ? keys.beta_key : null, BETA_SECONDS);
    return cleanPath;
  }
  const key = keys.ticket === undefined ? 'oauth_token' : 'ticket';
  const value = keys[key];
  if (value === undefined) return cleanPath;
  const caller = await readCaller(http, request, site, {});
  const cookieToken = readCookieToken(request);
  const arrival = hasLeftAnotherSite(request.headers, pageOriginOf(request)) ? 'elsewhere' : 'direct';
  const outcome = await links.redeem(caller, { key, value, arrival, cookieToken, returnTo: cleanPath });
  if (outcome.kind === 'opened') giveSession(exchange, outcome.session);
  if (outcome.kind !== 'asks') return cleanPath;
  writeSecretCookie(request, reply, 'link', outcome.secret, QUESTION_SECONDS);
  return QUESTION_PATH;
}

function giveSession({ request, reply }: Exchange, { token, kind }: Opened): void {
  writeCookieToken(request, reply, token, absoluteLifeOf(kind));
}

/** Other modules answer these questions about a brand. */
type LinkBrands = {
  readonly gpIdOf: (brandKey: BrandKey, clientId: string) => string;
  readonly faceOf: (brandKey: BrandKey) => BrandFace;
};

export function mountLinkRoutes(
  app: FastifyInstance,
  http: HttpDeps,
  links: LoginLinksService,
  { gpIdOf, faceOf }: LinkBrands,
): void {
  mountRoute(app, http, linkRoutes.enterFrame, async (input, caller, { request }) => {
    const key = input.ticket === undefined ? 'oauth_token' : 'ticket';
    const value = input[key];
    const replaces = readBearer(request, caller.site);
    const opened = value === undefined ? null : await links.openInFrame(caller, { key, value, replaces });
    if (!opened) return refuse('notLoggedIn');
    const { username, suid, publicId } = opened.session;
    const gp_id = gpIdOf(caller.site.brandKey, input.client_id ?? '');
    return succeed({ token: opened.token, user: { username, suid, oauth_token: publicId, gp_id } });
  });
  mountRoute(app, http, linkRoutes.enterCode, async ({ code }, caller, { request, reply }) => {
    if (!canHoldCookie(request)) return refuse('forbidden');
    const outcome = await links.enterCode(caller, code);
    if (outcome.kind === 'too_many') return refuse('tooManyAttempts');
    if (outcome.kind === 'refused') return refuse('wrongCredentials', 'code.refused');
    if (outcome.kind === 'stays') return succeed({ to: outcome.returnTo });
    writeSecretCookie(request, reply, 'link', outcome.secret, QUESTION_SECONDS);
    return succeed({ to: QUESTION_PATH });
  });
  mountSignedCall(app, http, '/service/tickets', (site, request, call) =>
    links.answerTicketCall(site, ownOriginOf(http, request), call),
  );
  mountQuestion(app, http, links, faceOf);
}

/** A form of our own page, without script: the only place where a link changes who is logged in. */
function mountQuestion(
  app: FastifyInstance,
  http: HttpDeps,
  links: LoginLinksService,
  faceOf: LinkBrands['faceOf'],
): void {
  app.register(async (inside) => {
    inside.removeAllContentTypeParsers();
    inside.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
      done(null, new URLSearchParams(String(body)).getAll('choice').at(-1) ?? ''),
    );
    inside.get(QUESTION_PATH, { schema: { hide: true } as never }, async (request, reply) => {
      const site = siteOfRequest(http, request);
      if (!site) return reply.callNotFound();
      const caller = await readCaller(http, request, site, { spec_lang: request.cookies['refill_lang'] });
      const secret = readSecretCookie(request, 'link');
      const question = secret && (await links.findQuestion(caller, secret));
      if (!question) return redirectTo(reply, HOME);
      const { session } = caller;
      const { language } = caller;
      const text = (key: string) => http.texts(language, key);
      const { html, headers } = writeQuestionPage({
        language: toBcp47(language),
        direction: directionOf(language),
        face: faceOf(site.brandKey),
        texts: session
          ? {
              title: text('account.switch_title'),
              text: text('account.switch_link'),
              stay: text('account.logged_in_as'),
            }
          : {
              title: text('account.go_on_title'),
              text: text('account.go_on_link'),
              stay: text('account.go_on_stay'),
            },
        current: session?.username ?? null,
        other: question.name,
        action: QUESTION_PATH,
      });
      return reply.headers(headers).type('text/html; charset=utf-8').send(html);
    });
    inside.post(QUESTION_PATH, { schema: { hide: true } as never }, async (request, reply) => {
      const site = siteOfRequest(http, request);
      if (!site) return reply.callNotFound();
      const caller = await readCaller(http, request, site, {});
      const secret = readSecretCookie(request, 'link');
      if (!secret) return redirectTo(reply, HOME);
      const decided = await links.decide(caller, {
        secret,
        isYes: request.body === 'switch',
        isOwnForm: isOwnForm(request.headers, pageOriginOf(request)),
        cookieToken: readCookieToken(request),
      });
      if (!decided) return redirectTo(reply, QUESTION_PATH);
      if (decided.session) giveSession({ request, reply }, decided.session);
      writeSecretCookie(request, reply, 'link', null);
      return redirectTo(reply, decided.returnTo);
    });
  });
}
