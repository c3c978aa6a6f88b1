// The Razer Gold simulator: its API, its wall of channels and its PIN page under `/razer`.

import type { FastifyReply } from 'fastify';
import { mountControl, readChoice } from '#simulators/kit/control.ts';
import { createFaultBook } from '#simulators/kit/faults.ts';
import { type PageInput, sendHostedPage, sendMessagePage } from '#simulators/kit/hosted-page.ts';
import { randomHex, randomUpper } from '#simulators/kit/ids.ts';
import { type Amount, minorFromText, showAmount, textFromMinor } from '#simulators/kit/money.ts';
import { type CallbackDraft, createOutbox } from '#simulators/kit/outbox.ts';
import type { Look } from '#simulators/kit/page.ts';
import { textAt } from '#simulators/kit/read.ts';
import { createSimulatedSales, type Sale } from '#simulators/kit/simulated-sales.ts';
import { type Context, laterMs, type Mounted } from './context.ts';
import { channels, codeOf, mountRazerApi, type RazerAccount, statusFields } from './razer-api.ts';
import { signed } from './razer-signature.ts';

const look: Look = {
  accent: '#1d7a1d',
  ground: '#eef2ee',
  ink: '#101810',
  radius: '4px',
  font: "'Roboto', system-ui, sans-serif",
};

const wall: PageInput = {
  name: 'channel',
  label: 'Channel',
  value: channels.wallet,
  options: [
    [channels.wallet, 'Razer Gold credit'],
    ['bank', 'Online banking'],
    ['store', 'Convenience store'],
  ],
};
const wallet: PageInput = { name: 'account', label: 'Razer ID', value: 'demo@razer.example' };
/** A payer who has read the price in the description takes a card of that value. */
const telephoneOf = ({ amount: { currency, amountMinor } }: Sale): PageInput => ({
  name: 'pin',
  label: 'Charge to your telephone',
  value: `${currency}-${textFromMinor(amountMinor, 2)}-0600000`,
});
const pinOf = ({ amount: { currency, amountMinor } }: Sale): PageInput => ({
  name: 'pin',
  label: 'PIN (its text names its value)',
  value: `${currency}-${textFromMinor(amountMinor, 2)}-00000000`,
});
const headings: Record<string, string> = { [channels.pin]: 'Razer Gold PIN', [channels.carrier]: 'Phone bill' };
const cardPrices: Record<string, string> = {
  [channels.pin]: 'By the value of your card',
  [channels.carrier]: 'By the charge to your phone bill',
};

export function mountRazer(context: Context): Mounted {
  const { app, clock, journal, shop } = context;
  const account = context.account<RazerAccount>(() => ({ applicationCode: randomHex(16), secretKey: randomUpper(32) }));
  const faults = createFaultBook();
  const isAcknowledged = (status: number) => status === 200;
  const outbox = createOutbox({ provider: context.name, journal, shop, clock, isAcknowledged });

  function draft(sale: Sale, code: string): CallbackDraft {
    const { faults: spoilt, reference } = sale;
    const fields = {
      ...statusFields(sale, account, code, sale.paidAt ?? clock.now()),
      ...(spoilt.includes('wrong-reference') ? { referenceId: `${reference}X` } : {}),
      ...(spoilt.includes('wrong-merchant') ? { applicationCode: randomHex(16) } : {}),
    };
    const key = spoilt.includes('bad-signature') ? `${account.secretKey}X` : account.secretKey;
    const body = new URLSearchParams(signed(fields, key)).toString();
    return { reference, kind: code, body, headers: { 'content-type': 'application/x-www-form-urlencoded' } };
  }

  const sales = createSimulatedSales({
    journal,
    clock,
    outbox,
    faults,
    laterMs,
    callbacks: {
      paid: (sale) => draft(sale, '00'),
      declined: (sale) => draft(sale, '03'),
      pending: (sale) => draft(sale, '01'),
      emitted: (sale, kind) => (/^\d\d$/.test(kind) ? draft(sale, kind) : undefined),
    },
    newId: () => `MPO${randomUpper(12)}`,
    isFinal: () => true,
  });
  mountRazerApi(context, sales, account, faults);

  function sendForm(reply: FastifyReply, sale: Sale, notice?: string): FastifyReply {
    const channel = sale.details['channelId'] ?? '';
    const inputs: Record<string, PageInput> = {
      '': wall,
      [channels.wallet]: wallet,
      [channels.pin]: pinOf(sale),
      [channels.carrier]: telephoneOf(sale),
    };
    const input = inputs[channel];
    return sendHostedPage(reply, {
      provider: 'Razer Gold',
      look,
      heading: headings[channel] ?? 'Pay with Razer Gold',
      merchant: account.applicationCode,
      description: sale.description,
      amountText: cardPrices[channel] ?? showAmount(sale.amount, 2),
      reference: sale.reference,
      action: `/razer/pay/${sale.id}`,
      hidden: {},
      lines: [['Payment', sale.id]],
      inputs: input ? [input] : [],
      ...(notice ? { notice } : {}),
    });
  }

  function sendOn(reply: FastifyReply, sale: Sale): FastifyReply {
    if (sale.returnUrl && !sale.faults.includes('late')) return reply.redirect(sale.returnUrl, 303);
    const heading = sale.status === 'paid' ? 'Payment successful' : 'Payment ended';
    return sendMessagePage(reply, { provider: 'Razer Gold', look, heading, text: `Status ${codeOf(sale)}.` });
  }

  type ById = { Params: { id: string } };
  const noPayment = (reply: FastifyReply) =>
    sendMessagePage(reply, {
      provider: 'Razer Gold',
      look,
      status: 404,
      heading: 'No such payment',
      text: 'This payment is not known.',
    });

  app.get<ById>('/razer/pay/:id', (request, reply) => {
    const sale = sales.table.get(request.params.id);
    if (!sale) return noPayment(reply);
    return sales.isOpen(sale) ? sendForm(reply, sale) : sendOn(reply, sale);
  });

  app.post<ById>('/razer/pay/:id', async (request, reply) => {
    const sale = sales.table.get(request.params.id);
    if (!sale) return noPayment(reply);
    const choice = readChoice(request.body);
    if (sales.isOpen(sale) && sale.details['isCardPriced'] === 'yes' && choice.decision !== 'decline') {
      const value = readPin(textAt(request.body, 'pin') ?? '');
      if (!value) return sendForm(reply, sale, 'This PIN is not valid.');
      sale.amount = value;
    }
    await sales.decide(sale, choice);
    return sendOn(reply, sale);
  });

  mountControl(app, { name: context.name, faults, outbox, ...sales.controls });
  return {
    close: outbox.close,
    environment: (hosts) => ({
      REFILL_RAZER_DEMO_API_BASE: `${context.apiOrigin()}/razer/payout/payments`,
      REFILL_RAZER_DEMO_APPLICATION_CODE: account.applicationCode,
      REFILL_RAZER_DEMO_SECRET_KEY: account.secretKey,
      REFILL_RAZER_DEMO_CHANNEL_WALLET: channels.wallet,
      REFILL_RAZER_DEMO_CHANNEL_PIN: channels.pin,
      REFILL_RAZER_DEMO_CHANNEL_CARRIER: channels.carrier,
      REFILL_RAZER_DEMO_PAY_HOSTS: hosts,
    }),
  };
}

/** A demo PIN says what it is worth: `MYR-10.00-` and digits. */
function readPin(text: string): Amount | undefined {
  const [, currency = '', value = ''] = /^([A-Z]{3})-(\d+(?:\.\d\d)?)-\d+$/.exec(text.trim()) ?? [];
  const amountMinor = minorFromText(value, 2);
  return amountMinor ? { amountMinor, currency } : undefined;
}
