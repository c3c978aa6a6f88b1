// Health: two words for the load balancer on every host, and the operator's page of counts, which belong to
// nobody outside. That page is reached by its token, or on the operator's port.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Configuration } from './modules/configuration/service.ts';
import { readOrdersHealth } from './modules/orders/health-store.ts';
import type { OperatorPart } from './operator/operator-server.ts';
import { hasToken, mayReadHere, type OperatorConfig } from './operator/reading-key.ts';
import { type Db, query } from './platform/database/db.ts';

type HealthDeps = {
  readonly config: OperatorConfig;
  readonly db: Db;
  readonly configuration: () => Configuration;
};

const HIDDEN = { schema: { hide: true } as never };

/**
 * `/healthz` and `/readyz` for everybody; the counts on this port for the token alone, and
 * to nobody where there is none.
 */
export function mountHealth(app: FastifyInstance, deps: HealthDeps): void {
  mountSigns(app, deps);
  const { operatorToken } = deps.config;
  if (operatorToken !== '') mountDetails(app, deps, (request) => hasToken(request, operatorToken));
}

/** The same on the operator's port. */
export function healthPart(deps: HealthDeps): OperatorPart {
  return (app) => {
    mountSigns(app, deps);
    mountDetails(app, deps, mayReadHere(deps.config));
  };
}

/** For the load balancer: alive, and ready to take orders. */
function mountSigns(app: FastifyInstance, deps: HealthDeps): void {
  app.get('/healthz', HIDDEN, async () => ({ status: 'alive' }));
  app.get('/readyz', HIDDEN, async (_request, reply) => {
    try {
      await query(deps.db, 'ready', 'select 1');
      return { status: 'ready' };
    } catch {
      const reason = 'the database cannot be reached';
      return reply.code(503).header('retry-after', '5').send({ status: 'not ready', reason });
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
