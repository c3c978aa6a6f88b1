// EBANX's API: request, query, cancel, refund. Written from docs.ebanx.com and the recorded answers
// in github.com/ebanx/benjamin.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Answer, answerCall } from '#simulators/kit/answer.ts';
import { randomHex } from '#simulators/kit/ids.ts';
import { minorFromText, textFromMinor } from '#simulators/kit/money.ts';
import { textAt } from '#simulators/kit/read.ts';
import type { Refund, Sale, SimulatedSales } from '#simulators/kit/simulated-sales.ts';
import { spoilView, type FaultBook } from '#simulators/kit/faults.ts';
import type { Context } from './context.ts';

const dayMs = 86_400_000;

/** @source github.com/ebanx/benjamin, Currency; CLP and PYG without decimals */
const currencies = ['USD', 'EUR', 'BRL', 'MXN', 'ARS', 'CLP', 'COP', 'PEN', 'BOB', 'UYU', 'GTQ', 'PYG'];
export const decimalsOf = (currency: string): number => (currency === 'CLP' || currency === 'PYG' ? 0 : 2);

export function mountEbanxApi(
  context: Context,
  sales: SimulatedSales,
  integrationKey: string,
  faults: FaultBook,
): void {
  const { app, clock } = context;

  type Perform = (fields: unknown, fault: string | undefined) => Answer | Promise<Answer>;
  function call(verb: string, operation: string, perform: Perform): void {
    app.post(`/ebanx/ws/${verb}`, (request: FastifyRequest, reply: FastifyReply) => {
      const given = textAt(request.body, 'integration_key');
      if (given !== integrationKey) {
        const [code, text] =
          given === undefined
            ? ['BP-SA-1', 'Parameter integration_key is required']
            : ['BP-SA-2', 'Invalid integration key'];
        return answerCall(reply, clock, undefined, () => refuse(code!, text!));
      }
      const fault = operation === 'query' ? sales.questionFault(find(request.body), operation) : faults.take(operation);
      return answerCall(reply, clock, fault, () => perform(request.body, fault));
    });
  }
  const find = (fields: unknown) => sales.find(textAt(fields, 'hash') ?? textAt(fields, 'merchant_payment_code') ?? '');
  const unknown = () => refuse('BP-QR-3', 'Payment not found');

  call('request', 'create', async (fields, fault) => {
    const made = readSale(fields, clock.now());
    if (typeof made === 'string') return refuse('BP-R-1', made);
    const known = sales.find(made.reference);
    // @source docs.ebanx.com, error codes: the message names the status of the payment there is
    if (known) return refuse('BP-DR-0', `Payment already exists with status ${statusOf(known)}`);
    const url = `${context.pageOrigin()}/ebanx/checkout?hash=${made.id}`;
    const answer = { status: 200, body: { status: 'SUCCESS', redirect_url: url, payment: viewOf(made) } };
    await sales.open(made, fault);
    return answer;
  });

  call('query', 'query', (fields) => {
    const sale = find(fields);
    return sale ? { status: 200, body: { status: 'SUCCESS', payment: viewOf(sale) } } : unknown();
  });

  call('cancel', 'cancel', (fields) => {
    const sale = find(fields);
    if (!sale) return unknown();
    if (!sales.close(sale)) return refuse('BP-CAN-2', `Payment in status ${statusOf(sale)} cannot be cancelled`);
    return { status: 200, body: { status: 'SUCCESS', payment: viewOf(sale) } };
  });

  call('refund', 'refund', (fields) => {
    const sale = find(fields);
    if (!sale) return unknown();
    if (textAt(fields, 'operation') !== 'request' || !textAt(fields, 'description'))
      return refuse('BP-REF-1', 'Parameters operation and description are required');
    const code = textAt(fields, 'merchant_refund_code') ?? randomHex(8);
    const currency = sale.paid?.currency ?? sale.amount.currency;
    const amountMinor = minorFromText(textAt(fields, 'amount') ?? '', decimalsOf(currency));
    if (sale.refunds.some(({ ref }) => ref === code)) return refuse('BP-REF-4', 'Refund code was used before');
    const refund = amountMinor === undefined ? undefined : sales.refund(sale, code, { amountMinor, currency });
    if (!refund) return refuse('BP-REF-3', 'More than can be refunded, or the payment is not confirmed');
    return {
      status: 200,
      body: { status: 'SUCCESS', payment: viewOf(sale), operation: 'refund', refund: refundView(refund, false) },
    };
  });

  /**
   * @source docs.ebanx.com: OP open, PE pending, CO confirmed, CA cancelled; a page that nobody
   * finished in time is cancelled
   */
  function statusOf(sale: Sale): string {
    if (sale.status === 'open') return sales.isExpired(sale) ? 'CA' : 'OP';
    if (sale.status === 'pending') return 'PE';
    return sale.status === 'paid' || sale.status === 'charged_back' ? 'CO' : 'CA';
  }

  function viewOf(sale: Sale) {
    const { amountMinor, currency } = sale.paid ?? sale.amount;
    const isStrange = sale.faults.includes('wrong-reference');
    return spoilView(
      {
        hash: sale.id,
        pin: sale.details['pin'],
        merchant_payment_code: isStrange ? `${sale.reference}X` : sale.reference,
        order_number: sale.reference,
        status: statusOf(sale),
        open_date: timeText(sale.createdAt),
        confirm_date: sale.paidAt === undefined ? null : timeText(sale.paidAt),
        amount_ext: textFromMinor(amountMinor, decimalsOf(currency)),
        currency_ext: currency,
        payment_type_code: sale.details['type'],
        due_date: timeText(sale.endsAt),
        refunds: sale.refunds.map((one) => refundView(one, true)),
        chargeback:
          sale.status === 'charged_back' ? { description: 'Fraud', chargeback_date: timeText(clock.now()) } : null,
      },
      sale.faults,
      { money: ['amount_ext', 'currency_ext'], status: 'status', word: 'ZZ' },
    );
  }
}

/** Confirmed as soon as somebody looks again. */
function refundView(refund: Refund, isConfirmed: boolean) {
  return {
    id: refund.id,
    merchant_refund_code: refund.ref,
    status: isConfirmed ? 'CO' : 'RE',
    amount_ext: textFromMinor(refund.amount.amountMinor, decimalsOf(refund.amount.currency)),
    request_date: timeText(refund.at),
  };
}

const timeText = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

/** Errors come with 200. @source docs.ebanx.com, error codes */
function refuse(code: string, message: string): Answer {
  return { status: 200, body: { status: 'ERROR', status_code: code, status_message: message } };
}

/** A sale, or what is wrong with the request. */
function readSale(fields: unknown, now: number): Sale | string {
  const text = (name: string) => textAt(fields, name);
  for (const name of [
    'name',
    'email',
    'country',
    'currency_code',
    'amount',
    'merchant_payment_code',
    'payment_type_code',
  ])
    if (!text(name)) return `Parameter ${name} is required`;
  const currency = text('currency_code')!;
  const amountMinor = currencies.includes(currency) ? minorFromText(text('amount')!, decimalsOf(currency)) : undefined;
  if (!amountMinor) return 'Invalid amount or currency';
  if (!/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(text('email')!)) return 'Invalid email';
  if (!/^[a-z]{2}$/.test(text('country')!)) return 'Invalid country';
  const due = /^(\d\d)\/(\d\d)\/(\d{4})$/.exec(text('due_date') ?? '');
  const endsAt = due ? Date.parse(`${due[3]}-${due[2]}-${due[1]}T23:59:59Z`) : now + 3 * dayMs;
  const returnUrl = text('redirect_url');
  return {
    id: randomHex(24),
    reference: text('merchant_payment_code')!,
    amount: { amountMinor, currency },
    status: 'open',
    refunds: [],
    faults: [],
    description: text('order_number') ?? 'Order',
    ...(returnUrl ? { returnUrl } : {}),
    createdAt: now,
    endsAt,
    details: { pin: String(100_000_000 + (now % 900_000_000)), type: text('payment_type_code')!, payer: text('name')! },
  };
}
