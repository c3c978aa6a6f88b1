// The balance on the wire, and the operator's credit call, whose raw bytes are what was signed.
import type { FastifyInstance } from 'fastify';
import { walletRoutes } from '#contracts/wallet.ts';
import { type HttpDeps, mountRoute, siteOfRequest } from '#server/platform/http/http.ts';
import { hostOf } from '#server/platform/http/site.ts';
import type { WalletService } from './service.ts';

export function mountWalletRoutes(app: FastifyInstance, http: HttpDeps, wallet: WalletService): void {
  mountRoute(app, http, walletRoutes.balance, (_input, caller) => wallet.balance(caller));

  app.register(async (inside) => {
    inside.removeAllContentTypeParsers();
    inside.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    inside.post('/internal/wallet/credit', { schema: { hide: true } as never }, async (request, reply) => {
      const site = siteOfRequest(http, request);
      const header = (name: string) => String(request.headers[name] ?? '');
      const answer =
        site &&
        (await wallet.credit(site, {
          method: request.method,
          host: hostOf(request) ?? '',
          path: request.url.split('?', 1)[0] ?? '',
          timestamp: header('x-timestamp'),
          nonce: header('x-nonce'),
          signature: header('x-signature'),
          body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
        }));
      if (!answer) return reply.code(404).type('text/plain; charset=utf-8').send('Not Found');
      return reply.code(answer.status).type('application/json; charset=utf-8').send(answer.body);
    });
  });
}
