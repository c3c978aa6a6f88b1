// The Adyen simulator: Checkout API and the payment link's page under `/adyen`.

import type { FastifyReply } from 'fastify';
import { type Choice, mountControl, readChoice } from '#simulators/kit/control.ts';
import { createFaultBook } from '#simulators/kit/faults.ts';
import { sendHostedPage, sendMessagePage } from '#simulators/kit/hosted-page.ts';
import { showAmount } from '#simulators/kit/money.ts';
import { createOutbox } from '#simulators/kit/outbox.ts';
import type { Look } from '#simulators/kit/page.ts';
import { decimalsOf } from './adyen-amounts.ts';
import { mountAdyenApi } from './adyen-api.ts';
import { createAdyenEvents } from './adyen-events.ts';
import { createAdyenPay } from './adyen-pay.ts';
import { writeAdyenSettlement } from './adyen-settlement.ts';
import { openAdyenState, type Payment, type PaymentLink } from './adyen-state.ts';
import type { Context } from './context.ts';

const look: Look = {
  accent: '#12603a',
  ground: '#f7f8f9',
  ink: '#0b1f33',
  radius: '12px',
  font: "'Segoe UI', system-ui, sans-serif",
};

export function mountAdyen(context: Context): { close(): void } {
  const { app, clock, journal, shop } = context;
  const state = openAdyenState(journal);
  const faults = createFaultBook();
  // @source docs.adyen.com, handle webhook events
  const isAcknowledged = (status: number) => status === 200 || status === 202;
  const outbox = createOutbox({ provider: 'adyen', journal, shop, clock, isAcknowledged });
  const events = createAdyenEvents(context, outbox);
  const pay = createAdyenPay(context, state, events);
  pay.resume();
  mountAdyenApi(context, state, { pay, events, faults });

  const decide = (link: PaymentLink, choice: Choice): Promise<Payment> =>
    choice.decision === 'decline' ? pay.decline(link) : pay.pay(link, choice.note, choice.decision === 'later');

  const isOpen = (link: PaymentLink) => link.status === 'active' && Date.parse(link.expiresAt) > clock.now();

  /** Shows the link's page once there is nothing to decide. Adyen does not redirect: it offers a button. */
  function sendResult(reply: FastifyReply, link: PaymentLink): FastifyReply {
    const payment = state.paymentOf(link);
    const isSilent = payment?.faults.includes('late') ?? false;
    const say = (heading: string, text: string, status = 200) =>
      sendMessagePage(reply, {
        provider: 'Adyen',
        look,
        heading,
        text,
        status,
        ...(link.returnUrl && !isSilent ? { next: { label: 'Continue', url: link.returnUrl } } : {}),
      });
    if (link.status === 'completed') return say('Payment successful', `Reference ${link.reference}.`);
    if (link.status === 'paymentPending')
      return say('Payment pending', 'We will tell the merchant when it is completed.');
    return say('This link has expired', 'Please start again in the shop.', 410);
  }

  function sendForm(reply: FastifyReply, link: PaymentLink, notice?: string): FastifyReply {
    return sendHostedPage(reply, {
      provider: 'Adyen',
      look,
      heading: 'Pay by link',
      merchant: context.credentials.adyen.merchantAccount,
      description: link.description ?? 'Order',
      amountText: showAmount(link.amount, decimalsOf(link.amount.currency)),
      reference: link.reference,
      action: `/adyen/pay/${link.id}`,
      hidden: {},
      lines: [['Card', 'Visa ending 1111']],
      ...(notice ? { notice } : {}),
    });
  }

  type ById = { Params: { id: string } };
  const noLink = (reply: FastifyReply) =>
    sendMessagePage(reply, {
      provider: 'Adyen',
      look,
      status: 404,
      heading: 'No such link',
      text: 'This link is not valid.',
    });

  app.get<ById>('/adyen/pay/:id', (request, reply) => {
    const link = state.links.get(request.params.id);
    if (!link) return noLink(reply);
    if (!isOpen(link)) return sendResult(reply, link);
    const wasRefused = state.paymentOf(link)?.status === 'refused';
    return sendForm(reply, link, wasRefused ? 'The payment was refused. You can try again.' : undefined);
  });

  app.post<ById>('/adyen/pay/:id', async (request, reply) => {
    const link = state.links.get(request.params.id);
    if (!link) return noLink(reply);
    const choice = readChoice(request.body);
    if (isOpen(link)) await decide(link, choice);
    // A refused payer stays at the same link and may leave by the button.
    if (choice.decision !== 'decline' || !isOpen(link)) return sendResult(reply, link);
    return sendMessagePage(reply, {
      provider: 'Adyen',
      look,
      heading: 'Payment refused',
      text: 'The payment was refused. The same link can be used again.',
      ...(link.returnUrl ? { next: { label: 'Continue', url: link.returnUrl } } : {}),
    });
  });

  const show = (link: PaymentLink) => ({ ...link, payment: state.paymentOf(link) });
  const onLink = async (key: string, run: (link: PaymentLink, payment: Payment | undefined) => unknown) => {
    const link = state.findLink(key);
    if (!link || (await run(link, state.payments.get(key) ?? state.paymentOf(link))) === false) return undefined;
    return show(link);
  };
  mountControl(app, {
    name: 'adyen',
    faults,
    outbox,
    list: () => [...state.links.values()].map(show),
    find: (key) => state.findLink(key) && show(state.findLink(key)!),
    pay: (key, choice) => onLink(key, (link) => isOpen(link) && decide(link, choice)),
    settle: (key) => onLink(key, (_link, payment) => payment && pay.settle(payment)),
    chargeback: (key) => onLink(key, (_link, payment) => payment !== undefined && pay.chargeback(payment)),
    refund: (key, part) =>
      onLink(key, (_link, payment) => {
        if (payment?.status !== 'captured') return false;
        const amountMinor = part ?? payment.amount.amountMinor - payment.refundedMinor;
        return pay.modify(payment, 'refunds', { ...payment.amount, amountMinor }, undefined);
      }),
    settlement: (date) => writeAdyenSettlement(state.settlement.ofDay(date), context.credentials.adyen.merchantAccount),
    emit: (key, kind) => onLink(key, (_link, payment) => payment !== undefined && events.emit(payment, kind)),
  });
  return { close: outbox.close };
}
