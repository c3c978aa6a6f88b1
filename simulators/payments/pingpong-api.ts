// PingPong's API v4: prePay, query, refund and its query. Every answer is signed.

import type { FastifyRequest } from 'fastify';
import { answerCall } from '#simulators/kit/answer.ts';
import { spoilView, type FaultBook } from '#simulators/kit/faults.ts';
import { randomHex } from '#simulators/kit/ids.ts';
import { asFields, at, textAt } from '#simulators/kit/read.ts';
import type { Refund, Sale, SimulatedSales } from '#simulators/kit/simulated-sales.ts';
import type { Context } from './context.ts';
import { readAmount, signMessage, writeAmount } from './pingpong-wire.ts';

export type Account = { accId: string; clientId: string; salt: string };

/** @source acquirer-api-docs-v4-en.pingpongx.com, prePay: the page is good for 48 hours */
const pageLivesMs = 48 * 3_600_000;
const forbidden = /[<>]/;

type Said = { code: string; description: string; content?: Record<string, unknown> };
const refuse = (code: string, description: string): Said => ({ code, description });

export function mountPingpongApi(context: Context, account: Account, sales: SimulatedSales, faults: FaultBook): void {
  const { app, clock } = context;

  function verb(
    path: string,
    operation: string,
    perform: (content: unknown, fault: string | undefined) => Said | Promise<Said>,
  ): void {
    app.post(`/pingpong${path}`, (request, reply) => {
      const refusal = refusalOf(request);
      const content = parse(textAt(request.body, 'bizContent'));
      const sale = sales.find(textAt(content, 'merchantTransactionId') ?? '');
      const fault = refusal
        ? undefined
        : operation === 'query'
          ? sales.questionFault(sale, operation)
          : faults.take(operation);
      return answerCall(reply, clock, fault, async () => {
        const { code, description, content: said } = refusal ?? (await perform(content, fault));
        const message = {
          accId: account.accId,
          clientId: account.clientId,
          code,
          description,
          signType: textAt(request.body, 'signType') ?? 'SHA256',
          ...(said ? { bizContent: JSON.stringify(said) } : {}),
        };
        return { status: 200, body: { ...message, sign: signMessage(message, account.salt) } };
      });
    });
  }

  function refusalOf({ body }: FastifyRequest): Said | undefined {
    const fields = asFields(body);
    if (fields['accId'] !== account.accId || fields['clientId'] !== account.clientId)
      return refuse('103000', 'Unauthorized shop');
    if (Object.values(fields).some((value) => typeof value !== 'string'))
      return refuse('102000', 'Every value must be a string');
    if (fields['sign'] !== signMessage(fields, account.salt)) return refuse('104000', 'Signature verification failed');
    return fields['version'] === '1.0' ? undefined : refuse('102000', 'version');
  }

  verb('/v4/payment/prePay', 'create', async (content, fault) => {
    const made = readOrder(content, clock.now());
    if (typeof made === 'string') return refuse('102000', `Parameter error: ${made}`);
    // A number that was used keeps the first order's parameters.
    const sale = sales.find(made.reference) ?? made;
    if (sale === made) await sales.open(made, fault);
    const { token = '' } = sale.details;
    return {
      code: '001000',
      description: 'Request succeeded',
      content: {
        merchantTransactionId: sale.reference,
        transactionId: sale.id,
        amount: writeAmount(sale.amount),
        currency: sale.amount.currency,
        token,
        innerJsUrl: `${context.pageOrigin()}/pingpong/sdk/ppPay.min.js?token=${token}`,
        paymentUrl: `${context.pageOrigin()}/pingpong/v3/checkout?token=${token}`,
      },
    };
  });

  verb('/v4/payment/query', 'query', (content) => {
    const sale = sales.find(textAt(content, 'merchantTransactionId') ?? textAt(content, 'transactionId') ?? '');
    if (!sale) return refuse('107001', 'Order not found');
    return {
      code: '000000',
      description: 'Transaction succeeded',
      content: contentOf(sale, sales.isExpired(sale) ? 'CLOSED' : statusOf(sale)),
    };
  });

  verb('/v4/payment/refund', 'refund', (content) => {
    const sale = sales.find(textAt(content, 'merchantTransactionId') ?? '');
    const [ref, amount] = [
      textAt(content, 'merchantRefundId'),
      readAmount(textAt(content, 'amount'), textAt(content, 'currency')),
    ];
    if (!ref || !amount) return refuse('102000', 'Parameter error');
    if (!sale) return refuse('107001', 'Order not found');
    if (sale.refunds.some((one) => one.ref === ref)) return refuse('107000', 'Duplicate refund');
    const refund = sales.refund(sale, ref, amount);
    return refund
      ? { code: '002000', description: 'Processing', content: refundContent(sale, refund, 'PROCESSING') }
      : refuse('108001', 'Refund refused');
  });

  verb('/v4/refund/query', 'query', (content) => {
    const sale = sales.find(textAt(content, 'merchantTransactionId') ?? '');
    const refund = sale?.refunds.find((one) => one.ref === textAt(content, 'merchantRefundId'));
    if (!sale || !refund) return refuse('107002', 'Refund not found');
    return { code: '000000', description: 'Transaction succeeded', content: refundContent(sale, refund, 'SUCCESS') };
  });
}

/** Writes a payment for a query and for a notice. */
export function contentOf(sale: Sale, status: string): Record<string, unknown> {
  const amount = sale.paid ?? sale.amount;
  return spoilView(
    {
      merchantTransactionId: sale.reference,
      transactionId: sale.paymentId ?? sale.id,
      amount: writeAmount(amount),
      currency: amount.currency,
      status,
      transactionTime: String(sale.paidAt ?? sale.createdAt),
      paymentMethod: { type: 'VISA' },
      remark: sale.description,
    },
    sale.faults,
    { money: ['amount', 'currency'], status: 'status' },
  );
}

export function refundContent(sale: Sale, refund: Refund, status: string): Record<string, unknown> {
  return {
    merchantTransactionId: sale.reference,
    transactionId: sale.paymentId ?? sale.id,
    merchantRefundId: refund.ref,
    refundId: refund.id,
    amount: writeAmount(refund.amount),
    currency: refund.amount.currency,
    status,
  };
}

function statusOf(sale: Sale): string {
  return {
    open: 'INIT',
    pending: 'PROCESSING',
    paid: 'SUCCESS',
    declined: 'FAILED',
    closed: 'CLOSED',
    charged_back: 'SUCCESS',
  }[sale.status];
}

/** The order, or the name of what is wrong with it. */
function readOrder(content: unknown, now: number): Sale | string {
  const [reference, currency] = [textAt(content, 'merchantTransactionId'), textAt(content, 'currency')];
  const amount = readAmount(textAt(content, 'amount'), currency);
  const [returnUrl, cancelUrl] = [textAt(content, 'payResultUrl'), textAt(content, 'payCancelUrl')];
  const notifyUrl = textAt(content, 'notificationUrl') ?? '';
  const ends = Number(textAt(content, 'timeExpire')) * 1000;
  const remark = textAt(content, 'remark') ?? '';
  if (!reference || reference.length > 64) return 'merchantTransactionId';
  if (!amount) return 'amount';
  if (!returnUrl) return 'payResultUrl';
  if (!textAt(content, 'shopperIP')) return 'shopperIP';
  if (notifyUrl.includes('?')) return 'notificationUrl';
  if (textAt(content, 'captureDelayHours') !== '0') return 'captureDelayHours';
  if (forbidden.test(remark)) return 'remark';
  const methods = at(content, 'paymentMethods');
  if (methods !== undefined && !Array.isArray(methods)) return 'paymentMethods';
  return {
    id: newTransactionId(now),
    reference,
    amount,
    status: 'open',
    refunds: [],
    faults: [],
    description: remark,
    returnUrl,
    ...(cancelUrl ? { cancelUrl } : {}),
    createdAt: now,
    endsAt: Math.min(Number.isNaN(ends) ? Infinity : ends, now + pageLivesMs),
    details: { token: `EU:${randomHex(24)}` },
  };
}

/** Day, then ten digits: as `2023092050004591`. */
export function newTransactionId(now: number): string {
  const day = new Date(now).toISOString().slice(0, 10).replaceAll('-', '');
  return `${day}${BigInt(`0x${randomHex(6)}`)
    .toString()
    .slice(-10)
    .padStart(10, '0')}`;
}

function parse(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '') as unknown;
  } catch {
    return undefined;
  }
}
