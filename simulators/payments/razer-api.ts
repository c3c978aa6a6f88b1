// Razer Gold's payment API v1: a new payment and the question about one.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Answer, answerCall } from '#simulators/kit/answer.ts';
import { spoilView, type FaultBook } from '#simulators/kit/faults.ts';
import { randomUpper } from '#simulators/kit/ids.ts';
import { type Amount, minorFromText } from '#simulators/kit/money.ts';
import { asFields } from '#simulators/kit/read.ts';
import type { Sale, SimulatedSales } from '#simulators/kit/simulated-sales.ts';
import type { Context } from './context.ts';
import { signed, signFields } from './razer-signature.ts';

export type RazerAccount = { applicationCode: string; secretKey: string };

/** The simulator's own numbers of channels. */
export const channels = { wallet: '1', pin: '2', carrier: '3' };
/** A card of such a channel has a value of its own, so no amount is asked for. */
const isCardPriced = (channel: string) => channel === channels.pin || channel === channels.carrier;

const path = '/razer/payout/payments';
/** Our choice; how long a real page lives is not known. */
const livesMs = 24 * 3_600_000;
/** All amounts have two implied decimals. */
const currencies = new Set(['MYR', 'USD', 'SGD', 'THB', 'PHP', 'TWD', 'HKD', 'INR', 'BRL', 'TRY', 'EUR', 'IDR', 'VND']);

type Fields = Record<string, string>;

/** Writes the status of an unpaid or a paid payment; as callback, and as answer. */
export function statusFields(sale: Sale, account: RazerAccount, code: string, at: number): Fields {
  const amount = sale.paid ?? (sale.details['isCardPriced'] === 'yes' ? undefined : sale.amount);
  return spoilView(
    {
      applicationCode: account.applicationCode,
      referenceId: sale.reference,
      paymentId: sale.id,
      version: 'v1',
      ...(amount ? { amount: String(amount.amountMinor), currencyCode: amount.currency } : {}),
      paymentStatusCode: code,
      paymentStatusDate: new Date(at).toISOString().replace(/\.\d+Z$/, 'Z'),
      ...(sale.details['channelId'] ? { channelId: sale.details['channelId'] } : {}),
      customerId: sale.details['customerId'] ?? '',
      VirtualCurrencyAmount: '',
    },
    sale.paid ? sale.faults : [],
    { money: ['amount', 'currencyCode'], status: 'paymentStatusCode', word: '77', isStrict: true },
  );
}

export const codeOf = (sale: Sale): string =>
  ({ open: '01', pending: '01', paid: '00', declined: '03', closed: '02', charged_back: '00' })[sale.status];

export function mountRazerApi(context: Context, sales: SimulatedSales, account: RazerAccount, faults: FaultBook): void {
  const { app, clock } = context;
  const { secretKey } = account;

  const refused = (status: number, code: string, message: string): Answer => ({ status, body: { code, message } });
  const answered = (fields: Fields): Answer => {
    const body = signed(fields, secretKey);
    // Numbers in JSON are numbers; what is signed is their text.
    return { status: 200, body: { ...body, ...(body['amount'] ? { amount: Number(body['amount']) } : {}) } };
  };

  function refusalOf(fields: Fields): Answer | undefined {
    if (fields['applicationCode'] !== account.applicationCode) return refused(401, '40101', 'Invalid application code');
    if (fields['hashType'] !== 'hmac-sha256' || fields['signature'] !== signFields(fields, secretKey))
      return refused(401, '40103', 'Invalid signature');
    return fields['version'] === 'v1' ? undefined : refused(400, '40002', 'Invalid version');
  }

  app.post(path, (request: FastifyRequest, reply: FastifyReply) => {
    const fault = faults.take('create');
    return answerCall(reply, clock, fault, async () => {
      const fields = texts(request.body);
      const refusal = refusalOf(fields) ?? fieldFault(fields);
      if (refusal) return refusal;
      if (sales.find(fields['referenceId'] ?? '')) return refused(400, '40004', 'Duplicate referenceId');
      const sale = saleOf(fields, clock.now());
      const { reference, id } = sale;
      const amount = isCardPriced(fields['channelId'] ?? '')
        ? {}
        : { amount: fields['amount'] ?? '', currencyCode: sale.amount.currency };
      const paymentUrl = `${context.pageOrigin()}/razer/pay/${id}`;
      const { applicationCode } = account;
      const answer = answered({
        applicationCode,
        referenceId: reference,
        version: 'v1',
        ...amount,
        paymentId: id,
        paymentUrl,
      });
      await sales.open(sale, fault);
      return answer;
    });
  });

  function fieldFault(fields: Fields): Answer | undefined {
    const read = (name: string) => fields[name] ?? '';
    if (read('referenceId') === '' || read('customerId') === '' || !URL.canParse(read('returnUrl')))
      return refused(400, '40001', 'A parameter is missing or wrong');
    if (read('channelId') !== '' && !Object.values(channels).includes(read('channelId')))
      return refused(400, '40005', 'Invalid channel');
    if (isCardPriced(read('channelId'))) return undefined;
    if (!currencies.has(read('currencyCode'))) return refused(400, '40003', 'Invalid currency');
    return /^[1-9]\d{0,11}$/.test(read('amount')) ? undefined : refused(400, '40006', 'Invalid amount');
  }

  app.get(path, (request, reply) => {
    const fields = texts(request.query);
    const sale = sales.find(fields['referenceId'] ?? fields['paymentId'] ?? '');
    return answerCall(reply, clock, sales.questionFault(sale, 'query'), () => {
      const refusal = refusalOf(fields);
      if (refusal) return refusal;
      if (!sale) return refused(404, '40400', 'Payment not found');
      const code = sales.isExpired(sale) ? '02' : codeOf(sale);
      return answered(statusFields(sale, account, code, sale.paidAt ?? sale.createdAt));
    });
  });
}

function texts(value: unknown): Fields {
  return Object.fromEntries(Object.entries(asFields(value)).map(([name, one]) => [name, String(one)]));
}

/**
 * The card that a payer takes: of the price at the end of the description, "60 Embers (USD 4.99)", which is all that
 * Razer's page says of it; of any value without one.
 */
function cardFor(description: string): Amount {
  const [, currency = '', text = ''] = /\(([A-Z]{3}) (\d+(?:\.\d\d)?)\)$/.exec(description) ?? [];
  const amountMinor = minorFromText(text, 2);
  return amountMinor ? { amountMinor, currency } : { amountMinor: 499, currency: 'USD' };
}

function saleOf(fields: Fields, now: number): Sale {
  const read = (name: string) => fields[name] ?? '';
  const isCard = isCardPriced(read('channelId'));
  return {
    id: `MPO${randomUpper(12)}`,
    reference: read('referenceId'),
    amount: isCard
      ? cardFor(read('description'))
      : { amountMinor: Number(read('amount')), currency: read('currencyCode') },
    status: 'open',
    refunds: [],
    faults: [],
    description: read('description') || 'Order',
    returnUrl: read('returnUrl'),
    createdAt: now,
    endsAt: now + livesMs,
    details: { customerId: read('customerId'), channelId: read('channelId'), isCardPriced: isCard ? 'yes' : 'no' },
  };
}
