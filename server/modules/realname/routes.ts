// The real-name check on the wire.
import type { FastifyInstance } from 'fastify';
import { realNameRoutes } from '#contracts/realname.ts';
import { type HttpDeps, mountRoute } from '#server/platform/http/http.ts';
import type { RealNameService } from './service.ts';

export function mountRealNameRoutes(app: FastifyInstance, http: HttpDeps, realNames: RealNameService): void {
  mountRoute(app, http, realNameRoutes.evoke, (input, caller) => realNames.evoke(caller, input.client_id));
  mountRoute(app, http, realNameRoutes.state, (input, caller) => realNames.state(caller, input.client_id));
}
