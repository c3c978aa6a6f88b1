// The EBANX simulator: API, hosted checkout and signed notifications under `/ebanx`.

import type { FastifyReply } from 'fastify';
import { mountControl, readChoice } from '#simulators/kit/control.ts';
import { createFaultBook } from '#simulators/kit/faults.ts';
import { sendHostedPage, sendMessagePage } from '#simulators/kit/hosted-page.ts';
import { randomHex } from '#simulators/kit/ids.ts';
import { showAmount } from '#simulators/kit/money.ts';
import { type CallbackDraft, createOutbox } from '#simulators/kit/outbox.ts';
import type { Look } from '#simulators/kit/page.ts';
import { textAt } from '#simulators/kit/read.ts';
import { createSimulatedSales, type Sale } from '#simulators/kit/simulated-sales.ts';
import { type Context, laterMs, type Mounted } from './context.ts';
import { decimalsOf, mountEbanxApi } from './ebanx-api.ts';
import { makeSigner, type Signer, signHeaders } from './ebanx-signature.ts';

const look: Look = {
  accent: '#123a8c',
  ground: '#eef2fb',
  ink: '#101a33',
  radius: '10px',
  font: "'Open Sans', system-ui, sans-serif",
};

export function mountEbanx(context: Context): Mounted {
  const { app, clock, journal, shop } = context;
  const faults = createFaultBook();
  const account = context.account(() => ({ integrationKey: `test_ik_${randomHex(12)}`, signer: makeSigner() }));
  let stranger: Signer | undefined;

  // @source developer.ebanx.com, "Payments Notification": 200 with any text
  const isAcknowledged = (status: number, text: string) => status === 200 && text !== '';
  const outbox = createOutbox({ provider: context.name, journal, shop, clock, isAcknowledged });

  function notify(sale: Sale, kind: string): CallbackDraft {
    const body = new URLSearchParams({
      operation: 'payment_status_change',
      notification_type: kind,
      hash_codes: sale.id,
    }).toString();
    const isBad = sale.faults.includes('bad-signature');
    // Another key under the fingerprint of the right certificate.
    if (isBad) stranger ??= { ...makeSigner(), fingerprint: account.signer.fingerprint };
    const headers = signHeaders(body, (isBad ? stranger : undefined) ?? account.signer);
    return {
      reference: sale.reference,
      kind,
      body,
      headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
    };
  }

  const sales = createSimulatedSales({
    journal,
    clock,
    outbox,
    faults,
    laterMs,
    newId: () => randomHex(8),
    // A declined payment is cancelled; the shop starts another one.
    isFinal: () => true,
    callbacks: {
      paid: (sale) => notify(sale, 'update'),
      declined: (sale) => notify(sale, 'update'),
      closed: (sale) => notify(sale, 'update'),
      refunded: (sale) => notify(sale, 'refund'),
      chargedBack: (sale) => notify(sale, 'chargeback'),
      emitted: (sale, kind) => (/^[a-z_]+$/.test(kind) ? notify(sale, kind) : undefined),
    },
  });
  mountEbanxApi(context, sales, account.integrationKey, faults);

  const say = (reply: FastifyReply, heading: string, text: string, status = 200) =>
    sendMessagePage(reply, { provider: 'EBANX', look, heading, text, status });

  function sendResult(reply: FastifyReply, sale: Sale): FastifyReply {
    if (!sale.returnUrl || sale.faults.includes('late')) return say(reply, 'Thank you', `Reference ${sale.reference}.`);
    const url = new URL(sale.returnUrl);
    url.searchParams.set('hash', sale.id);
    url.searchParams.set('merchant_payment_code', sale.reference);
    return reply.redirect(url.href, 303);
  }

  app.get('/ebanx/checkout', (request, reply) => {
    const sale = sales.table.get(textAt(request.query, 'hash') ?? '');
    if (!sale) return say(reply, 'No such payment', 'This payment is not known.', 404);
    if (!sales.isOpen(sale)) return sendResult(reply, sale);
    return sendHostedPage(reply, {
      provider: 'EBANX',
      look,
      heading: 'Choose how to pay',
      merchant: 'Simulated merchant',
      description: sale.description,
      amountText: showAmount(sale.amount, decimalsOf(sale.amount.currency)),
      reference: sale.reference,
      action: `/ebanx/checkout?hash=${sale.id}`,
      hidden: {},
      lines: [['Payer', sale.details['payer'] ?? '']],
      inputs: [
        {
          name: 'method',
          label: 'Method',
          value: 'pix',
          options: [
            ['pix', 'Pix'],
            ['boleto', 'Boleto bancário'],
            ['creditcard', 'Credit card'],
          ],
        },
      ],
    });
  });

  app.post('/ebanx/checkout', async (request, reply) => {
    const sale = sales.table.get(textAt(request.query, 'hash') ?? '');
    if (!sale) return say(reply, 'No such payment', 'This payment is not known.', 404);
    sale.details['type'] = textAt(request.body, 'method') ?? sale.details['type'] ?? '_all';
    await sales.decide(sale, readChoice(request.body));
    return sendResult(reply, sale);
  });

  mountControl(app, { name: context.name, faults, outbox, ...sales.controls });
  return {
    close: outbox.close,
    environment: (hosts) => ({
      REFILL_EBANX_DEMO_API_BASE: `${context.apiOrigin()}/ebanx`,
      REFILL_EBANX_DEMO_PAY_BASE: `${context.pageOrigin()}/ebanx`,
      REFILL_EBANX_DEMO_PAY_HOSTS: hosts,
      REFILL_EBANX_DEMO_INTEGRATION_KEY: account.integrationKey,
      REFILL_EBANX_DEMO_PAYER_EMAIL: 'pay+{player}@shop.example',
      REFILL_EBANX_DEMO_CERTIFICATES: account.signer.certificate,
    }),
  };
}
