// The Alipay simulator: Antom's API, the Open Platform's gateway and the cashier of both, under `/alipay`.

import type { FastifyReply } from 'fastify';
import { mountControl, readChoice } from '#simulators/kit/control.ts';
import { createFaultBook } from '#simulators/kit/faults.ts';
import { sendHostedPage, sendMessagePage } from '#simulators/kit/hosted-page.ts';
import { showAmount } from '#simulators/kit/money.ts';
import { createOutbox } from '#simulators/kit/outbox.ts';
import type { Look } from '#simulators/kit/page.ts';
import { createSimulatedSales, type Sale } from '#simulators/kit/simulated-sales.ts';
import { makeAccount } from './alipay-account.ts';
import { decimalsOf } from './alipay-amounts.ts';
import { mountAntom, newAntomId } from './alipay-antom.ts';
import { createAlipayCallbacks } from './alipay-callbacks.ts';
import { mountOpenPlatform } from './alipay-open.ts';
import { type Context, laterMs, type Mounted } from './context.ts';

const look: Look = {
  accent: '#0b57b8',
  ground: '#f0f5fb',
  ink: '#10243d',
  radius: '8px',
  font: "'PingFang SC', 'Noto Sans SC', system-ui, sans-serif",
};

/**
 * The two protocols are acknowledged by other texts. @source docs.antom.com, notifyPayment;
 * opendocs.alipay.com, asynchronous notice
 */
const isAcknowledged = (status: number, text: string) =>
  status === 200 && (text === 'success' || /"resultStatus"\s*:\s*"S"/.test(text));

export function mountAlipay(context: Context): Mounted {
  const { app, clock, journal, shop } = context;
  const account = context.account(makeAccount);
  const faults = createFaultBook();
  const outbox = createOutbox({ provider: context.name, journal, shop, clock, isAcknowledged });
  const sales = createSimulatedSales({
    journal,
    clock,
    outbox,
    faults,
    laterMs,
    callbacks: createAlipayCallbacks(context, account),
    newId: () => newAntomId(clock.now()),
    // A wallet payment that was refused is over; a card and a trade of the Open Platform can be tried again.
    isFinal: (sale) => sale.details['protocol'] === 'antom' && sale.details['method'] !== 'CARD',
  });
  mountAntom(context, account, sales, faults);
  mountOpenPlatform(context, account, sales, faults, (reply, why) =>
    say(reply, 'This payment cannot be made', why, 400),
  );

  function say(reply: FastifyReply, heading: string, text: string, status = 200): FastifyReply {
    return sendMessagePage(reply, { provider: 'Alipay', look, heading, text, status });
  }

  function leave(reply: FastifyReply, sale: Sale): FastifyReply {
    if (sales.isExpired(sale) || sale.status === 'closed')
      return say(reply, 'This payment is closed', 'Please start again in the shop.', 410);
    if (!sale.returnUrl || sale.faults.includes('late')) return say(reply, 'Thank you', 'You may close this window.');
    return reply.redirect(sale.returnUrl, 303);
  }

  type ById = { Params: { id: string } };
  app.get<ById>('/alipay/cashier/:id', (request, reply) => {
    const sale = sales.table.get(request.params.id);
    if (!sale) return say(reply, 'No such payment', 'This payment is not known.', 404);
    if (!sales.isOpen(sale)) return leave(reply, sale);
    const isCard = sale.details['method'] === 'CARD';
    return sendHostedPage(reply, {
      provider: 'Alipay',
      look,
      heading: isCard ? 'Pay by card' : 'Scan to pay',
      merchant: account.clientId,
      description: sale.description,
      amountText: showAmount(sale.amount, decimalsOf(sale.amount.currency)),
      reference: sale.reference,
      action: `/alipay/cashier/${sale.id}`,
      hidden: {},
      lines: [['Method', sale.details['method'] ?? '']],
      ...(sale.status === 'declined' ? { notice: 'The payment was refused. You can try again.' } : {}),
    });
  });

  app.post<ById>('/alipay/cashier/:id', async (request, reply) => {
    const sale = sales.table.get(request.params.id);
    if (!sale) return say(reply, 'No such payment', 'This payment is not known.', 404);
    await sales.decide(sale, readChoice(request.body));
    return leave(reply, sale);
  });

  mountControl(app, { name: context.name, faults, outbox, ...sales.controls });
  return {
    close: outbox.close,
    environment: (hosts) => ({
      REFILL_ALIPAY_DEMO_API_BASE: `${context.apiOrigin()}/alipay`,
      REFILL_ALIPAY_DEMO_CLIENT_ID: account.clientId,
      REFILL_ALIPAY_DEMO_SELLER_ID: account.sellerId,
      REFILL_ALIPAY_DEMO_PRIVATE_KEY: account.shop.privateKey,
      REFILL_ALIPAY_DEMO_PUBLIC_KEY: account.alipay.publicKey,
      REFILL_ALIPAY_DEMO_PAY_HOSTS: hosts,
    }),
  };
}
