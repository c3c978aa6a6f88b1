// Health: two words for the load balancer on every host, and the operator's page of counts, which belong to
// nobody outside. That page is
// reached by its token, or on a port of its own that only this machine reaches; where a request seems
// to come from decides nothing.
import { createHash, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import { type FastifyInstance, type FastifyRequest, fastify } from 'fastify';
import type { Configuration } from './modules/configuration/service.ts';
import { readOrdersHealth } from './modules/orders/health-store.ts';
import type { Config } from './platform/config.ts';
import { type Db, query } from './platform/database/db.ts';
import { setHeaders } from './platform/http/http-headers.ts';

export type HealthDeps = {
  readonly config: Pick<Config, 'healthPort' | 'healthHost' | 'healthToken'>;
  readonly db: Db;
  readonly configuration: () => Configuration;
  /** Whether the process was told to end, and only serves until nobody sends it anything. */
  readonly isLeaving?: () => boolean;
};

const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);
const HIDDEN = { schema: { hide: true } as never };

/**
 * `/healthz` and `/readyz` for everybody; the counts on this port for the token alone, and
 * to nobody where there is none.
 */
export function mountHealth(app: FastifyInstance, deps: HealthDeps): void {
  mountSigns(app, deps);
  const { healthToken } = deps.config;
  if (healthToken !== '') mountDetails(app, deps, (request) => hasToken(request, healthToken));
}

/** Listens on the port of health, in every role; null where none is set. Throws when the port cannot be had. */
export async function startHealthServer(deps: HealthDeps): Promise<FastifyInstance | null> {
  const { healthHost, healthPort } = deps.config;
  if (healthPort === 0) return null;
  const app = createHealthServer(deps);
  await app.listen({ host: healthHost, port: healthPort });
  return app;
}

export function createHealthServer(deps: HealthDeps): FastifyInstance {
  const { healthHost, healthToken } = deps.config;
  const app = fastify({ requestTimeout: 5000, bodyLimit: 1024 });
  app.addHook('onSend', async (request, reply) => setHeaders(request, reply));
  mountSigns(app, deps);
  if (healthToken !== '') mountDetails(app, deps, (request) => hasToken(request, healthToken));
  else if (LOOPBACK.has(healthHost)) mountDetails(app, deps, isAskedByAddress);
  return app;
}

/** For the load balancer: alive, and ready to take orders. */
function mountSigns(app: FastifyInstance, deps: HealthDeps): void {
  app.get('/healthz', HIDDEN, async () => ({ status: 'alive' }));
  app.get('/readyz', HIDDEN, async (_request, reply) => {
    const refuse = (reason: string) => reply.code(503).header('retry-after', '5').send({ status: 'not ready', reason });
    if (deps.isLeaving?.()) return refuse('the process is about to end');
    try {
      await query(deps.db, 'ready', 'select 1');
      return { status: 'ready' };
    } catch {
      return refuse('the database cannot be reached');
    }
  });
}

function mountDetails(app: FastifyInstance, deps: HealthDeps, mayRead: (request: FastifyRequest) => boolean): void {
  app.get('/healthz/details', HIDDEN, async (request, reply) => {
    if (!mayRead(request)) return reply.callNotFound();
    const { revision } = deps.configuration();
    try {
      return { status: 'ok', database: 'up', revision, ...(await readOrdersHealth(deps.db)) };
    } catch {
      return reply.code(503).send({ status: 'not ok', database: 'down', revision });
    }
  });
}

/** Constant time, whatever the length of what was brought. */
function hasToken(request: FastifyRequest, token: string): boolean {
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
