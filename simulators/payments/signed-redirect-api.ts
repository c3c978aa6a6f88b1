// Create, query and refund of the family: signed requests, signed answers.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { answerCall } from '#simulators/kit/answer.ts';
import { spoilView, type FaultBook } from '#simulators/kit/faults.ts';
import { randomHex, randomUpper } from '#simulators/kit/ids.ts';
import { asFields } from '#simulators/kit/read.ts';
import type { Sale, SimulatedSales } from '#simulators/kit/simulated-sales.ts';
import type { Context } from './context.ts';
import {
  type Account,
  type Fields,
  type Manner,
  readMoney,
  redirectSign,
  writeMoney,
} from './signed-redirect-manner.ts';

/** Our choice: the usual half an hour of a top-up page. */
const livesMs = 30 * 60_000;

export function mountRedirectApi(
  context: Context,
  parts: { manner: Manner; account: Account; sales: SimulatedSales; faults: FaultBook },
): void {
  const { app, clock, name } = context;
  const { manner, account, sales, faults } = parts;

  const fieldsOf = (request: FastifyRequest): Fields =>
    Object.fromEntries(Object.entries(asFields(request.body)).map(([key, value]) => [key, String(value)]));
  const signed = (fields: Fields): Fields => {
    const all = {
      ...fields,
      timestamp: String(Math.floor(clock.now() / 1000)),
      nonce: randomHex(8),
      sign_type: 'HMAC-SHA256',
    };
    return { ...all, sign: redirectSign(all, account.secret) };
  };
  const refusal = (code: string, message: string) => ({ code, message });

  function handle(
    request: FastifyRequest,
    reply: FastifyReply,
    fault: (fields: Fields) => string | undefined,
    perform: (fields: Fields, spoiled: string | undefined) => Promise<Fields> | Fields,
  ): Promise<FastifyReply> {
    const fields = fieldsOf(request);
    const isOurs =
      fields['merchant_id'] === account.merchantId && fields['sign'] === redirectSign(fields, account.secret);
    if (!isOurs)
      return answerCall(reply, clock, undefined, () => ({ status: 200, body: refusal('1001', 'wrong sign') }));
    const spoiled = fault(fields);
    return answerCall(reply, clock, spoiled, async () => ({ status: 200, body: await perform(fields, spoiled) }));
  }

  const saleOf = (fields: Fields) => sales.find(fields['order_no'] ?? '');

  app.post(`/${name}/create`, (request, reply) =>
    handle(
      request,
      reply,
      () => faults.take('create'),
      async (fields, fault) => {
        const amount = readMoney(manner, fields);
        const reference = fields['order_no'] ?? '';
        if (!amount || !/^[\w-]{1,64}$/.test(reference)) return refusal('1002', 'a field is missing or wrong');
        const known = sales.find(reference);
        // The same order again is the same payment; another amount under its number is none.
        if (known && (known.amount.amountMinor !== amount.amountMinor || known.amount.currency !== amount.currency))
          return refusal('1003', 'order_no was used before');
        const sale: Sale = known ?? {
          id: `P-${randomUpper(10)}`,
          reference,
          amount,
          status: 'open',
          refunds: [],
          faults: [],
          description: fields['product_name'] ?? '',
          ...(fields['return_url'] ? { returnUrl: fields['return_url'] } : {}),
          createdAt: clock.now(),
          endsAt: clock.now() + livesMs,
          details: { user: fields['user_id'] ?? '' },
        };
        if (!known) await sales.open(sale, fault);
        const pay_url = `${context.pageOrigin()}/${name}/pay/${sale.id}`;
        return signed({ code: '0', message: 'ok', pay_url, provider_order_no: sale.id });
      },
    ),
  );

  app.post(`/${name}/query`, (request, reply) =>
    handle(
      request,
      reply,
      (fields) => sales.questionFault(saleOf(fields), 'query'),
      (fields) => {
        const sale = saleOf(fields);
        if (!sale) return refusal('1004', 'no such order');
        const whole: Fields = {
          code: '0',
          merchant_id: account.merchantId,
          order_no: sale.reference,
          provider_order_no: sale.paymentId ?? sale.id,
          ...writeMoney(manner, sale.paid ?? sale.amount),
          status: statusOf(sale),
        };
        return signed(spoilView(whole, sale.faults, { money: ['amount'], status: 'status' }));
      },
    ),
  );

  app.post(`/${name}/refund`, (request, reply) =>
    handle(
      request,
      reply,
      () => faults.take('refund'),
      (fields) => {
        const sale = saleOf(fields);
        const amount = readMoney(manner, fields);
        const refund = sale && amount && sales.refund(sale, fields['refund_no'] ?? '', amount);
        if (!refund) return refusal('1005', 'not refundable');
        return signed({ code: '0', message: 'ok', provider_order_no: refund.id, status: 'REFUNDED' });
      },
    ),
  );

  function statusOf(sale: Sale): string {
    const givenMinor = sale.refunds.reduce((sum, one) => sum + one.amount.amountMinor, 0);
    if (sale.paid && givenMinor >= sale.paid.amountMinor) return 'REFUNDED';
    if (sales.isExpired(sale)) return 'EXPIRED';
    return sale.status === 'paid' ? 'SUCCESS' : 'WAITING';
  }
}
