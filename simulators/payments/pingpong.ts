// The PingPong simulator: API v4, signed notices and the hosted checkout, under `/pingpong`.

import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { mountControl, readChoice } from '#simulators/kit/control.ts';
import { createFaultBook } from '#simulators/kit/faults.ts';
import { sendHostedPage, sendMessagePage } from '#simulators/kit/hosted-page.ts';
import { randomHex } from '#simulators/kit/ids.ts';
import { showAmount } from '#simulators/kit/money.ts';
import { createOutbox, type CallbackDraft } from '#simulators/kit/outbox.ts';
import type { Look } from '#simulators/kit/page.ts';
import { textAt } from '#simulators/kit/read.ts';
import { createSimulatedSales, type SaleCallbacks, type Sale } from '#simulators/kit/simulated-sales.ts';
import { type Context, laterMs, type Mounted } from './context.ts';
import { type Account, contentOf, mountPingpongApi, newTransactionId, refundContent } from './pingpong-api.ts';
import { decimalsOf, signMessage } from './pingpong-wire.ts';

const look: Look = {
  accent: '#7a3d00',
  ground: '#faf6f1',
  ink: '#2a1c0f',
  radius: '6px',
  font: "'Segoe UI', system-ui, sans-serif",
};

/** @source acquirer-api-docs-v4-en.pingpongx.com, notices: 2xx, unless the body says FAIL */
const isAcknowledged = (status: number, text: string) => status >= 200 && status < 300 && text.trim() !== 'FAIL';

export function mountPingpong(context: Context): Mounted {
  const { app, clock, journal, shop } = context;
  const account = context.account<Account>(() => {
    const clientId = `20${BigInt(`0x${randomHex(8)}`)
      .toString()
      .padStart(17, '0')
      .slice(-17)}`;
    return { clientId, accId: `${clientId}291`, salt: randomHex(12).toUpperCase() };
  });
  const faults = createFaultBook();
  const outbox = createOutbox({ provider: context.name, journal, shop, clock, isAcknowledged });
  const newId = () => newTransactionId(clock.now());
  const sales = createSimulatedSales({
    journal,
    clock,
    outbox,
    faults,
    laterMs,
    newId,
    callbacks: createCallbacks(account),
  });
  mountPingpongApi(context, account, sales, faults);

  const say = (reply: FastifyReply, heading: string, text: string, status = 200): FastifyReply =>
    sendMessagePage(reply, { provider: 'PingPong', look, heading, text, status });
  const byToken = (token: string | undefined): Sale | undefined =>
    token === undefined ? undefined : [...sales.table.values()].find((sale) => sale.details['token'] === token);

  function leave(reply: FastifyReply, sale: Sale): FastifyReply {
    if (sales.isExpired(sale) || sale.status === 'closed')
      return say(reply, 'The order is closed', 'Please start again in the shop.', 410);
    if (!sale.returnUrl || sale.faults.includes('late')) return say(reply, 'Thank you', 'You may close this window.');
    return reply.redirect(sale.returnUrl, 303);
  }

  app.get('/pingpong/v3/checkout', (request, reply) => {
    const token = textAt(request.query, 'token');
    const sale = byToken(token);
    if (!sale || token === undefined) return say(reply, 'No such order', 'This order is not known.', 404);
    if (!sales.isOpen(sale)) return leave(reply, sale);
    return sendHostedPage(reply, {
      provider: 'PingPong',
      look,
      heading: 'Checkout',
      merchant: account.accId,
      description: sale.description,
      amountText: showAmount(sale.amount, decimalsOf(sale.amount.currency)),
      reference: sale.reference,
      action: '/pingpong/v3/checkout',
      hidden: { token },
      lines: [['Card', 'Visa ending 1111']],
      ...(sale.status === 'declined' ? { notice: 'The payment was declined. You can try again.' } : {}),
    });
  });
  app.post('/pingpong/v3/checkout', async (request, reply) => {
    const sale = byToken(textAt(request.body, 'token'));
    if (!sale) return say(reply, 'No such order', 'This order is not known.', 404);
    const choice = readChoice(request.body);
    await sales.decide(sale, choice);
    // A declined payer stays on the page; the way out is the shop's cancel address.
    if (sale.status !== 'declined' || !sale.cancelUrl) return leave(reply, sale);
    return sendMessagePage(reply, {
      provider: 'PingPong',
      look,
      heading: 'Payment declined',
      text: 'The same page can be used again.',
      next: { label: 'Back to the shop', url: sale.cancelUrl },
    });
  });

  mountControl(app, { name: context.name, faults, outbox, ...sales.controls });
  return {
    close: outbox.close,
    environment: (hosts) => ({
      REFILL_PINGPONG_DEMO_API_BASE: `${context.apiOrigin()}/pingpong`,
      REFILL_PINGPONG_DEMO_ACC_ID: account.accId,
      REFILL_PINGPONG_DEMO_SALT: account.salt,
      REFILL_PINGPONG_DEMO_PAY_HOSTS: hosts,
    }),
  };
}

function createCallbacks(account: Account): SaleCallbacks {
  function draft(sale: Sale, notifyType: string, said: Record<string, unknown>): CallbackDraft {
    const accId = sale.faults.includes('wrong-merchant') ? `${account.clientId}999` : account.accId;
    const requestId = createHash('sha256')
      .update(`${notifyType}${JSON.stringify(said)}`)
      .digest('hex')
      .slice(0, 32);
    const bizContent = JSON.stringify({ notifyType, requestId, ...said });
    const message = { accId, clientId: account.clientId, signType: 'SHA256', version: '1.0', bizContent };
    const salt = sale.faults.includes('bad-signature') ? `${account.salt}0` : account.salt;
    return {
      reference: sale.reference,
      kind: `${notifyType}:${String(said['status'])}`,
      body: JSON.stringify({ ...message, sign: signMessage(message, salt) }),
      headers: { 'content-type': 'application/json' },
    };
  }
  const payment = (sale: Sale, status: string) => {
    const merchantTransactionId = sale.faults.includes('wrong-reference') ? `${sale.reference}X` : sale.reference;
    return draft(sale, 'RECHARGE', { ...contentOf(sale, status), merchantTransactionId });
  };
  return {
    paid: (sale) => payment(sale, 'SUCCESS'),
    declined: (sale) => payment(sale, 'FAILED'),
    refunded: (sale, refund) => draft(sale, 'REFUND', refundContent(sale, refund, 'SUCCESS')),
    emitted(sale, kind) {
      const [notifyType = '', status = ''] = kind.split(':');
      return notifyType === 'RECHARGE' ? payment(sale, status) : undefined;
    },
  };
}
