// Airwallex's API: logging in, payment intents, refunds.

import type { Answer } from '#simulators/kit/answer.ts';
import { type FaultBook, isSentinel } from '#simulators/kit/faults.ts';
import { randomHex } from '#simulators/kit/ids.ts';
import { at, textAt } from '#simulators/kit/read.ts';
import { base, createAirwallexGate, fault, isAnswer, notFound } from './airwallex-gate.ts';
import type { AirwallexPay } from './airwallex-pay.ts';
import { type AirwallexAccount, type AirwallexState, type Intent, newId } from './airwallex-state.ts';
import { readMajor, writeIntent, writeRefund } from './airwallex-views.ts';
import type { Context } from './context.ts';

/** Wallets that a server may confirm; cards may only be paid on Airwallex's own page. */
const wallets = new Set(['alipaycn', 'alipayhk', 'kakaopay', 'gcash', 'dana', 'tng', 'truemoney']);

export function mountAirwallexApi(
  context: Context,
  account: AirwallexAccount,
  state: AirwallexState,
  parts: { pay: AirwallexPay; faults: FaultBook },
): void {
  const { app, clock } = context;
  const { pay, faults } = parts;
  const { call, once } = createAirwallexGate(context, account, state, faults);

  const walletUrl = (intent: Intent) => `${context.pageOrigin()}/airwallex/wallet/${intent.id}`;
  const view = (intent: Intent, status = 200): Answer => {
    const isWaiting = intent.status === 'REQUIRES_CUSTOMER_ACTION' && wallets.has(intent.method ?? '');
    return { status, body: writeIntent(intent, clock.now(), isWaiting ? walletUrl(intent) : undefined) };
  };

  app.post(`${base}/pa/payment_intents/create`, (request, reply) =>
    call(request, reply, 'create', async (spoiled) => {
      const made = once(request, 'create', (requestId) => {
        const intent = readIntent(request.body, requestId, clock.now());
        if (isAnswer(intent)) return intent;
        if (spoiled && isSentinel(spoiled) && spoiled !== 'timeout' && spoiled !== 'error500')
          intent.faults = [spoiled];
        state.save(intent);
        return intent;
      });
      if (typeof made !== 'string') return made;
      const intent = state.intents.get(made);
      if (!intent) return notFound();
      // The shop hears of the payment while it still waits, so the answer shows the intent as it was made.
      const answer = view(intent, 201);
      if (intent.faults.includes('early')) await pay.pay(intent, [], false);
      return answer;
    }),
  );

  app.get(`${base}/pa/payment_intents`, (request, reply) => {
    const orderId = textAt(request.query, 'merchant_order_id');
    const intent = orderId === undefined ? undefined : state.find(orderId);
    const list = () => {
      if (orderId === undefined) return listOf(request.query);
      return { status: 200, body: { has_more: false, items: intent ? [view(intent).body] : [] } };
    };
    return call(request, reply, 'query', list, intent);
  });

  /** @source npm @airwallex/node-sdk, listPaymentIntents. UNSURE: pages from 0, ten on each unless told */
  function listOf(query: unknown) {
    const from = Date.parse((textAt(query, 'from_created_at') ?? '').replace('+0000', 'Z'));
    const [size, page] = [Number(textAt(query, 'page_size') ?? 10), Number(textAt(query, 'page_num') ?? 0)];
    const found = [...state.intents.values()].filter((one) => Number.isNaN(from) || one.createdAt >= from);
    const items = found.slice(page * size, (page + 1) * size).map((one) => view(one).body);
    return { status: 200, body: { has_more: found.length > (page + 1) * size, items } };
  }

  type ById = { Params: { id: string } };
  app.get<ById>(`${base}/pa/payment_intents/:id`, (request, reply) => {
    const intent = state.intents.get(request.params.id);
    return call(request, reply, 'query', () => (intent ? view(intent) : notFound()), intent);
  });

  app.post<ById>(`${base}/pa/payment_intents/:id/confirm`, (request, reply) =>
    call(request, reply, 'confirm', () => {
      const intent = state.intents.get(request.params.id);
      if (!intent) return notFound();
      const type = textAt(request.body, 'payment_method.type') ?? '';
      const made = once(request, `confirm ${intent.id}`, () => {
        if (!wallets.has(type)) return fault(400, 'validation_error', `payment_method.type ${type} is not enabled`);
        const flow = textAt(request.body, `payment_method.${type}.flow`);
        if (flow !== 'webqr' && flow !== 'mobile_web') return fault(400, 'validation_error', 'flow is required');
        if (!pay.isOpen(intent)) return fault(400, 'invalid_status_for_operation', `The status is ${intent.status}`);
        Object.assign(intent, { method: type, attemptId: newId('att'), status: 'REQUIRES_CUSTOMER_ACTION' });
        state.save(intent);
        return intent;
      });
      return typeof made === 'string' ? view(intent) : made;
    }),
  );

  app.post<ById>(`${base}/pa/payment_intents/:id/cancel`, (request, reply) =>
    call(request, reply, 'cancel', async () => {
      const intent = state.intents.get(request.params.id);
      if (!intent) return notFound();
      if (!textAt(request.body, 'request_id')) return fault(400, 'validation_error', 'request_id is required');
      if (intent.status === 'CANCELLED') return view(intent);
      if (!pay.isOpen(intent)) return fault(400, 'invalid_status_for_operation', `The status is ${intent.status}`);
      await pay.cancel(intent);
      return view(intent);
    }),
  );

  app.post(`${base}/pa/refunds/create`, (request, reply) =>
    call(request, reply, 'refund', () => {
      const intent = state.intents.get(textAt(request.body, 'payment_intent_id') ?? '');
      if (!intent?.captured) return fault(400, 'resource_not_found', 'No payment to refund');
      const { captured } = intent;
      const made = once(request, 'refund', (requestId) => {
        const amount = at(request.body, 'amount') === undefined ? captured : readMajor(request.body, captured.currency);
        const refund =
          amount &&
          pay.refund(intent, {
            requestId,
            amount,
            reason: textAt(request.body, 'reason'),
            metadata: at(request.body, 'metadata'),
          });
        return refund ?? fault(400, 'amount_above_limit', 'The refund is more than is left of the payment');
      });
      if (typeof made !== 'string') return made;
      const refund = state.refunds.get(made);
      return refund ? { status: 201, body: writeRefund(refund) } : notFound();
    }),
  );

  app.get(`${base}/pa/refunds`, (request, reply) =>
    call(request, reply, 'query', () => {
      const intentId = textAt(request.query, 'payment_intent_id');
      const items = [...state.refunds.values()].filter((one) => one.intentId === intentId).map(writeRefund);
      return { status: 200, body: { has_more: false, items } };
    }),
  );
}

function readIntent(body: unknown, requestId: string, now: number): Intent | Answer {
  const amount = readMajor(body);
  if (!amount)
    return fault(400, 'validation_error', 'amount must be a positive number in the precision of its currency');
  const orderId = textAt(body, 'merchant_order_id');
  if (!orderId) return fault(400, 'validation_error', 'merchant_order_id is required');
  return {
    id: newId('int'),
    requestId,
    amount,
    orderId,
    returnUrl: textAt(body, 'return_url'),
    product: textAt(body, 'order.products.0.name') ?? 'Order',
    metadata: at(body, 'metadata'),
    clientSecret: randomHex(16),
    status: 'REQUIRES_PAYMENT_METHOD',
    method: undefined,
    attemptId: undefined,
    captured: undefined,
    refundedMinor: 0,
    faults: [],
    createdAt: now,
    settlesAt: undefined,
  };
}
