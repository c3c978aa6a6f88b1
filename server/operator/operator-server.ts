// The operator's port: a Fastify of its own, in every role, that no shop host leads to. It has no routes but those of
// its parts, each of which mounts its own and says itself who may call them.
import { type FastifyBaseLogger, type FastifyError, type FastifyInstance, LogController, fastify } from 'fastify';
import { disconnect } from '#server/platform/http/http-framing.ts';
import { setHeaders } from '#server/platform/http/http-headers.ts';
import { listenAt } from '#server/platform/http/listen-at.ts';
import type { Log } from '#server/platform/log.ts';
import type { OperatorConfig } from './reading-key.ts';
import { errorBody, refuse, refuseUnread } from './refusals.ts';

/** Mounts its routes on an instance of its own: hooks and error handlers of one part are none of another's. */
export type OperatorPart = (app: FastifyInstance) => void | Promise<void>;

type OperatorDeps = { readonly config: OperatorConfig; readonly log: Log };

/** Our choice: a page of an admin's questions. */
const BODY_LIMIT = 64 * 1024;

/** Listens in every role; null where no port is set. Throws when the port cannot be had. */
export async function startOperatorServer(
  deps: OperatorDeps,
  parts: readonly OperatorPart[],
): Promise<FastifyInstance | null> {
  const { operatorHost, operatorPort } = deps.config;
  if (operatorPort === 0) return null;
  const app = createOperatorServer(deps, parts);
  await listenAt(app, { host: operatorHost, port: operatorPort });
  return app;
}

export function createOperatorServer({ log }: OperatorDeps, parts: readonly OperatorPart[]): FastifyInstance {
  const app: FastifyInstance = fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    requestTimeout: 5000,
    bodyLimit: BODY_LIMIT,
    // Fastify's own answers have another form, and repeat the address.
    frameworkErrors: (error, request, reply) => {
      setHeaders(request, reply);
      refuseUnread(reply, error);
    },
    clientErrorHandler: (error, socket) =>
      disconnect(errorBody('bad_request', { message: 'the request cannot be read' }), error, socket),
  });
  app.addHook('onSend', async (request, reply) => setHeaders(request, reply));
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    if ((error.statusCode ?? 500) < 500) return refuseUnread(reply, error);
    log.error({ err: error, req: request }, 'a request of the operator failed');
    return refuse(reply, 'failed');
  });
  app.setNotFoundHandler((_request, reply) => refuse(reply, 'not_found'));
  for (const part of parts) app.register(async (own) => part(own));
  return app;
}
