// Make-up payments on the wire. Paying one is a pay call: see orders.
import type { FastifyInstance } from 'fastify';
import { replenishRoutes } from '#contracts/replenish.ts';
import { type HttpDeps, mountRoute, ownOriginOf, siteOfRequest } from '#server/platform/http/http.ts';
import { hostOf } from '#server/platform/http/site.ts';
import type { ReplenishService } from './service.ts';

export function mountReplenishRoutes(app: FastifyInstance, http: HttpDeps, replenish: ReplenishService): void {
  mountRoute(app, http, replenishRoutes.gameList, (input, caller) => replenish.gameList(caller, input));
  mountRoute(app, http, replenishRoutes.info, (input, caller) => replenish.info(caller, input));
  mountRoute(app, http, replenishRoutes.countries, (input, caller) => replenish.countries(caller, input));

  // The raw bytes are what was signed, so nothing is parsed before.
  app.register(async (outside) => {
    outside.removeAllContentTypeParsers();
    outside.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: 4096 }, (_request, body, done) =>
      done(null, body),
    );
    outside.post<{ Params: { clientId: string } }>(
      '/service/replenish/:clientId',
      { schema: { hide: true } as never },
      async (request, reply) => {
        const site = siteOfRequest(http, request);
        const header = (name: string) => String(request.headers[name] ?? '');
        const answer =
          site &&
          (await replenish.open(site, ownOriginOf(http, request), {
            to: `${hostOf(request) ?? ''}${request.url.split('?', 1)[0]}`,
            clientId: request.params.clientId,
            headers: {
              id: header('webhook-id'),
              timestamp: header('webhook-timestamp'),
              signature: header('webhook-signature'),
            },
            body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
          }));
        if (!answer) return reply.code(404).type('text/plain; charset=utf-8').send('Not Found');
        return reply.code(answer.status).type('application/json; charset=utf-8').send(answer.body);
      },
    );
  });
}
