// My data on the wire.
import type { FastifyInstance } from 'fastify';
import { privacyRoutes } from '#contracts/privacy.ts';
import { type HttpDeps, mountRoute } from '#server/platform/http/http.ts';
import type { PrivacyService } from './service.ts';

export function mountPrivacyRoutes(app: FastifyInstance, http: HttpDeps, privacy: PrivacyService): void {
  mountRoute(app, http, privacyRoutes.state, (_input, caller) => privacy.state(caller));
  mountRoute(app, http, privacyRoutes.export, (_input, caller) => privacy.export(caller));
  mountRoute(app, http, privacyRoutes.erase, (input, caller) => privacy.erase(caller, input));
  mountRoute(app, http, privacyRoutes.keep, (_input, caller) => privacy.keep(caller));
  mountRoute(app, http, privacyRoutes.erasure, (input, caller) => privacy.erasure(caller, input.erasure_no));
}
