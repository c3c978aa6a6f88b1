// The Xsolla simulator: merchant API and Pay Station page under `/xsolla`.

import type { FastifyReply } from 'fastify';
import { type Choice, mountControl, readChoice } from '#simulators/kit/control.ts';
import { createFaultBook } from '#simulators/kit/faults.ts';
import { sendHostedPage, sendMessagePage } from '#simulators/kit/hosted-page.ts';
import { showAmount } from '#simulators/kit/money.ts';
import { createOutbox } from '#simulators/kit/outbox.ts';
import type { Look } from '#simulators/kit/page.ts';
import { at, textAt } from '#simulators/kit/read.ts';
import type { Context } from './context.ts';
import { decimalsOf } from './xsolla-amounts.ts';
import { mountXsollaApi } from './xsolla-api.ts';
import { createXsollaEvents } from './xsolla-events.ts';
import { createXsollaPay } from './xsolla-pay.ts';
import { writeXsollaSettlement } from './xsolla-settlement.ts';
import { openXsollaState, type PayToken, type Transaction } from './xsolla-state.ts';

const look: Look = {
  accent: '#0d6b5e',
  ground: '#eef3f2',
  ink: '#10211f',
  radius: '4px',
  font: "'Trebuchet MS', system-ui, sans-serif",
};

/** UNSURE: a token is good for 24 hours by long use; no current page says so. */
const tokenLivesMs = 24 * 3_600_000;

export function mountXsolla(context: Context): { close(): void } {
  const { app, clock, journal, shop } = context;
  const state = openXsollaState(journal);
  const faults = createFaultBook();
  const isAcknowledged = (status: number) => status === 200 || status === 201 || status === 204;
  const outbox = createOutbox({ provider: 'xsolla', journal, shop, clock, isAcknowledged });
  const events = createXsollaEvents(context, outbox);
  const pay = createXsollaPay(context, state, events);
  pay.resume();
  mountXsollaApi(context, state, pay, faults);

  /** The token's page may open only for a player whom the shop knows. */
  async function admit(reply: FastifyReply, token: PayToken | undefined): Promise<PayToken | undefined> {
    const refuse = (status: number, heading: string, text: string) =>
      void sendMessagePage(reply, { provider: 'Xsolla', look, status, heading, text });
    if (!token || clock.now() - token.createdAt > tokenLivesMs) {
      refuse(404, 'This payment link is not valid', 'Please start again in the shop.');
      return undefined;
    }
    const status = await events.validateUser(token);
    if (status !== undefined && status >= 200 && status < 300) return token;
    if (status !== undefined && status < 500)
      refuse(403, 'User not found', 'The shop does not know this player (user_validation).');
    else
      refuse(503, 'The shop does not answer', 'The player could not be checked (user_validation). Please try again.');
    return undefined;
  }

  app.get('/xsolla/paystation4/', async (request, reply) => {
    const token = await admit(reply, state.tokens.get(textAt(request.query, 'token') ?? ''));
    if (!token) return reply;
    const known = token.transactionId ? state.transactions.get(token.transactionId) : undefined;
    if (known && known.status !== 'error') return leave(reply, token, known);
    return sendHostedPage(reply, {
      provider: 'Xsolla',
      look,
      heading: 'Pay Station',
      merchant: `Project ${context.credentials.xsolla.projectId}`,
      description: token.description ?? 'Purchase',
      amountText: showAmount(token.amount, decimalsOf(token.amount.currency)),
      reference: token.externalId ?? 'none',
      action: '/xsolla/paystation4/',
      hidden: { token: token.token },
      lines: [['Player', token.user.name ?? token.user.id]],
      ...(known ? { notice: 'The payment was declined. You can try again.' } : {}),
    });
  });

  app.post('/xsolla/paystation4/', async (request, reply) => {
    const choice = readChoice(request.body);
    const token = await admit(reply, state.tokens.get(textAt(request.body, 'token') ?? ''));
    if (!token) return reply;
    return leave(reply, token, await decide(token, choice));
  });

  const decide = (token: PayToken, choice: Choice): Promise<Transaction> =>
    choice.decision === 'decline' ? pay.decline(token) : pay.pay(token, choice.note, choice.decision === 'later');

  const show = (token: PayToken) => ({
    reference: token.externalId,
    id: token.transactionId ?? token.token,
    ...token,
    transaction: token.transactionId ? state.transactions.get(token.transactionId) : undefined,
  });
  const tokenOf = (key: string) => state.findToken(key) ?? state.tokens.get(state.transactions.get(key)?.token ?? '');
  const onToken = async (key: string, run: (token: PayToken) => Promise<unknown>) => {
    const token = tokenOf(key);
    if (!token || (await run(token)) === false) return undefined;
    return show(token);
  };
  const onTransaction = (key: string, run: (transaction: Transaction, token: PayToken) => Promise<unknown>) =>
    onToken(key, async (token) => {
      const transaction = state.findTransaction(key) ?? state.transactions.get(token.transactionId ?? '');
      return transaction ? run(transaction, token) : false;
    });

  const returnMoney = (key: string, why: { code: number; reason: string }, amountMinor?: number) =>
    onTransaction(key, (transaction) =>
      pay.refund(transaction, amountMinor ?? transaction.amount.amountMinor - transaction.refundedMinor, why),
    );

  mountControl(app, {
    name: 'xsolla',
    faults,
    outbox,
    list: () => [...state.tokens.values()].map(show),
    find: (key) => tokenOf(key) && show(tokenOf(key)!),
    pay: (key, choice) =>
      onToken(key, async (token) => {
        const status = await events.validateUser(token);
        return status !== undefined && status < 300 ? decide(token, choice) : false;
      }),
    settle: (key) => onTransaction(key, pay.settle),
    chargeback: (key) => returnMoney(key, { code: 2, reason: 'Chargeback' }),
    refund: (key, amountMinor) => returnMoney(key, { code: 1, reason: 'By the merchant' }, amountMinor),
    settlement: (date) => writeXsollaSettlement(state.settlement.ofDay(date), context.credentials.xsolla.projectId),
    emit: (key, kind) => onTransaction(key, (transaction, token) => events.emit(token, transaction, kind)),
  });
  // Which of the two contracts the account has: only tests care.
  app.post('/control/xsolla/webhooks', (request) => {
    const asked = at(request.body, 'kinds');
    if (Array.isArray(asked))
      events.kinds.current = asked.filter((kind) => kind === 'payment' || kind === 'order_paid');
    return { kinds: events.kinds.current };
  });
  return { close: outbox.close };
}

/** Sends the payer back. UNSURE: the parameters' names are from long use; a shop must not trust them anyway. */
function leave(reply: FastifyReply, token: PayToken, transaction: Transaction): FastifyReply {
  if (!token.returnUrl || transaction.faults.includes('late')) {
    return sendMessagePage(reply, {
      provider: 'Xsolla',
      look,
      heading: 'Thank you',
      text: `Transaction ${transaction.id}. You may close this window.`,
    });
  }
  const url = new URL(token.returnUrl);
  url.searchParams.set('user_id', token.user.id);
  url.searchParams.set('invoice_id', transaction.id);
  url.searchParams.set('status', transaction.status);
  if (token.externalId) url.searchParams.set('external_id', token.externalId);
  return reply.redirect(url.href, 303);
}
