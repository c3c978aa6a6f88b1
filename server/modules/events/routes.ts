// Events and their rewards, on the wire.
import type { FastifyInstance } from 'fastify';
import { eventRoutes } from '#contracts/events.ts';
import { type HttpDeps, mountRoute } from '#server/platform/http/http.ts';
import type { EventsService } from './service.ts';

export function mountEventRoutes(app: FastifyInstance, http: HttpDeps, events: EventsService): void {
  mountRoute(app, http, eventRoutes.info, (input, caller) => events.info(caller, input));
  mountRoute(app, http, eventRoutes.receive, (input, caller) => events.receive(caller, input));
  mountRoute(app, http, eventRoutes.status, (input, caller) => events.status(caller, input));
}
