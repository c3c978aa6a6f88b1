// The operator's page of health: counts that belong to nobody outside. It answers only to the machine itself.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Configuration } from './modules/configuration/service.ts';
import { readOrdersHealth } from './modules/orders/health-store.ts';
import type { Db } from './platform/database/db.ts';

const LOOPBACK = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1']);
const OWN_NAMES = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/;
const FORWARDED = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];

export function mountHealthDetails(app: FastifyInstance, deps: { db: Db; configuration: () => Configuration }): void {
  app.get('/healthz/details', { schema: { hide: true } as never }, async (request, reply) => {
    if (!isFromThisMachine(request)) return reply.callNotFound();
    const revision = deps.configuration().revision;
    try {
      return { status: 'ok', database: 'up', revision, ...(await readOrdersHealth(deps.db)) };
    } catch {
      return reply.code(503).send({ status: 'not ok', database: 'down', revision });
    }
  });
}

/**
 * The real other end of the connection, whatever a trusted proxy says of it. A proxy on this machine gives itself away by its headers or
 * by the host it passes on; so does a page in a browser here that was led to this address under another name.
 */
function isFromThisMachine(request: FastifyRequest): boolean {
  return (
    LOOPBACK.has(request.raw.socket.remoteAddress ?? '') &&
    FORWARDED.every((name) => request.headers[name] === undefined) &&
    OWN_NAMES.test(request.headers.host ?? '')
  );
}
