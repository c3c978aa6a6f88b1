// The Open Platform's gateway: page and wap pay open the cashier, query, close and refund are asked by the shop.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { answerCall } from '#simulators/kit/answer.ts';
import { spoilView, type FaultBook } from '#simulators/kit/faults.ts';
import { asFields, textAt } from '#simulators/kit/read.ts';
import type { Sale, SimulatedSales } from '#simulators/kit/simulated-sales.ts';
import { newAntomId } from './alipay-antom.ts';
import { readYuan, writeYuan } from './alipay-amounts.ts';
import { openText, rsaSign, rsaVerify } from './alipay-signature.ts';
import type { Account } from './alipay-account.ts';
import type { Context } from './context.ts';

const chinaMs = 8 * 3_600_000;
const livesMs = 15 * 60_000;

type Said = Record<string, unknown>;
const fine: Said = { code: '10000', msg: 'Success' };
const failed = (sub_code: string): Said => ({ code: '40004', msg: 'Business Failed', sub_code, sub_msg: sub_code });

const operations: Record<string, string> = {
  'alipay.trade.query': 'query',
  'alipay.trade.close': 'cancel',
  'alipay.trade.refund': 'refund',
  'alipay.trade.fastpay.refund.query': 'query',
};

/** @param refuse shows a page that says why a link cannot be paid */
export function mountOpenPlatform(
  context: Context,
  account: Account,
  sales: SimulatedSales,
  faults: FaultBook,
  refuse: (reply: FastifyReply, why: string) => FastifyReply,
): void {
  const { app, clock } = context;

  const fieldsOf = (request: FastifyRequest): Record<string, string> => {
    const all = { ...asFields(request.query), ...asFields(request.body) };
    return Object.fromEntries(Object.entries(all).map(([key, value]) => [key, String(value)]));
  };
  const isOurs = (fields: Record<string, string>) =>
    fields['app_id'] === account.clientId &&
    fields['sign_type'] === 'RSA2' &&
    rsaVerify(openText(fields, ['sign']), fields['sign'] ?? '', account.shop.publicKey);

  // The player's browser comes here with the whole order in the address.
  app.get('/alipay/gateway.do', async (request, reply) => {
    const fields = fieldsOf(request);
    if (!isOurs(fields)) return refuse(reply, 'INVALID_SIGNATURE');
    const fault = faults.take('create');
    const made = readSale(fields, clock.now());
    if (!made) return refuse(reply, 'INVALID_PARAMETER');
    const sale = sales.find(made.reference) ?? made;
    if (sale === made) await sales.open(made, fault);
    return reply.redirect(`${context.pageOrigin()}/alipay/cashier/${sale.id}`, 303);
  });

  app.post('/alipay/gateway.do', (request, reply) => {
    const fields = fieldsOf(request);
    const method = fields['method'] ?? '';
    const content: unknown = parse(fields['biz_content'] ?? '');
    const sale = sales.find(textAt(content, 'out_trade_no') ?? '');
    const operation = operations[method] ?? 'query';
    const fault = operation === 'query' ? sales.questionFault(sale, operation) : faults.take(operation);
    return answerCall(reply, clock, fault, () => {
      const said = isOurs(fields)
        ? perform(method, content, sale)
        : { code: '40002', msg: 'Invalid Arguments', sub_code: 'isv.invalid-signature' };
      const part = JSON.stringify(said);
      const sign = rsaSign(part, account.alipay.privateKey);
      const body = `{"${method.replaceAll('.', '_')}_response":${part},"sign":"${sign}"}`;
      return { status: 200, body, headers: { 'content-type': 'text/html;charset=utf-8' } };
    });
  });

  function perform(method: string, content: unknown, sale: Sale | undefined): Said {
    if (!sale) return failed('ACQ.TRADE_NOT_EXIST');
    const names = { out_trade_no: sale.reference, trade_no: sale.paymentId ?? sale.id };
    switch (method) {
      case 'alipay.trade.query':
        return spoilView(
          {
            ...fine,
            ...names,
            trade_status: statusOf(sale),
            total_amount: writeYuan(sale.paid ?? sale.amount),
            ...(sale.paidAt === undefined ? {} : { send_pay_date: chinaTime(sale.paidAt) }),
          },
          sale.faults,
          { money: ['total_amount'], status: 'trade_status' },
        );
      case 'alipay.trade.close':
        return sales.close(sale) ? { ...fine, ...names } : failed('ACQ.TRADE_STATUS_ERROR');
      case 'alipay.trade.refund': {
        const ref = textAt(content, 'out_request_no') ?? '';
        const amount = readYuan(textAt(content, 'refund_amount'));
        const isKnown = sale.refunds.some((one) => one.ref === ref);
        const refund = amount && sales.refund(sale, ref, amount);
        if (!refund) return failed('ACQ.REFUND_AMT_NOT_EQUAL_TOTAL');
        return { ...fine, ...names, fund_change: isKnown ? 'N' : 'Y', refund_fee: writeYuan(refund.amount) };
      }
      case 'alipay.trade.fastpay.refund.query': {
        const refund = sale.refunds.find((one) => one.ref === textAt(content, 'out_request_no'));
        return {
          ...fine,
          ...names,
          ...(refund ? { refund_status: 'REFUND_SUCCESS', refund_amount: writeYuan(refund.amount) } : {}),
        };
      }
    }
    return { code: '40002', msg: 'Invalid Arguments', sub_code: 'isv.invalid-method' };
  }

  function statusOf(sale: Sale): string {
    const refundedMinor = sale.refunds.reduce((sum, one) => sum + one.amount.amountMinor, 0);
    if (sale.paid && refundedMinor >= sale.paid.amountMinor) return 'TRADE_CLOSED';
    if (sales.isExpired(sale)) return 'TRADE_CLOSED';
    return {
      open: 'WAIT_BUYER_PAY',
      pending: 'WAIT_BUYER_PAY',
      paid: 'TRADE_SUCCESS',
      declined: 'WAIT_BUYER_PAY',
      closed: 'TRADE_CLOSED',
      charged_back: 'TRADE_SUCCESS',
    }[sale.status];
  }
}

function readSale(fields: Record<string, string>, now: number): Sale | undefined {
  const content = parse(fields['biz_content'] ?? '');
  const [reference, amount] = [textAt(content, 'out_trade_no'), readYuan(textAt(content, 'total_amount'))];
  const products: Record<string, string> = {
    'alipay.trade.page.pay': 'FAST_INSTANT_TRADE_PAY',
    'alipay.trade.wap.pay': 'QUICK_WAP_WAY',
  };
  if (!reference || !/^[\w-]{1,64}$/.test(reference) || !amount) return undefined;
  if (textAt(content, 'product_code') !== products[fields['method'] ?? '']) return undefined;
  const endsAt = Date.parse(`${(textAt(content, 'time_expire') ?? '').replace(' ', 'T')}Z`) - chinaMs;
  return {
    id: newAntomId(now),
    reference,
    amount,
    status: 'open',
    refunds: [],
    faults: [],
    description: textAt(content, 'subject') ?? '',
    ...(fields['return_url'] ? { returnUrl: fields['return_url'] } : {}),
    createdAt: now,
    endsAt: Number.isNaN(endsAt) ? now + livesMs : endsAt,
    details: { protocol: 'open_platform', method: fields['method'] ?? '' },
  };
}

const chinaTime = (at: number) => new Date(at + chinaMs).toISOString().slice(0, 19).replace('T', ' ');

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
