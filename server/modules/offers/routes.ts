// Offers on the wire.
import type { FastifyInstance } from 'fastify';
import { offerRoutes } from '#contracts/offers.ts';
import { type HttpDeps, mountRoute } from '#server/platform/http/http.ts';
import { mountSignedCall } from '#server/platform/http/signed-call.ts';
import type { OffersService } from './service.ts';

export function mountOfferRoutes(app: FastifyInstance, http: HttpDeps, offers: OffersService): void {
  mountRoute(app, http, offerRoutes.list, (input, caller) => offers.list(caller, input));
  mountSignedCall(app, http, '/api/ingame/offers', (site, _request, call) => offers.answerPersonalCall(site, call));
}
