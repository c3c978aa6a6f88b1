// Pay calls, the poll, the history, providers' callbacks and the way back from a provider's page.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { giftCardRoutes } from '#contracts/giftcards.ts';
import { orderRoutes } from '#contracts/orders.ts';
import { payRoutes } from '#contracts/payments.ts';
import { type AttemptRef, readAttemptRef } from '#kernel/ids.ts';
import { directionOf, toBcp47 } from '#kernel/languages.ts';
import { type Caller, type HttpDeps, mountRoute, readCaller, siteOfRequest } from '#server/platform/http/http.ts';
import { type Answer } from '#server/platform/http/answer.ts';
import { type OwnPath, toOwnPath } from '#kernel/own-path.ts';
import { markAddress, readMark } from '#server/platform/http/page-mark.ts';
import { redirectTo } from '#server/platform/http/redirect.ts';
import { writeRelayPage } from '#server/platform/http/relay-page.ts';
import type { OrdersService } from './service.ts';
import { plainAddress } from '#server/platform/http/plain-address.ts';

const PAY_PAGES = '/pay/';

const markPayPage = (request: FastifyRequest, caller: Caller, url: string): string =>
  markAddress(request, caller, url, PAY_PAGES);

/** The answer with an address that opens beside a frame as well. */
function withUrl<Content extends { url: string }>(
  answer: Answer<Content>,
  request: FastifyRequest,
  caller: Caller,
): Answer<Content> {
  const { content } = answer;
  return content ? { ...answer, content: withMarkedUrl(content, request, caller) } : answer;
}

const withMarkedUrl = <Content extends { url: string }>(content: Content, request: FastifyRequest, caller: Caller) => ({
  ...content,
  url: markPayPage(request, caller, content.url),
});

const CALLBACK = '/callback/:provider';

export function mountOrderRoutes(app: FastifyInstance, http: HttpDeps, orders: OrdersService): void {
  for (const [name, declaration] of Object.entries(payRoutes)) {
    mountRoute(app, http, declaration, async (input, caller, { request }) => {
      const answer = withUrl(await orders.pay(caller, name, input), request, caller);
      const open = answer.content?.open_orders?.map((order) => withMarkedUrl(order, request, caller));
      return answer.content && open ? { ...answer, content: { ...answer.content, open_orders: open } } : answer;
    });
  }
  mountRoute(app, http, giftCardRoutes.confirm, (input, caller) => orders.confirmCard(caller, input));
  mountRoute(app, http, orderRoutes.getOrderInfo, async (input, caller, { request }) =>
    withUrl(await orders.orderInfo(caller, input), request, caller),
  );
  mountRoute(app, http, orderRoutes.cancel, async (input, caller, { request }) =>
    withUrl(await orders.cancel(caller, input), request, caller),
  );
  mountRoute(app, http, orderRoutes.history, async (input, caller, { request }) => {
    const { content, ...answer } = await orders.history(caller, input);
    const list = content?.list.map((order) => withMarkedUrl(order, request, caller));
    return { ...answer, content: content && list ? { ...content, list } : null };
  });

  mountPayPage(app, http, orders);

  // The raw bytes are what was signed, whatever the content type says; so this plugin parses nothing.
  app.register(async (outside) => {
    outside.removeAllContentTypeParsers();
    outside.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    // Back from the provider's page, by link or by form. Nothing in the address is believed but the reference;
    // the page polls for the truth.
    outside.route<{ Params: { provider: string }; Querystring: { ref?: string } }>({
      method: ['GET', 'POST'],
      url: '/return/:provider',
      handler: async (request, reply) => {
        const site = siteOfRequest(http, request);
        if (!site) return reply.code(404).type('text/plain; charset=utf-8').send('Not Found');
        const { provider } = request.params;
        const back = await orders.handleReturn(site.brandKey, provider, request.query.ref ?? '', toRaw(request, ''));
        if (back?.answer) return reply.code(back.answer.status).type(back.answer.contentType).send(back.answer.body);
        return redirectTo(reply, resultPath(back?.billingNo));
      },
    });
    for (const url of [CALLBACK, `${CALLBACK}/:topic`]) {
      outside.route<{ Params: { provider: string; topic?: string } }>({
        method: ['GET', 'POST'],
        url,
        handler: async (request, reply) => {
          const site = siteOfRequest(http, request);
          const { provider, topic = '' } = request.params;
          const answer = site && (await orders.takeCallback(provider, toRaw(request, topic)));
          if (!answer) return reply.code(404).type('text/plain; charset=utf-8').send('Not Found');
          return reply.code(answer.status).type(answer.contentType).send(answer.body);
        },
      });
    }
  });
}

const resultPath = (billingNo: string | undefined): OwnPath =>
  toOwnPath(billingNo ? `/result?billing_no=${encodeURIComponent(billingNo)}` : '/');

/**
 * `/pay/<provider>/<reference>`: leads the order's own player on to the provider, by a form
 * or by the provider's script.
 */
function mountPayPage(app: FastifyInstance, http: HttpDeps, orders: OrdersService): void {
  app.get<{ Params: { provider: string; reference: string } }>('/pay/:provider/:reference', async (request, reply) => {
    const site = siteOfRequest(http, request);
    if (!site) return reply.code(404).type('text/plain; charset=utf-8').send('Not Found');
    const { session: ofCookie, ...caller } = await readCaller(http, request, site, {});
    const session = (await readMark(http.db, request, site.brandKey)) ?? ofCookie;
    const { provider, reference } = request.params;
    const page = session && (await orders.payPage({ ...caller, session }, provider, reference));
    const billingNo = readAttemptRef(reference as AttemptRef)?.billingNo;
    const backPath = resultPath(billingNo);
    if (!page || page.kind === 'closed') return redirectTo(reply, backPath);
    const { language } = caller;
    const { html, policy } = writeRelayPage({
      ...page,
      language: toBcp47(language),
      direction: directionOf(language),
      title: http.texts(language, 'result.pending_title'),
      button: http.texts(language, 'result.to_pay'),
      backPath,
    });
    return reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(html);
  });
}

function toRaw(request: FastifyRequest, topic: string) {
  const headers = Object.entries(request.headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(', ') : (value ?? ''),
  ]);
  return {
    method: request.method,
    path: request.url.split('?', 1)[0] ?? '/',
    topic,
    headers: Object.fromEntries(headers) as Record<string, string>,
    query: request.query as Record<string, string>,
    body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
    ip: plainAddress(request),
  };
}
