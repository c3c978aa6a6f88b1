// Pay calls, the poll, the history, providers' callbacks and the way back from a provider's page.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { orderRoutes } from '#contracts/orders.ts';
import { payRoutes } from '#contracts/payments.ts';
import { type HttpDeps, mountRoute, siteOfRequest } from '#server/platform/http.ts';
import type { OrdersService } from './service.ts';

export function mountOrderRoutes(app: FastifyInstance, http: HttpDeps, orders: OrdersService): void {
  for (const [name, declaration] of Object.entries(payRoutes)) {
    mountRoute(app, http, declaration, (input, caller) => orders.pay(caller, name, input));
  }
  mountRoute(app, http, orderRoutes.getOrderInfo, (input, caller) => orders.orderInfo(caller, input));
  mountRoute(app, http, orderRoutes.history, (input, caller) => orders.history(caller, input));

  // Back from the provider's page. Nothing in the address is believed but the reference; the page polls for the truth.
  app.get<{ Params: { provider: string }; Querystring: { ref?: string } }>(
    '/return/:provider',
    async (request, reply) => {
      const site = siteOfRequest(http, request);
      const back = site && (await orders.comeBack(site.brandKey, request.query.ref ?? ''));
      return reply.redirect(back ? `/result?billing_no=${back.billingNo}` : '/', 303);
    },
  );

  // The raw bytes are what was signed, whatever the content type says; so this plugin parses nothing.
  app.register(async (callbacks) => {
    callbacks.removeAllContentTypeParsers();
    callbacks.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    callbacks.route<{ Params: { provider: string } }>({
      method: ['GET', 'POST'],
      url: '/callback/:provider',
      handler: async (request, reply) => {
        const site = siteOfRequest(http, request);
        const answer = site && (await orders.takeCallback(request.params.provider, site.mode, toRaw(request)));
        if (!answer) return reply.code(404).type('text/plain; charset=utf-8').send('Not Found');
        return reply.code(answer.status).type(answer.contentType).send(answer.body);
      },
    });
  });
}

function toRaw(request: FastifyRequest) {
  const headers = Object.entries(request.headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(', ') : (value ?? ''),
  ]);
  return {
    method: request.method,
    headers: Object.fromEntries(headers) as Record<string, string>,
    query: request.query as Record<string, string>,
    body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
    ip: request.ip,
  };
}
