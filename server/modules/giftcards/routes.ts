// Serves the value of a prepaid card. Spending one is a pay call: see orders.
import type { FastifyInstance } from 'fastify';
import { giftCardRoutes } from '#contracts/giftcards.ts';
import { type HttpDeps, mountRoute } from '#server/platform/http/http.ts';
import type { GiftCardsService } from './service.ts';

export function mountGiftCardRoutes(app: FastifyInstance, http: HttpDeps, giftCards: GiftCardsService): void {
  mountRoute(app, http, giftCardRoutes.check, (input, caller) => giftCards.check(caller, input));
  mountRoute(app, http, giftCardRoutes.history, (_input, caller) => giftCards.history(caller));
}
