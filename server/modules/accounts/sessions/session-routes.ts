// The player's own sessions on the wire.
import type { FastifyInstance } from 'fastify';
import { sessionRoutes } from '#contracts/sessions.ts';
import { type HttpDeps, mountRoute } from '#server/platform/http/http.ts';
import type { LoginsService } from '#server/modules/accounts/logins/logins.ts';

export function mountSessionRoutes(app: FastifyInstance, http: HttpDeps, logins: LoginsService): void {
  mountRoute(app, http, sessionRoutes.list, (_input, caller) => logins.listSessions(caller));
  mountRoute(app, http, sessionRoutes.backupToken, (_input, caller) => logins.giveBackupToken(caller));
  mountRoute(app, http, sessionRoutes.end, (input, caller) => logins.endSessions(caller, input.id));
  mountRoute(app, http, sessionRoutes.endOthers, (_input, caller) => logins.endSessions(caller, null));
}
