// Health: two words for the load balancer on every host, and the operator's page of counts, which belong to
// nobody outside. That page is reached by its token, or on the operator's port.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Configuration } from './modules/configuration/service.ts';
import { readOrdersHealth } from './modules/orders/health-store.ts';
import type { OperatorPart } from './operator/operator-server.ts';
import { hasToken, mayReadHere, type OperatorConfig } from './operator/reading-key.ts';
import type { Unsellable } from './serve/check-brands.ts';
import { type Db, query } from './platform/database/db.ts';
import { writeWatchOf } from './platform/database/write-watch.ts';

type HealthDeps = {
  readonly config: OperatorConfig;
  readonly db: Db;
  readonly configuration: () => Configuration;
  /** Returns true once the process was told to end, and only serves until no request comes any more. */
  readonly isLeaving?: () => boolean;
  readonly cannotSell: () => readonly Unsellable[];
};

type MayRead = (request: FastifyRequest) => boolean;

const HIDDEN = { schema: { hide: true } as never };

/**
 * `/healthz` and `/readyz` for everybody; the counts on this port for the token alone, and
 * to nobody where there is none.
 */
export function mountHealth(app: FastifyInstance, deps: HealthDeps): void {
  mountProbes(app, deps);
  const { operatorToken } = deps.config;
  if (operatorToken !== '') mountDetails(app, deps, (request) => hasToken(request, operatorToken));
}

/** The same on the operator's port. */
export function healthPart(deps: HealthDeps): OperatorPart {
  return (app) => {
    const mayRead = mayReadHere(deps.config);
    mountProbes(app, deps, mayRead);
    mountDetails(app, deps, mayRead);
  };
}

/**
 * For the load balancer: alive, and ready to take orders. A brand that cannot sell is no reason to send nobody here;
 * whoever may read the counts is told its name.
 */
function mountProbes(app: FastifyInstance, deps: HealthDeps, mayRead: MayRead = () => false): void {
  const writes = writeWatchOf(deps.db);
  app.get('/healthz', HIDDEN, async () => ({ status: 'alive' }));
  app.get('/readyz', HIDDEN, async (request, reply) => {
    const refuse = (reason: string) => reply.code(503).header('retry-after', '5').send({ status: 'not ready', reason });
    if (deps.isLeaving?.()) return refuse('the process is about to end');
    try {
      await query(deps.db, 'ready', 'select 1');
      if (!(await writes.takesWrites()))
        return refuse('the database takes no orders: its disk is full, or it is read-only');
      return { status: 'ready', ...(mayRead(request) ? { cannot_sell: deps.cannotSell() } : {}) };
    } catch {
      return refuse('the database cannot be reached');
    }
  });
}

function mountDetails(app: FastifyInstance, deps: HealthDeps, mayRead: MayRead): void {
  app.get('/healthz/details', HIDDEN, async (request, reply) => {
    if (!mayRead(request)) return reply.callNotFound();
    const { revision } = deps.configuration();
    try {
      const health = await readOrdersHealth(deps.db);
      return { status: 'ok', database: 'up', revision, cannot_sell: deps.cannotSell(), ...health };
    } catch {
      return reply.code(503).send({ status: 'not ok', database: 'down', revision });
    }
  });
}
