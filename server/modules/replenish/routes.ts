// Make-up payments on the wire. Paying one is a pay call: see orders.
import type { FastifyInstance } from 'fastify';
import { replenishRoutes } from '#contracts/replenish.ts';
import { type HttpDeps, mountRoute, ownOriginOf } from '#server/platform/http/http.ts';
import { mountSignedCall } from '#server/platform/http/signed-call.ts';
import type { ReplenishService } from './service.ts';

export function mountReplenishRoutes(app: FastifyInstance, http: HttpDeps, replenish: ReplenishService): void {
  mountRoute(app, http, replenishRoutes.gameList, (input, caller) => replenish.gameList(caller, input));
  mountRoute(app, http, replenishRoutes.info, (input, caller) => replenish.info(caller, input));
  mountRoute(app, http, replenishRoutes.countries, (input, caller) => replenish.countries(caller, input));
  mountSignedCall(app, http, '/service/replenish', (site, request, call) =>
    replenish.open(site, ownOriginOf(http, request), call),
  );
}
