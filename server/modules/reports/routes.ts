// Error reports of pages on the wire.
import type { FastifyInstance } from 'fastify';
import { reportRoutes } from '#contracts/reports.ts';
import { type HttpDeps, mountRoute } from '#server/platform/http/http.ts';
import type { ReportsService } from './service.ts';

export function mountReportRoutes(app: FastifyInstance, http: HttpDeps, reports: ReportsService): void {
  mountRoute(app, http, reportRoutes.send, (input, caller) => reports.take(caller, input));
}
