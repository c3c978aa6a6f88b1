// Caps, pauses and the declaration of age on the wire.
import type { FastifyInstance } from 'fastify';
import { spendingRoutes } from '#contracts/spending.ts';
import { type HttpDeps, mountRoute } from '#server/platform/http/http.ts';
import type { SpendingService } from './service.ts';

export function mountSpendingRoutes(app: FastifyInstance, http: HttpDeps, spending: SpendingService): void {
  mountRoute(app, http, spendingRoutes.state, (input, caller) => spending.state(caller, input));
  mountRoute(app, http, spendingRoutes.declareAge, (input, caller) => spending.declareAge(caller, input));
  mountRoute(app, http, spendingRoutes.setCap, (input, caller) => spending.setCap(caller, input));
  mountRoute(app, http, spendingRoutes.pause, (input, caller) => spending.pause(caller, input));
}
