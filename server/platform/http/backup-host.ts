// Answers of a backup host to pages of the brand's own hosts: the one place where another origin may read
// what we say. No cookie takes part, whoever set it: a call is a stranger's, or names its session by Bearer.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { forbidCookies } from './cookie.ts';
import { isLoopbackHost } from '#kernel/pay-link.ts';
import type { Site } from './site.ts';

const CALLS = /^\/(?:api|util)\//;
/** Our choice: a browser asks once in ten minutes, and a host that is taken off the list is off soon. */
const PREFLIGHT_SECONDS = 600;

/**
 * The Origin that may read, exactly as it was sent, or null. @source OWASP ASVS 5.0, 3.4.2: a list, never a pattern
 * @param pageHosts hosts of the brand's pages
 */
export function readPageOrigin(origin: string | undefined, pageHosts: readonly string[]): string | null {
  if (!origin || !URL.canParse(origin)) return null;
  const { protocol, hostname, port, origin: canonical } = new URL(origin);
  if (canonical !== origin || !pageHosts.includes(hostname)) return null;
  if (protocol === 'https:' && port === '') return origin;
  // The demo runs on any port of this machine, without TLS.
  return protocol === 'http:' && isLoopbackHost(hostname) ? origin : null;
}

export function answerPages(app: FastifyInstance, siteOf: (request: FastifyRequest) => Site | null): void {
  app.addHook('onRequest', (request, reply, done) => {
    const pageHosts = siteOf(request)?.pageHosts;
    if (!pageHosts) return done();
    forbidCookies(request);
    if (!CALLS.test(request.url)) return done();
    reply.header('vary', 'Origin');
    const origin = readPageOrigin(request.headers.origin, pageHosts);
    if (!origin) return done();
    reply.header('access-control-allow-origin', origin);
    if (request.method !== 'OPTIONS') return done();
    reply
      .header('access-control-allow-methods', 'GET, POST')
      .header('access-control-allow-headers', 'authorization, content-type, x-refill, idempotency-key')
      .header('access-control-max-age', String(PREFLIGHT_SECONDS))
      .code(204)
      .send();
  });
}
