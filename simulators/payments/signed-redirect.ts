// Simulator of the family "signed redirect and signed notice": FunTap by forms in whole dong, Travellet by JSON in
// decimals. No published wire exists:
// this speaks the contract that README.md of the adapter writes down, read anew.

import type { FastifyReply } from 'fastify';
import { mountControl, readChoice } from '#simulators/kit/control.ts';
import { createFaultBook } from '#simulators/kit/faults.ts';
import { sendHostedPage, sendMessagePage } from '#simulators/kit/hosted-page.ts';
import { randomHex, randomUpper } from '#simulators/kit/ids.ts';
import { showAmount } from '#simulators/kit/money.ts';
import { createOutbox } from '#simulators/kit/outbox.ts';
import type { Look } from '#simulators/kit/page.ts';
import { createSimulatedSales, type Sale } from '#simulators/kit/simulated-sales.ts';
import { type Context, laterMs, type Mounted } from './context.ts';
import { mountRedirectApi } from './signed-redirect-api.ts';
import { type Account, decimalsOf, type Manner } from './signed-redirect-manner.ts';
import { createRedirectCallbacks } from './signed-redirect-callbacks.ts';

const funtapLook: Look = {
  accent: '#a63a00',
  ground: '#fdf4ee',
  ink: '#2b1710',
  radius: '10px',
  font: "'Be Vietnam Pro', system-ui, sans-serif",
};
const travelletLook: Look = { ...funtapLook, accent: '#3d4c9e', ground: '#f2f4fb', ink: '#161c38', radius: '6px' };

const funtap: Manner = { title: 'FunTap', look: funtapLook, isJson: false, isWhole: true, currencies: ['VND'] };
const travellet: Manner = {
  title: 'Travellet',
  look: travelletLook,
  isJson: true,
  isWhole: false,
  currencies: ['USD', 'EUR', 'JPY', 'KRW', 'TWD', 'VND'],
};

export const mountFuntap = (context: Context): Mounted => mount(context, funtap);
export const mountTravellet = (context: Context): Mounted => mount(context, travellet);

function mount(context: Context, manner: Manner): Mounted {
  const { app, clock, journal, name, shop } = context;
  const { title, look } = manner;
  const account: Account = context.account(() => ({ merchantId: `M${randomUpper(6)}`, secret: randomHex(16) }));
  const faults = createFaultBook();
  // The text is the acknowledgement, to the letter: a page of the shop's with status 200 is none.
  const isAcknowledged = (status: number, text: string) => status === 200 && text === 'success';
  const outbox = createOutbox({ provider: name, journal, shop, clock, isAcknowledged });
  const callbacks = createRedirectCallbacks(context, manner, account);
  const newId = () => `P-${randomUpper(10)}`;
  const sales = createSimulatedSales({ journal, clock, outbox, faults, laterMs, newId, callbacks });
  mountRedirectApi(context, { manner, account, sales, faults });

  const say = (reply: FastifyReply, heading: string, text: string, status = 200) =>
    sendMessagePage(reply, { provider: title, look, heading, text, status });

  function leave(reply: FastifyReply, sale: Sale): FastifyReply {
    if (sales.isExpired(sale)) return say(reply, 'This payment is over', 'Please start again in the shop.', 410);
    if (!sale.returnUrl || sale.faults.includes('late')) return say(reply, 'Thank you', 'You may close this window.');
    const url = new URL(sale.returnUrl);
    url.searchParams.set('order_no', sale.reference);
    return reply.redirect(url.href, 303);
  }

  type ById = { Params: { id: string } };
  const none = (reply: FastifyReply) => say(reply, 'No such payment', 'This payment is not known.', 404);
  app.get<ById>(`/${name}/pay/:id`, (request, reply) => {
    const sale = sales.table.get(request.params.id);
    if (!sale) return none(reply);
    if (!sales.isOpen(sale)) return leave(reply, sale);
    return sendHostedPage(reply, {
      provider: title,
      look,
      heading: 'Top up',
      merchant: account.merchantId,
      description: sale.description,
      amountText: showAmount(sale.amount, decimalsOf(sale.amount.currency)),
      reference: sale.reference,
      action: `/${name}/pay/${sale.id}`,
      hidden: {},
      lines: [['Player', sale.details['user'] ?? '']],
      ...(sale.status === 'declined' ? { notice: 'The payment was refused. You can try again.' } : {}),
    });
  });
  app.post<ById>(`/${name}/pay/:id`, async (request, reply) => {
    const sale = sales.table.get(request.params.id);
    if (!sale) return none(reply);
    await sales.decide(sale, readChoice(request.body));
    return leave(reply, sale);
  });

  mountControl(app, { name, faults, outbox, ...sales.controls });
  const prefix = `REFILL_${name.toUpperCase()}_DEMO`;
  return {
    close: outbox.close,
    environment: (hosts) => ({
      [`${prefix}_CREATE_URL`]: `${context.apiOrigin()}/${name}/create`,
      [`${prefix}_QUERY_URL`]: `${context.apiOrigin()}/${name}/query`,
      [`${prefix}_REFUND_URL`]: `${context.apiOrigin()}/${name}/refund`,
      [`${prefix}_MERCHANT_ID`]: account.merchantId,
      [`${prefix}_SECRET`]: account.secret,
      [`${prefix}_NOT_FOUND_CODES`]: '1004',
      [`${prefix}_CURRENCIES`]: manner.currencies.join(','),
      [`${prefix}_PAY_HOSTS`]: hosts,
    }),
  };
}
