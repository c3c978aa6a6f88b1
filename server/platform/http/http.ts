// Fastify as this shop uses it: envelope, contracts to routes, who asks (site, language, session), and
// the rule for changing calls.
import cookie from '@fastify/cookie';
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  fastify,
} from 'fastify';
import type { Static, TSchema } from 'typebox';
import { accountRoutes } from '#contracts/accounts.ts';
import type { CodeName } from '#contracts/errors.ts';
import { CHANGE_HEADERS } from '#contracts/change-headers.ts';
import { type Route, isAtBackupHost } from '#contracts/route.ts';
import { type Language, chooseLanguage, readAcceptLanguage } from '#kernel/languages.ts';
import type { Config } from '#server/platform/config.ts';
import { sessionAt } from './account-game.ts';
import { type Answer, sendAnswer } from './answer.ts';
import { answerError } from './answer-error.ts';
import { answerPages } from './backup-host.ts';
import { findBetaKey } from './beta.ts';
import { markBeta, readBetaKey, readCookieToken } from './cookie.ts';
import type { Db } from '#server/platform/database/db.ts';
import { hangUp, hasTwoHosts, namesOtherHost, splitTarget } from './http-framing.ts';
import { setHeaders } from './http-headers.ts';
import { chooseRequestId, watchRequests } from './http-watch.ts';
import { numbersFromText, refuseNul } from './http-input.ts';
import type { Log } from '#server/platform/log.ts';
import { noteUntrustedProxies } from './untrusted-proxy.ts';
import { hasLeftAnotherSite, isAllowedToChange, pageOriginOf } from './same-origin.ts';
import { noteSecurity } from '#server/platform/security-log.ts';
import type { Session } from './session.ts';
import { findCallSession, findSession, findSessionAtBackup } from './session-find.ts';
import { type Site, hostOf, originOf } from './site.ts';
import type { Texts } from '#server/platform/texts.ts';
import { plainAddress } from './plain-address.ts';

/**
 * Identifies the caller, as far as the transport knows. `origin` is where pages of this brand are, by the
 * configuration: what others are told.
 */
export type Caller = {
  readonly site: Site;
  readonly language: Language;
  readonly session: Session | null;
  readonly origin: string;
  readonly ip: string;
  readonly userAgent: string;
  readonly idempotencyKey: string | null;
};

/** The caller of a route with access 'player'. */
export type PlayerCaller = Caller & { readonly session: Session };

export type HttpDeps = {
  readonly config: Config;
  readonly log: Log;
  readonly db: Db;
  readonly texts: Texts;
  readonly siteOf: (host: string) => Site | null;
  /** Returns true when the process is about to end: connections that are kept open learn of it. */
  readonly isLeaving?: () => boolean;
};

type Handler<R extends Route> = (
  input: Static<R['input']>,
  caller: R['access'] extends 'player' ? PlayerCaller : Caller,
  exchange: { request: FastifyRequest; reply: FastifyReply },
) => Promise<Answer<Static<R['output']>>>;

/** Our choice: the largest body of ours is a pay call of about 2 kB. */
export const BODY_LIMIT = 64 * 1024;

/** A Fastify with our parser, limits and error answers; routes are added by `mountRoute` and plugins. */
export function createHttp(deps: HttpDeps): FastifyInstance {
  const app: FastifyInstance = fastify({
    loggerInstance: deps.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT,
    genReqId: chooseRequestId,
    trustProxy: deps.config.trustedProxies.length > 0 ? [...deps.config.trustedProxies] : false,
    requestTimeout: 15_000,
    // A client that dribbles its request is disconnected: Node checks every thirty seconds by default, and takes a
    // minute for headers.
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 1000 },
    connectionTimeout: 30_000,
    keepAliveTimeout: 65_000,
    // Requests that still come while the last answers are written are answered, not refused: one may be a payment.
    return503OnClosing: false,
    // "Repeated query values take the last": decided once, before anything validates. @source specification section 5
    routerOptions: {
      querystringParser: (text) => {
        const query = Object.create(null) as Record<string, unknown>;
        return text === '' ? query : Object.assign(query, Object.fromEntries(new URLSearchParams(text)));
      },
      maxParamLength: 200,
    },
    // A target in absolute form is held against Host below, and routed by its path like any other.
    rewriteUrl: ({ url = '/' }) => splitTarget(url).path,
    // An address that cannot be read: Fastify's own answer would repeat it, and whatever token is in it.
    frameworkErrors: (error, request, reply) => {
      setHeaders(request, reply);
      answerError(deps, siteOfRequest(deps, request), error, request, reply);
    },
    // A request that is no HTTP, too long or too slow never reaches a handler; it is answered in the envelope all the
    // same, then disconnected.
    clientErrorHandler: (error, socket) => hangUp(deps.texts, error, socket),
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false } },
  });
  // Two hosts are two brands to two readers. @source RFC 9112, 3.2: refused with 400
  // Hooks of every request take `done`: each promise would be waited for by itself.
  app.addHook('onRequest', (request, reply, done) => {
    if (!hasTwoHosts(request.raw.rawHeaders) && !namesOtherHost(request)) return done();
    reply.header('connection', 'close');
    done(Object.assign(new Error('more than one Host'), { statusCode: 400 }));
  });
  watchRequests(app, deps);
  noteUntrustedProxies(app, deps.log, deps.config.trustedProxies);
  // A logger a request would write out and redact its bindings each time, for a number that no line of ours carries.
  app.setChildLoggerFactory((logger) => logger);
  app.register(cookie);
  app.setErrorHandler((error, request, reply) =>
    answerError(deps, siteOfRequest(deps, request), error as Error & { statusCode?: number }, request, reply),
  );
  app.addHook('onSend', (request, reply, payload, done) => {
    setHeaders(request, reply);
    if (deps.isLeaving?.()) reply.header('connection', 'close');
    done(null, payload);
  });
  answerPages(app, (request) => siteOfRequest(deps, request));
  return app;
}

/** The site of a request, or null when no brand has this host. */
export function siteOfRequest(deps: HttpDeps, request: FastifyRequest): Site | null {
  const host = hostOf(request);
  return host ? deps.siteOf(host) : null;
}

/**
 * Everything about the caller of one request: the session of an explicit token, else of the cookie. A
 * browser in super mode is at the sandbox of the site, as its beta user.
 * @param input of the call; an account of another game than it names is nobody here
 */
export async function readCaller(
  deps: HttpDeps,
  request: FastifyRequest,
  host: Site,
  input: Record<string, unknown>,
): Promise<Caller & { isExplicit: boolean; isTwoAccounts: boolean }> {
  const betaKey = readBetaKey(request);
  const betaId = betaKey ? await findBetaKey(deps.db, betaKey, host.brandKey) : null;
  if (betaId) markBeta(request);
  const site: Site = betaId ? { ...host, betaId } : host;
  const find = (token: string | null) => (token ? findSession(deps.db, token, site.brandKey, betaId) : null);
  const bearer = readBearer(request, site);
  const named = bearer ? null : readNamedToken(input, site);
  const explicit = bearer ?? named;
  const inCookie = readCookieToken(request);
  const session = bearer?.startsWith('rh1_')
    ? await findSessionAtBackup(deps.db, bearer, site.brandKey)
    : named
      ? await findNamed(deps, request, site, named)
      : await find(bearer ?? inCookie);
  // A link can name any token, so it must not meet the cookie of somebody else in one call. @source SECURITY section 3
  const other = named && inCookie && inCookie !== named ? await find(inCookie) : null;
  if (named) noteSecurity(deps.log, 'legacy_token_used', { brand: site.brandKey });
  const wanted = typeof input.spec_lang === 'string' ? input.spec_lang : undefined;
  const key = request.headers['idempotency-key'];
  return {
    site,
    language: chooseLanguage(site.languages, [wanted, ...readAcceptLanguage(request.headers['accept-language'])]),
    session: sessionAt(site, session, input),
    origin: ownOriginOf(deps, request),
    ip: plainAddress(request),
    userAgent: (request.headers['user-agent'] ?? '').slice(0, 300),
    idempotencyKey: typeof key === 'string' ? key : null,
    isExplicit: explicit !== null,
    isTwoAccounts: other !== null && other.playerId !== session?.playerId,
  };
}

/**
 * Scheme, host and port of this brand's pages, as providers are told them: of the configuration, never of the request.
 */
export function ownOriginOf(deps: HttpDeps, request: FastifyRequest): string {
  const host = hostOf(request);
  if (!host || !deps.siteOf(host)) throw new Error('a request of no brand has no origin');
  return originOnPort(deps, request, host);
}

/** Scheme, host and port of a configured host of this shop. */
export const originOnPort = (deps: HttpDeps, request: FastifyRequest, host: string): string =>
  originOf(host, request.raw.socket.localPort ?? deps.config.port);

/**
 * A token for backup hosts is one there only, and the only one there: sessions of a month stay at the page's own host.
 */
export function readBearer(request: FastifyRequest, site: Site): string | null {
  const form = site.pageHosts ? /^Bearer (rh1_\S+)$/ : /^Bearer (rf1_\S+)$/;
  return form.exec(request.headers.authorization ?? '')?.[1] ?? null;
}

/**
 * A token of a login's is for calls under /api/, and for the call that says whose it is; the page, and whatever changes
 * or lists what belongs to the account itself, never take it.
 */
async function findNamed(deps: HttpDeps, request: FastifyRequest, site: Site, token: string): Promise<Session | null> {
  const session = await findCallSession(deps.db, token, site.brandKey, site.betaId ?? null);
  const [path = ''] = request.url.split('?', 1);
  const isForCalls = path.startsWith('/api/') || path === accountRoutes.getUserInfo.path;
  return session?.kind === 'api' && !isForCalls ? null : session;
}

function readNamedToken(input: Record<string, unknown>, site: Site): string | null {
  const given = input.oauth_token;
  return site.legacyQueryToken && !site.pageHosts && typeof given === 'string' && given.startsWith('rf1_')
    ? given
    : null;
}

/**
 * Adds a route of the contracts. Reads are GET; changes are POST, and GET only with an explicit token, or
 * where a brand keeps the old way.
 */
export function mountRoute<R extends Route>(app: FastifyInstance, deps: HttpDeps, route: R, handler: Handler<R>): void {
  const run = async (
    request: FastifyRequest,
    reply: FastifyReply,
    input: Record<string, unknown>,
  ): Promise<FastifyReply> => {
    const site = siteOfRequest(deps, request);
    if (!site) return reply.code(404).type('text/plain; charset=utf-8').send('Not Found');
    const isLegacy = request.method === 'GET' && route.kind === 'post';
    if (isLegacy && !site.legacyGet) return reply.callNotFound() as unknown as FastifyReply;
    // X names its request token as we name a session: there it must never be looked up as one.
    const caller = await readCaller(
      deps,
      request,
      site,
      route.hasOwnToken ? { ...input, oauth_token: undefined } : input,
    );
    const refuseWith = (code: CodeName) => sendAnswer(deps, reply, caller.language, code, null);
    if (caller.isTwoAccounts) {
      noteSecurity(deps.log, 'token_beside_cookie', { brand: site.brandKey, ip: caller.ip });
      return refuseWith('badRequest');
    }
    if (route.kind !== 'read') {
      const isAllowed =
        request.method === 'POST'
          ? caller.isExplicit || isAllowedToChange(request.headers, pageOriginOf(request))
          : isLegacy
            ? !hasLeftAnotherSite(request.headers, pageOriginOf(request))
            : caller.isExplicit;
      if (!isAllowed) {
        noteSecurity(deps.log, 'change_refused', { brand: site.brandKey, ip: caller.ip, path: route.path });
        return refuseWith(request.method === 'GET' ? 'methodNotAllowed' : 'forbidden');
      }
    }
    if (route.access === 'player' && !caller.session)
      return sendAnswer(deps, reply, caller.language, 'notLoggedIn', null);
    // A login by GET is a login: nothing is added to the account of whoever opens a link.
    const taken = isLegacy ? { ...input, purpose: undefined } : input;
    const answer = await handler(taken as Static<R['input']>, caller as never, { request, reply });
    return sendAnswer(deps, reply, caller.language, answer.code, answer.content, answer);
  };
  const schema = {
    summary: route.summary,
    ...(route.kind === 'read' ? {} : { headers: CHANGE_HEADERS }),
    response: { 200: envelopeSchema(route.output) },
  };
  const isHere = (request: FastifyRequest, _reply: unknown, done: (error?: Error) => void): void => {
    if (isAtBackupHost(route) || !siteOfRequest(deps, request)?.pageHosts) return done();
    done(Object.assign(new Error('a backup host does not answer this call'), { statusCode: 403 }));
  };
  if (route.kind !== 'post' || route.hasLegacyGet) {
    app.get(
      route.path,
      {
        schema: { ...schema, querystring: route.input } as never,
        preValidation: [isHere, numbersFromText(route.input)],
      },
      (request, reply) => run(request, reply, request.query as Record<string, unknown>),
    );
  }
  if (route.kind !== 'read') {
    app.post(
      route.path,
      { schema: { ...schema, body: route.input } as never, preValidation: [isHere, refuseNul] },
      (request, reply) => run(request, reply, request.body as Record<string, unknown>),
    );
  }
}

function envelopeSchema(content: TSchema) {
  return {
    type: 'object',
    properties: { code: { type: 'integer' }, msg: { type: 'string' }, content: { ...content, nullable: true } },
  };
}
