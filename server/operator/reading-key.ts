// Decides who may read counts: whoever brings the operator's token, or, where none is set, this machine alone. Where a
// request seems to come from decides nothing.
import { createHash, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { Config } from '#server/platform/config.ts';

export type OperatorConfig = Pick<Config, 'operatorPort' | 'operatorHost' | 'operatorToken'>;

const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);

/** On the operator's port. */
export function mayReadHere({ operatorHost, operatorToken }: OperatorConfig): (request: FastifyRequest) => boolean {
  if (operatorToken !== '') return (request) => hasToken(request, operatorToken);
  return LOOPBACK.has(operatorHost) ? isAskedByAddress : () => false;
}

/** Constant time, whatever the length of what was brought. */
export function hasToken(request: FastifyRequest, token: string): boolean {
  const brought = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
  const [given, wanted] = [brought, token].map((text) => createHash('sha256').update(text).digest());
  return given !== undefined && wanted !== undefined && timingSafeEqual(given, wanted);
}

/**
 * A page in a browser of this machine may be led here under a name of its own: names other than localhost are refused.
 */
function isAskedByAddress({ headers }: FastifyRequest): boolean {
  const host = (headers.host ?? '').replace(/:\d{1,5}$/, '').replace(/^\[(.*)\]$/, '$1');
  return host === 'localhost' || isIP(host) !== 0;
}
