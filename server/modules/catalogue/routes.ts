// Goods, limits, bonus items and countries on the wire.
import type { FastifyInstance } from 'fastify';
import { catalogueRoutes } from '#contracts/catalogue.ts';
import { type HttpDeps, mountRoute } from '#server/platform/http/http.ts';
import type { CatalogueService } from './service.ts';

export function mountCatalogueRoutes(app: FastifyInstance, http: HttpDeps, catalogue: CatalogueService): void {
  mountRoute(app, http, catalogueRoutes.goods, async (input, caller) => catalogue.goods(caller, input));
  mountRoute(app, http, catalogueRoutes.gifts, async (input, caller) => catalogue.gifts(caller, input.client_id));
  mountRoute(app, http, catalogueRoutes.limits, (input, caller) => catalogue.limits(caller, input));
  mountRoute(app, http, catalogueRoutes.firstBonus, (input, caller) => catalogue.firstBonuses(caller, input));
  mountRoute(app, http, catalogueRoutes.countries, async (input, caller) =>
    catalogue.countries(caller, input.domain_area),
  );
  mountRoute(app, http, catalogueRoutes.markets, async (input, caller) => catalogue.markets(caller, input.domain_area));
}
