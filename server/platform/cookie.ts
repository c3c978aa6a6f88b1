// The session cookie: __Host- and Secure wherever there is TLS; a differently named one on a plain-http loopback demo, nowhere else.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isLoopbackHost, modeOfHost, readHost } from './site.ts';

const SECURE_NAME = '__Host-refill';
const PLAIN_NAME = 'refill-demo';
/** Follows the name of the session's cookie: a secret of this browser that ties a login at another company to it. */
const ATTEMPT_SUFFIX = '-login';

/** Null: this request can not be given a cookie safely, so there is no login over it. */
function cookieName(request: FastifyRequest): string | null {
  if (request.protocol === 'https') return SECURE_NAME;
  const host = readHost(request.host) ?? '';
  return isLoopbackHost(host) && modeOfHost(host) === 'sandbox' ? PLAIN_NAME : null;
}

/** Whether this connection is one a session cookie may travel on. */
export function canHoldCookie(request: FastifyRequest): boolean {
  return cookieName(request) !== null;
}

/** The token in the cookie, or null. */
export function readCookieToken(request: FastifyRequest): string | null {
  const name = cookieName(request);
  return (name && request.cookies[name]) || null;
}

/** Gives the browser its session. Throws when the connection is not one a cookie may travel on. */
export function writeCookieToken(
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
  maxAgeSeconds: number,
): void {
  const name = cookieName(request);
  if (!name) throw new Error('a session cookie was about to travel in clear');
  reply.setCookie(name, token, {
    path: '/',
    httpOnly: true,
    secure: name === SECURE_NAME,
    sameSite: 'lax',
    maxAge: maxAgeSeconds,
  });
}

export function clearCookieToken(request: FastifyRequest, reply: FastifyReply): void {
  const name = cookieName(request);
  if (name) reply.clearCookie(name, { path: '/', httpOnly: true, secure: name === SECURE_NAME, sameSite: 'lax' });
}

/** The secret by which this browser's logins under way are known, or null. */
export function readAttemptCookie(request: FastifyRequest): string | null {
  const name = cookieName(request);
  return (name && request.cookies[name + ATTEMPT_SUFFIX]) || null;
}

/** Strict: only pages of ours ask for what it proves. Throws when the connection is not one a cookie may travel on. */
export function writeAttemptCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  secret: string,
  maxAgeSeconds: number,
): void {
  const name = cookieName(request);
  if (!name) throw new Error('a login cookie was about to travel in clear');
  reply.setCookie(name + ATTEMPT_SUFFIX, secret, {
    path: '/',
    httpOnly: true,
    secure: name === SECURE_NAME,
    sameSite: 'strict',
    maxAge: maxAgeSeconds,
  });
}
