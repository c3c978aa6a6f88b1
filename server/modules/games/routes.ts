// Game list, page configuration, servers and characters on the wire.
import type { FastifyInstance } from 'fastify';
import { gameRoutes } from '#contracts/games.ts';
import { type HttpDeps, mountRoute } from '#server/platform/http/http.ts';
import type { GamesService } from './service.ts';

export function mountGameRoutes(app: FastifyInstance, http: HttpDeps, games: GamesService): void {
  mountRoute(app, http, gameRoutes.list, async (input, caller) => games.gameList(caller, input));
  mountRoute(app, http, gameRoutes.pageConfig, async (input, caller) => games.pageConfig(caller, input));
  mountRoute(app, http, gameRoutes.logo, async (input, caller) => games.logo(caller, input.client_id));
  mountRoute(app, http, gameRoutes.servers, (input, caller) => games.servers(caller, input));
  mountRoute(app, http, gameRoutes.roles, (input, caller) => games.roles(caller, input));
  mountRoute(app, http, gameRoutes.allRoles, (input, caller) => games.roles(caller, { client_id: input.client_id }));
}
