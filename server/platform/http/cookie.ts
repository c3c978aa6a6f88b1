// The cookies with secrets: __Host- and Secure wherever there is TLS; differently named ones on a plain-http
// loopback demo, nowhere else.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isLoopbackHost } from '#kernel/pay-link.ts';
import { environmentOfHost, hostOf } from './site.ts';

const SECURE_NAME = '__Host-refill';
const PLAIN_NAME = 'refill-demo';
/** The session of a beta user, beside the ordinary one. */
const BETA_USER_SUFFIX = '-beta-user';

/** Secrets of a browser beside its session, each a cookie of its own. Lax where a link from outside has to find it. */
const SECRETS = {
  /** Ties a login at another company to this browser. */
  attempt: { suffix: '-login', sameSite: 'strict' },
  /** Key of super mode. */
  beta: { suffix: '-beta', sameSite: 'lax' },
  /** A question whether to go on as the player of a link. */
  link: { suffix: '-link', sameSite: 'lax' },
  /** Has logged in well before. */
  device: { suffix: '-device', sameSite: 'strict' },
} as const;
type SecretKind = keyof typeof SECRETS;

/** Requests of browsers in super mode, as the caller was read. */
const betaRequests = new WeakSet<FastifyRequest>();

/** From here on the session of this request is the beta user's. */
export function markBeta(request: FastifyRequest): void {
  betaRequests.add(request);
}

/** Requests that neither bring a cookie nor are given one. */
const cookielessRequests = new WeakSet<FastifyRequest>();

/** Before anything has read them: at a backup host and in a frame no cookie says who asks, whoever set it. */
export function forbidCookies(request: FastifyRequest): void {
  delete request.raw.headers.cookie;
  cookielessRequests.add(request);
}

/** Null: this request cannot be given a cookie safely, so there is no login over it. */
function cookieName(request: FastifyRequest): string | null {
  if (cookielessRequests.has(request)) return null;
  if (request.protocol === 'https') return SECURE_NAME;
  const host = hostOf(request) ?? '';
  return isLoopbackHost(host) && environmentOfHost(host) === 'demo' ? PLAIN_NAME : null;
}

function sessionName(request: FastifyRequest): string | null {
  const name = cookieName(request);
  return name && betaRequests.has(request) ? name + BETA_USER_SUFFIX : name;
}

function attributesOf(request: FastifyRequest) {
  return { path: '/', httpOnly: true, secure: cookieName(request) === SECURE_NAME } as const;
}

/** Returns true when a session cookie may travel on this connection. */
export function canHoldCookie(request: FastifyRequest): boolean {
  return cookieName(request) !== null;
}

/** The token in the cookie, or null. */
export function readCookieToken(request: FastifyRequest): string | null {
  const name = sessionName(request);
  return (name && request.cookies[name]) || null;
}

/** Gives the browser its session. Throws when the connection is not one a cookie may travel on. */
export function writeCookieToken(
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
  maxAgeSeconds: number,
): void {
  const name = sessionName(request);
  if (!name) throw new Error('a session cookie was about to travel in clear');
  reply.setCookie(name, token, { ...attributesOf(request), maxAge: maxAgeSeconds, sameSite: 'lax' });
}

export function clearCookieToken(request: FastifyRequest, reply: FastifyReply): void {
  const name = sessionName(request);
  if (name) reply.clearCookie(name, { ...attributesOf(request), sameSite: 'lax' });
}

/** One of the other secrets this browser holds, or null. */
export function readSecretCookie(request: FastifyRequest, kind: SecretKind): string | null {
  const name = cookieName(request);
  return (name && request.cookies[name + SECRETS[kind].suffix]) || null;
}

/**
 * In a frame no cookie reaches us, so its page names the key in each call; no page of another site can send a header.
 */
export const BETA_HEADER = 'x-refill-beta';

/** The key of super mode that this browser, or this page in a frame, holds. */
export function readBetaKey(request: FastifyRequest): string | null {
  const named = request.headers[BETA_HEADER];
  return readSecretCookie(request, 'beta') ?? (typeof named === 'string' ? named : null);
}

/** @param secret null takes it away. Throws when the connection is not one a cookie may travel on. */
export function writeSecretCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  kind: SecretKind,
  secret: string | null,
  maxAgeSeconds = 0,
): void {
  const name = cookieName(request);
  if (!name) throw new Error('a cookie with a secret was about to travel in clear');
  const { suffix, sameSite } = SECRETS[kind];
  const attributes = { ...attributesOf(request), sameSite };
  if (secret === null) reply.clearCookie(name + suffix, attributes);
  else reply.setCookie(name + suffix, secret, { ...attributes, maxAge: maxAgeSeconds });
}
