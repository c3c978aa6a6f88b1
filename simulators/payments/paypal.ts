// The PayPal simulator: routes of Orders v2, Payments v2 and webhooks under `/paypal`.

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Answer, answerCall } from '#simulators/kit/answer.ts';
import { rawTextOf } from '#simulators/kit/bodies.ts';
import { type Choice, mountControl } from '#simulators/kit/control.ts';
import { createFaultBook, isSentinel } from '#simulators/kit/faults.ts';
import { createOutbox } from '#simulators/kit/outbox.ts';
import { textAt } from '#simulators/kit/read.ts';
import type { Context } from './context.ts';
import { certPath, createPaypalEvents } from './paypal-events.ts';
import { createPaypalOrders } from './paypal-orders.ts';
import { mountPaypalPage } from './paypal-page.ts';
import { createPaypalRefunds } from './paypal-refunds.ts';
import { eventTextOf, isSignedBy, signedText } from './paypal-signature.ts';
import { writePaypalSettlement } from './paypal-settlement.ts';
import { writeMoney } from './paypal-amounts.ts';
import { openPaypalState, type Order } from './paypal-state.ts';
import { type Bases, captureView, orderView, paypalError, refundView } from './paypal-views.ts';

const tokenSeconds = 32_400;

export function mountPaypal(context: Context): { close(): void } {
  const { app, clock, journal, shop } = context;
  const account = context.credentials.paypal;
  const bases = (): Bases => ({ api: `${context.apiOrigin()}/paypal`, page: `${context.pageOrigin()}/paypal` });
  const state = openPaypalState(journal);
  const faults = createFaultBook();
  const isAcknowledged = (status: number) => status >= 200 && status < 300;
  const outbox = createOutbox({ provider: 'paypal', journal, shop, clock, isAcknowledged });
  const events = createPaypalEvents(context, outbox, bases);
  const orders = createPaypalOrders(context, state, events, bases);
  const refunds = createPaypalRefunds(context, state, events, bases);
  const spent500 = new Set<string>();
  orders.resume();

  // The token carries its own end and proof, so that it outlives a restart as PayPal's do.
  const tokenFor = (endsAt: number) =>
    `A21AA${endsAt}.${createHmac('sha256', account.tokenKey).update(String(endsAt)).digest('base64url')}`;
  const isTokenGood = (token: string) => {
    const endsAt = Number(/^A21AA(\d+)\./.exec(token)?.[1] ?? 0);
    return endsAt > clock.now() && isSame(token, tokenFor(endsAt));
  };

  const headerOf = (request: FastifyRequest, name: string) => {
    const value = request.headers[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const isWhole = (request: FastifyRequest) => headerOf(request, 'prefer') === 'return=representation';

  function call(
    request: FastifyRequest,
    reply: FastifyReply,
    operation: string,
    perform: (fault: string | undefined) => Answer | Promise<Answer>,
    ownFault?: string,
  ): Promise<FastifyReply> {
    const token = /^Bearer (.+)$/.exec(headerOf(request, 'authorization') ?? '')?.[1] ?? '';
    if (!isTokenGood(token)) {
      const body = { error: 'invalid_token', error_description: 'Token signature verification failed' };
      return answerCall(reply, clock, undefined, () => ({ status: 401, body }));
    }
    if (request.method === 'POST' && !headerOf(request, 'content-type')?.startsWith('application/json')) {
      return answerCall(reply, clock, undefined, () => paypalError('UNSUPPORTED_MEDIA_TYPE'));
    }
    const fault = faults.take(operation) ?? ownFault;
    return answerCall(reply, clock, fault, () => perform(fault));
  }

  app.post('/paypal/v1/oauth2/token', (request, reply) =>
    answerCall(reply, clock, faults.take('token'), () => {
      const expected = `Basic ${Buffer.from(`${account.clientId}:${account.clientSecret}`).toString('base64')}`;
      if (!isSame(headerOf(request, 'authorization') ?? '', expected)) {
        return { status: 401, body: { error: 'invalid_client', error_description: 'Client Authentication failed' } };
      }
      if (textAt(request.body, 'grant_type') !== 'client_credentials') {
        return { status: 400, body: { error: 'unsupported_grant_type', error_description: 'unsupported grant_type' } };
      }
      const access_token = tokenFor(clock.now() + tokenSeconds * 1000);
      return { status: 200, body: { access_token, token_type: 'Bearer', expires_in: tokenSeconds, scope: '*' } };
    }),
  );

  app.post('/paypal/v2/checkout/orders', (request, reply) =>
    call(request, reply, 'create', (fault) =>
      orders.create(
        request.body,
        headerOf(request, 'paypal-request-id'),
        isWhole(request),
        fault && isSentinel(fault) && fault !== 'timeout' && fault !== 'error500' ? fault : undefined,
      ),
    ),
  );

  app.get<{ Params: { id: string } }>('/paypal/v2/checkout/orders/:id', (request, reply) =>
    call(request, reply, 'query', () => {
      const order = state.orders.get(request.params.id);
      if (!order) return paypalError('RESOURCE_NOT_FOUND', 'INVALID_RESOURCE_ID', 'order_id');
      return { status: 200, body: orderView(order, bases(), true) };
    }),
  );

  app.post<{ Params: { id: string } }>('/paypal/v2/checkout/orders/:id/capture', (request, reply) => {
    const order = state.orders.get(request.params.id);
    const requestId = headerOf(request, 'paypal-request-id');
    // A capture repeated under its own request id answers what the first one answered; under another id it is refused.
    if (order?.capture && requestId && state.replayed('refund', `capture:${requestId}`, clock.now()) === order.id) {
      return call(request, reply, 'query', () => ({ status: 200, body: orderView(order, bases(), isWhole(request)) }));
    }
    return call(
      request,
      reply,
      'capture',
      async () => {
        if (order?.status === 'APPROVED')
          state.rememberRequest('refund', requestId && `capture:${requestId}`, order.id, clock.now());
        return orders.capture(request.params.id, isWhole(request));
      },
      order && captureFault(order, spent500),
    );
  });

  app.get<{ Params: { id: string } }>('/paypal/v2/payments/captures/:id', (request, reply) =>
    call(request, reply, 'query', () => {
      const order = state.orderOfCapture(request.params.id);
      if (!order?.capture) return paypalError('RESOURCE_NOT_FOUND', 'INVALID_RESOURCE_ID', 'capture_id');
      return { status: 200, body: captureView(order, order.capture, bases()) };
    }),
  );

  app.post<{ Params: { id: string } }>('/paypal/v2/payments/captures/:id/refund', (request, reply) =>
    call(request, reply, 'refund', () =>
      refunds.refund(request.params.id, request.body, headerOf(request, 'paypal-request-id')),
    ),
  );

  app.get<{ Params: { id: string } }>('/paypal/v2/payments/refunds/:id', (request, reply) =>
    call(request, reply, 'query', () => {
      const refund = state.refunds.get(request.params.id);
      if (!refund) return paypalError('RESOURCE_NOT_FOUND', 'INVALID_RESOURCE_ID', 'refund_id');
      return { status: 200, body: refundView(refund, bases()) };
    }),
  );

  app.post('/paypal/v1/notifications/verify-webhook-signature', (request, reply) =>
    call(request, reply, 'verify', () => {
      const read = (name: string) => textAt(request.body, name) ?? '';
      const rawBody = eventTextOf(rawTextOf(request)) ?? '';
      const [transmissionId, time] = [read('transmission_id'), read('transmission_time')];
      const text = signedText({ transmissionId, time, webhookId: read('webhook_id'), rawBody });
      const isGood =
        read('webhook_id') === account.webhookId && isSignedBy(text, read('transmission_sig'), account.certificate);
      return { status: 200, body: { verification_status: isGood ? 'SUCCESS' : 'FAILURE' } };
    }),
  );

  app.get(`/paypal${certPath}`, (_request, reply) => reply.type('application/x-pem-file').send(account.certificate));

  const decide = (order: Order, choice: Choice) =>
    orders.approve(order, {
      faults: choice.note,
      isLater: choice.decision === 'later',
      isInstrumentDeclined: choice.rawNote.includes('instrument-declined'),
    });
  mountPaypalPage(context, state, decide);

  const show = (order: Order) => ({ reference: order.customId, ...order });
  const onOrder = async (key: string, run: (order: Order) => unknown) => {
    const order = state.find(key);
    if (!order) return undefined;
    await run(order);
    return show(order);
  };
  mountControl(app, {
    name: 'paypal',
    faults,
    outbox,
    list: () => [...state.orders.values()].map(show),
    find: (key) => state.find(key) && show(state.find(key)!),
    pay: (key, choice) =>
      onOrder(key, (order) => (choice.decision === 'decline' || isDone(order) ? undefined : decide(order, choice))),
    settle: (key) => onOrder(key, orders.settle),
    chargeback: (key) => onOrder(key, refunds.chargeback),
    refund: (key, part) =>
      onOrder(key, ({ capture }) => {
        const amount = capture && part !== undefined ? writeMoney({ ...capture.amount, amountMinor: part }) : undefined;
        return capture && refunds.refund(capture.id, amount ? { amount } : {}, undefined);
      }),
    settlement: (date) => writePaypalSettlement(state.settlement.ofDay(date), date, account.clientId),
    emit: (key, kind) => onOrder(key, (order) => events.emit(order, kind)),
  });
  return { close: outbox.close };
}

const isDone = (order: Order) => order.status === 'APPROVED' || order.status === 'COMPLETED';

/** The note's words that concern the capture call itself. The 500 comes once, so that a retry heals it. */
function captureFault(order: Order, spent500: Set<string>): string | undefined {
  if (order.faults.includes('timeout') && !order.capture) return 'timeout';
  if (!order.faults.includes('error500') || spent500.has(order.id)) return undefined;
  spent500.add(order.id);
  return 'error500';
}

function isSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
