// Observes every request: its number, which page, log and trace share; its duration; and, where an operator wants one,
// its line in the log.
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '#server/platform/config.ts';
import { type Log, describeRequest } from '#server/platform/log.ts';
import { countEvent, observe } from '#server/platform/metrics/metrics.ts';
import { isRequestId, newRequestId } from '#server/platform/telemetry/request-id.ts';
import { type Work, beginRequest, endRequest, runInside } from '#server/platform/telemetry/telemetry.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null before the request is watched. */
    work: Work | null;
  }
}

/** The page names its call, so that it can tell the name of one that got no answer; else we do. */
export function chooseRequestId({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && isRequestId(given) ? given : newRequestId();
}

export function watchRequests(app: FastifyInstance, deps: { config: Pick<Config, 'hasAccessLog'>; log: Log }): void {
  const { config, log } = deps;
  app.decorateRequest('work', null);
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    const work = beginRequest(request.id, `${request.method} ${routeOf(request)}`);
    request.work = work;
    runInside(work, done);
  });
  // Reading a body leaves what began before it.
  app.addHook('preValidation', (request, _reply, done) => {
    return request.work ? runInside(request.work, done) : done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const route = routeOf(request);
    const seconds = reply.elapsedTime / 1000;
    countEvent('httpRequests', { route, status: `${Math.floor(reply.statusCode / 100)}xx` });
    observe('httpSeconds', { route }, seconds);
    const { work } = request;
    const failure = reply.statusCode >= 500 ? `answered ${reply.statusCode}` : null;
    if (work) endRequest(work, { 'http.response.status_code': reply.statusCode, 'http.route': route }, failure);
    if (config.hasAccessLog) {
      const line = { ...describeRequest(request), status: reply.statusCode, ms: Math.round(reply.elapsedTime) };
      log.info({ access: line, request: request.id }, 'answered');
    }
    done();
  });
}

/** The pattern, of which there are few; never the path, of which there is no end. */
function routeOf(request: FastifyRequest): string {
  return request.routeOptions.url ?? 'none';
}
