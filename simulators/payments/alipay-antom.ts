// Antom's payment API (AMS) of the sandbox: pay, createPaymentSession, inquiryPayment, cancel, refund.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Answer, answerCall } from '#simulators/kit/answer.ts';
import { rawTextOf } from '#simulators/kit/bodies.ts';
import { spoilView, type FaultBook } from '#simulators/kit/faults.ts';
import { fingerprint, randomUpper } from '#simulators/kit/ids.ts';
import { at, textAt } from '#simulators/kit/read.ts';
import type { Sale, SimulatedSales } from '#simulators/kit/simulated-sales.ts';
import { readAntomAmount, writeAntomAmount } from './alipay-amounts.ts';
import { antomHeader, antomSignatureIn, antomText, rsaVerify } from './alipay-signature.ts';
import type { Account } from './alipay-account.ts';
import type { Context } from './context.ts';

const base = '/alipay/ams/sandbox/api/v1/payments';
/** @source docs.antom.com, inquiryPayment: an unpaid cashier order closes after 14 minutes unless told otherwise */
const livesMs = 14 * 60_000;

const methods = new Set(['ALIPAY_CN', 'ALIPAY_HK', 'CARD', 'KAKAOPAY', 'GCASH', 'DANA', 'TNG', 'TRUEMONEY']);

function result(resultStatus: 'S' | 'F' | 'U', resultCode: string, resultMessage = resultCode.toLowerCase()) {
  return { result: { resultStatus, resultCode, resultMessage } };
}

export function mountAntom(context: Context, account: Account, sales: SimulatedSales, faults: FaultBook): void {
  const { app, clock } = context;

  /** Answers are signed over the very text that is sent. */
  function send(
    request: FastifyRequest,
    reply: FastifyReply,
    fault: string | undefined,
    perform: () => Answer | Promise<Answer>,
  ) {
    return answerCall(reply, clock, fault, async () => {
      const { status, body } = await perform();
      const text = JSON.stringify(body);
      const time = new Date(clock.now()).toISOString();
      const signature = antomHeader(antomText(request.url, account.clientId, time, text), account.alipay.privateKey);
      const headers = {
        'client-id': account.clientId,
        'response-time': time,
        signature,
        'content-type': 'application/json; charset=UTF-8',
      };
      return { status, body: text, headers };
    });
  }

  function verb(
    name: string,
    operation: string,
    perform: (body: unknown, fault: string | undefined) => Answer | Promise<Answer>,
  ): void {
    app.post(`${base}/${name}`, (request, reply) => {
      const { 'client-id': clientId, 'request-time': time, signature } = request.headers;
      const text = antomText(request.url, String(clientId), String(time), rawTextOf(request));
      const isKnown = clientId === account.clientId;
      if (!isKnown)
        return send(request, reply, undefined, () => ({ status: 200, body: result('F', 'INVALID_CLIENT') }));
      if (!rsaVerify(text, antomSignatureIn(signature), account.shop.publicKey))
        return send(request, reply, undefined, () => ({ status: 200, body: result('F', 'INVALID_SIGNATURE') }));
      const about =
        sales.find(textAt(request.body, 'paymentRequestId') ?? '') ?? byPaymentId(textAt(request.body, 'paymentId'));
      const fault = operation === 'query' ? sales.questionFault(about, operation) : faults.take(operation);
      return send(request, reply, fault, () => perform(request.body, fault));
    });
  }

  const byPaymentId = (paymentId: string | undefined) =>
    paymentId === undefined
      ? undefined
      : [...sales.table.values()].find((sale) => sale.paymentId === paymentId || sale.id === paymentId);

  async function create(body: unknown, fault: string | undefined, isSession: boolean): Promise<Answer> {
    const read = readSale(body, isSession, clock.now());
    if (typeof read === 'string') return { status: 200, body: result('F', 'PARAM_ILLEGAL', read) };
    const print = fingerprint(JSON.stringify(body));
    const known = sales.find(read.reference);
    if (known && known.details['print'] !== print) return { status: 200, body: result('F', 'REPEAT_REQ_INCONSISTENT') };
    const sale = known ?? { ...read, details: { ...read.details, print } };
    if (!known) await sales.open(sale, fault);
    const normalUrl = `${context.pageOrigin()}/alipay/cashier/${sale.id}`;
    if (isSession)
      return {
        status: 200,
        body: { ...result('S', 'SUCCESS'), paymentSessionId: sale.id, paymentSessionData: sale.id, normalUrl },
      };
    return {
      status: 200,
      body: { ...result('U', 'PAYMENT_IN_PROCESS'), paymentRequestId: sale.reference, paymentId: sale.id, normalUrl },
    };
  }

  verb('pay', 'create', (body, fault) => create(body, fault, false));
  verb('createPaymentSession', 'create', (body, fault) => create(body, fault, true));

  verb('inquiryPayment', 'query', (body) => {
    const sale = sales.find(textAt(body, 'paymentRequestId') ?? '') ?? byPaymentId(textAt(body, 'paymentId'));
    // A session is no order until somebody tries to pay.
    if (!sale || (sale.details['kind'] === 'session' && sale.paymentId === undefined && sale.status === 'open'))
      return { status: 200, body: result('F', 'ORDER_NOT_EXIST') };
    return {
      status: 200,
      body: viewOf(sale, sales.isExpired(sale) ? 'FAIL' : words[sale.status]),
    };
  });

  verb('cancel', 'cancel', (body) => {
    const sale = sales.find(textAt(body, 'paymentRequestId') ?? '');
    if (!sale) return { status: 200, body: result('F', 'ORDER_NOT_EXIST') };
    if (!sales.close(sale)) {
      // A cancel refunds a paid sale. @source docs.antom.com, cancel
      sales.refund(sale, `cancel-${sale.reference}`, sale.paid ?? sale.amount);
    }
    return { status: 200, body: { ...result('S', 'SUCCESS'), paymentRequestId: sale.reference } };
  });

  verb('refund', 'refund', (body) => {
    const [ref, amount] = [textAt(body, 'refundRequestId'), readAntomAmount(at(body, 'refundAmount'))];
    const sale = byPaymentId(textAt(body, 'paymentId'));
    if (!ref || ref.length > 64 || !amount) return { status: 200, body: result('F', 'PARAM_ILLEGAL') };
    if (!sale) return { status: 200, body: result('F', 'ORDER_NOT_EXIST') };
    const metadata = textAt(body, 'metadata');
    if (metadata) sale.details[`metadata ${ref}`] = metadata;
    const refund = sales.refund(sale, ref, amount);
    if (!refund) return { status: 200, body: result('F', 'REFUND_AMOUNT_EXCEED') };
    return {
      status: 200,
      body: {
        ...result('S', 'SUCCESS'),
        refundRequestId: ref,
        refundId: refund.id,
        paymentId: sale.paymentId,
        refundAmount: writeAntomAmount(refund.amount),
      },
    };
  });
}

/** The sale that a body asks for, or the name of what is wrong with it. */
function readSale(body: unknown, isSession: boolean, now: number): Sale | string {
  if (hasNumber(body)) return 'every scalar must be a string';
  const [reference, amount] = [textAt(body, 'paymentRequestId'), readAntomAmount(at(body, 'paymentAmount'))];
  const method = textAt(body, 'paymentMethod.paymentMethodType') ?? '';
  const terminal = textAt(body, 'env.terminalType') ?? '';
  if (!reference || reference.length > 64) return 'paymentRequestId';
  if (!amount) return 'paymentAmount';
  if (textAt(body, 'productCode') !== 'CASHIER_PAYMENT') return 'productCode';
  if (!methods.has(method)) return 'paymentMethodType';
  // Raw card data is another contract: by `pay` a card is refused here.
  if (!isSession && method === 'CARD') return 'paymentMethodMetaData';
  if (isSession && textAt(body, 'productScene') !== 'CHECKOUT_PAYMENT') return 'productScene';
  if (!textAt(body, 'order.referenceOrderId') || !textAt(body, 'order.orderDescription')) return 'order';
  if (!isSession && !['WEB', 'WAP', 'APP'].includes(terminal)) return 'env.terminalType';
  const returnUrl = textAt(body, 'paymentRedirectUrl');
  if (!returnUrl || !textAt(body, 'paymentNotifyUrl')) return 'paymentRedirectUrl';
  return {
    id: newAntomId(now),
    reference,
    amount,
    status: 'open',
    refunds: [],
    faults: [],
    description: textAt(body, 'order.orderDescription') ?? '',
    returnUrl,
    createdAt: now,
    endsAt: Date.parse(textAt(body, 'paymentExpiryTime') ?? '') || now + livesMs,
    details: { protocol: 'antom', method, kind: isSession ? 'session' : 'payment' },
  };
}

const words = {
  open: 'PROCESSING',
  pending: 'PENDING',
  paid: 'SUCCESS',
  declined: 'FAIL',
  closed: 'CANCELLED',
  charged_back: 'SUCCESS',
} as const;

/** Writes a sale, and the refunds that followed it, for an inquiry. */
function viewOf(sale: Sale, paymentStatus: string): Record<string, unknown> {
  return spoilView(
    {
      ...result('S', 'SUCCESS'),
      paymentStatus,
      paymentResultCode: sale.status === 'paid' ? 'SUCCESS' : 'PAYMENT_IN_PROCESS',
      paymentRequestId: sale.reference,
      paymentId: sale.paymentId ?? sale.id,
      paymentAmount: writeAntomAmount(sale.paid ?? sale.amount),
      // @source github.com/alipay/global-open-sdk-java, Transaction
      transactions: sale.refunds.map((one) => ({
        transactionResult: result('S', 'SUCCESS').result,
        transactionId: one.id,
        transactionRequestId: one.ref,
        transactionType: 'REFUND',
        transactionStatus: 'SUCCESS',
        transactionAmount: writeAntomAmount(one.amount),
      })),
    },
    sale.faults,
    { money: ['paymentAmount'], status: 'paymentStatus' },
  );
}

/** Time, then digits: 28 characters as Antom's own. */
export function newAntomId(now: number): string {
  return `${new Date(now).toISOString().replace(/\D/g, '').slice(0, 14)}${randomUpper(14).replace(/\D/g, (sign) => String(sign.charCodeAt(0) % 10))}`;
}

function hasNumber(value: unknown): boolean {
  if (typeof value === 'number' || typeof value === 'boolean') return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(hasNumber);
}
