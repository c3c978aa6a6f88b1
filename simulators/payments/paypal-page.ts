// The page on which a payer approves a PayPal order.

import type { FastifyReply } from 'fastify';
import type { Context } from './context.ts';
import { type Choice, readChoice } from '#simulators/kit/control.ts';
import { sendHostedPage, sendMessagePage } from '#simulators/kit/hosted-page.ts';
import { showAmount } from '#simulators/kit/money.ts';
import type { Look } from '#simulators/kit/page.ts';
import { textAt } from '#simulators/kit/read.ts';
import { decimalsOf } from './paypal-amounts.ts';
import type { Order, PaypalState } from './paypal-state.ts';
import { payerIdOf } from './paypal-views.ts';

const look: Look = {
  accent: '#1b4f9c',
  ground: '#ffffff',
  ink: '#1a2233',
  radius: '1.5rem',
  font: 'Verdana, Geneva, sans-serif',
};

export function mountPaypalPage(
  context: Context,
  state: PaypalState,
  decide: (order: Order, choice: Choice) => Promise<void>,
): void {
  const notFound = (reply: FastifyReply) =>
    sendMessagePage(reply, {
      provider: 'PayPal',
      look,
      status: 404,
      heading: 'Nothing to pay here',
      text: 'This link is not valid.',
    });

  context.app.get('/paypal/checkoutnow', (request, reply) => {
    const order = state.orders.get(textAt(request.query, 'token') ?? '');
    if (!order) return notFound(reply);
    if (order.status === 'APPROVED' || order.status === 'COMPLETED') {
      const url = returnAddress(order, true);
      return sendMessagePage(reply, {
        provider: 'PayPal',
        look,
        heading: 'Already approved',
        text: 'You have approved this payment.',
        ...(url ? { next: { label: 'Return to merchant', url } } : {}),
      });
    }
    return sendHostedPage(reply, {
      provider: 'PayPal',
      look,
      heading: 'Approve this payment',
      merchant: order.brandName ?? 'Merchant',
      description: order.description ?? 'Order',
      amountText: showAmount(order.amount, decimalsOf(order.amount.currency)),
      reference: order.id,
      action: '/paypal/checkoutnow',
      hidden: { token: order.id },
      lines: [['Pay with', 'Balance, payer@example.com']],
      extraSentinels: {
        'instrument-declined': 'You approve, but the capture is refused; the same link can be used again.',
      },
    });
  });

  context.app.post('/paypal/checkoutnow', async (request, reply) => {
    const order = state.orders.get(textAt(request.body, 'token') ?? '');
    if (!order) return notFound(reply);
    const choice = readChoice(request.body);
    const isOpen = order.status === 'CREATED' || order.status === 'PAYER_ACTION_REQUIRED';
    if (isOpen && choice.decision !== 'decline') await decide(order, choice);
    const url = returnAddress(order, choice.decision !== 'decline');
    if (order.faults.includes('late') || !url) {
      return sendMessagePage(reply, {
        provider: 'PayPal',
        look,
        heading: 'Approved',
        text: 'You may close this window.',
      });
    }
    return reply.redirect(url, 303);
  });
}

/**
 * PayPal sends the payer to this address: `token` is the order id. @source PayPal, redirect flow (parameter names long
 * stable, not in the OpenAPI)
 */
function returnAddress(order: Order, isApproved: boolean): string | undefined {
  const target = isApproved ? order.returnUrl : order.cancelUrl;
  if (!target) return undefined;
  const url = new URL(target);
  url.searchParams.set('token', order.id);
  if (isApproved) url.searchParams.set('PayerID', payerIdOf(order));
  return url.href;
}
