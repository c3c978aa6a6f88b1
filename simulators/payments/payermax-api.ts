// PayerMax's gateway: orderAndPay, orderQuery, orderClose, refund, refundQuery. Every accepted answer is signed.

import type { FastifyRequest } from 'fastify';
import { answerCall } from '#simulators/kit/answer.ts';
import { rawTextOf } from '#simulators/kit/bodies.ts';
import { spoilView, type FaultBook } from '#simulators/kit/faults.ts';
import { randomUpper } from '#simulators/kit/ids.ts';
import { at, textAt } from '#simulators/kit/read.ts';
import type { Refund, Sale, SimulatedSales } from '#simulators/kit/simulated-sales.ts';
import type { Context } from './context.ts';
import { isSigned, type KeyPair, readAmount, signBody, writeAmount } from './payermax-wire.ts';

export type Account = { merchantNo: string; appId: string; shop: KeyPair; payermax: KeyPair; stranger: KeyPair };

const base = '/payermax/aggregate-pay/api/gateway';
/** @source docs.payermax.com, API description: a request is good for two minutes */
const requestLivesMs = 120_000;
/** @source docs.payermax.com, orderAndPay, expireTime: half an hour to a day */
const lives = { least: 1800, most: 86_400 };

type Said = { code: string; msg: string; data?: Record<string, unknown> };
const accept = (data: Record<string, unknown>): Said => ({ code: 'APPLY_SUCCESS', msg: 'Success.', data });
const refuse = (code: string, msg = code): Said => ({ code, msg });

/** Writes an order for a query and for a notice. */
export function dataOf(sale: Sale, status: string): Record<string, unknown> {
  const amount = sale.paid ?? sale.amount;
  return spoilView(
    {
      outTradeNo: sale.id,
      tradeToken: sale.details['tradeToken'],
      totalAmount: writeAmount(amount),
      currency: amount.currency,
      ...(sale.details['country'] ? { country: sale.details['country'] } : {}),
      status,
      ...(sale.paidAt === undefined ? {} : { completeTime: new Date(sale.paidAt).toISOString() }),
      paymentDetails: sale.status === 'paid' ? [{ paymentMethodType: 'WALLET', targetOrg: 'DANA' }] : [],
      reference: sale.details['reference'] ?? '',
    },
    sale.faults,
    { money: ['totalAmount', 'currency'], status: 'status' },
  );
}

export function mountPayermaxApi(context: Context, account: Account, sales: SimulatedSales, faults: FaultBook): void {
  const { app, clock } = context;

  function verb(
    name: string,
    operation: string,
    perform: (data: unknown, fault: string | undefined) => Said | Promise<Said>,
  ): void {
    app.post(`${base}/${name}`, (request, reply) => {
      const refusal = refusalOf(request);
      const data = at(request.body, 'data');
      const sale = sales.find(textAt(data, 'outTradeNo') ?? '');
      const fault = refusal
        ? undefined
        : operation === 'query'
          ? sales.questionFault(sale, operation)
          : faults.take(operation);
      return answerCall(reply, clock, fault, async () => {
        const body = JSON.stringify(refusal ?? (await perform(data, fault)));
        const headers = { 'content-type': 'application/json', sign: signBody(body, account.payermax.privateKey) };
        return { status: 200, body, headers };
      });
    });
  }

  function refusalOf(request: FastifyRequest): Said | undefined {
    const { body } = request;
    if (textAt(body, 'merchantNo') !== account.merchantNo)
      return refuse('MERCHANT_INVALID', 'The merchant has been offline.');
    if (textAt(body, 'appId') !== account.appId)
      return refuse('MERCHANT_APP_INVALID', 'Signature key is not configured.');
    if (!isSigned(rawTextOf(request), request.headers['sign'], account.shop.publicKey))
      return refuse('SIGN_VERIFY_FAILED', 'The signature verify failed.');
    const age = Math.abs(clock.now() - Date.parse(textAt(body, 'requestTime') ?? ''));
    if (!(age <= requestLivesMs)) return refuse('REQ_TIME_OVER_TIME', 'requestTime effective in two minutes');
    return textAt(body, 'version') === '1.4' ? undefined : refuse('PARAMS_INVALID', 'version');
  }

  verb('orderAndPay', 'create', async (data, fault) => {
    const made = readOrder(data, clock.now());
    if (typeof made === 'string') return refuse('PARAMS_INVALID', `${made} is invalid`);
    const known = sales.find(made.id);
    if (
      known &&
      (known.amount.amountMinor !== made.amount.amountMinor || known.amount.currency !== made.amount.currency)
    )
      return refuse('ORDER_INFO_INCONSISTENT', 'outTradeNo was used with other content');
    const sale = known ?? made;
    if (!known) await sales.open(sale, fault);
    const tradeToken = sale.details['tradeToken'];
    const redirectUrl = `${context.pageOrigin()}/payermax/cashier/${sale.id}?tradeToken=${tradeToken}`;
    return accept({ redirectUrl, outTradeNo: sale.id, tradeToken, status: 'PENDING' });
  });

  verb('orderQuery', 'query', (data) => {
    const sale = sales.find(textAt(data, 'outTradeNo') ?? '');
    return sale ? accept(dataOf(sale, sales.isExpired(sale) ? 'CLOSED' : statusOf(sale))) : refuse('ORDER_NOT_EXIST');
  });

  verb('orderClose', 'cancel', (data) => {
    const sale = sales.find(textAt(data, 'outTradeNo') ?? '');
    if (!sale) return refuse('ORDER_NOT_EXIST');
    return sales.close(sale) ? accept({ outTradeNo: sale.id, status: 'CLOSED' }) : refuse('ORDER_STATUS_INVALID');
  });

  verb('refund', 'refund', (data) => {
    const sale = sales.find(textAt(data, 'outTradeNo') ?? '');
    const [ref, amount] = [
      textAt(data, 'outRefundNo'),
      readAmount(at(data, 'refundAmount'), textAt(data, 'refundCurrency')),
    ];
    if (!ref || !/^\w{1,64}$/.test(ref) || !amount) return refuse('PARAMS_INVALID');
    if (!sale) return refuse('ORDER_NOT_EXIST');
    // A number that was used is told as such; refundQuery knows what became of it.
    if (sale.refunds.some((one) => one.ref === ref)) return refuse('REFUND_NO_REPEATED');
    const refund = sales.refund(sale, ref, amount);
    return refund ? accept(refundOf(sale, refund, 'REFUND_PENDING')) : refuse('REFUND_AMOUNT_INVALID');
  });

  verb('refundQuery', 'query', (data) => {
    const ref = textAt(data, 'outRefundNo');
    for (const sale of sales.table.values()) {
      const refund = sale.refunds.find((one) => one.ref === ref);
      if (refund) return accept(refundOf(sale, refund, 'REFUND_SUCCESS'));
    }
    return refuse('REFUND_NOT_EXIST');
  });
}

export function refundOf(sale: Sale, refund: Refund, status: string): Record<string, unknown> {
  return {
    outRefundNo: refund.ref,
    refundTradeNo: refund.id,
    outTradeNo: sale.id,
    refundAmount: writeAmount(refund.amount),
    refundCurrency: refund.amount.currency,
    status,
  };
}

function statusOf(sale: Sale): string {
  return {
    open: 'PENDING',
    pending: 'PENDING',
    paid: 'SUCCESS',
    declined: 'FAILED',
    closed: 'CLOSED',
    charged_back: 'SUCCESS',
  }[sale.status];
}

/** The order, or the name of what is wrong with it. */
function readOrder(data: unknown, now: number): Sale | string {
  const id = textAt(data, 'outTradeNo');
  const amount = readAmount(at(data, 'totalAmount'), textAt(data, 'currency'));
  const [returnUrl, seconds] = [textAt(data, 'frontCallbackUrl'), Number(textAt(data, 'expireTime') ?? lives.most)];
  const subject = textAt(data, 'subject');
  if (!id || !/^\w{1,64}$/.test(id)) return 'outTradeNo';
  if (!amount) return 'totalAmount';
  if (textAt(data, 'integrate') !== 'Hosted_Checkout') return 'integrate';
  if (!subject || subject.length > 256) return 'subject';
  if (!textAt(data, 'userId') || !returnUrl || !textAt(data, 'notifyUrl')) return 'userId';
  if (!Number.isInteger(seconds)) return 'expireTime';
  const [reference, country] = [textAt(data, 'reference'), textAt(data, 'country')];
  return {
    id,
    reference: reference ?? id,
    amount,
    status: 'open',
    refunds: [],
    faults: [],
    description: subject,
    returnUrl,
    createdAt: now,
    endsAt: now + Math.min(Math.max(seconds, lives.least), lives.most) * 1000,
    details: {
      tradeToken: `T${new Date(now).toISOString().replace(/\D/g, '').slice(0, 14)}${randomUpper(8)}`,
      ...(reference ? { reference } : {}),
      ...(country ? { country } : {}),
    },
  };
}
