// Codapay's API v2.0: starting a transaction and inquiring about it.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Answer, answerCall } from '#simulators/kit/answer.ts';
import { type FaultBook, isSentinel, spoilView } from '#simulators/kit/faults.ts';
import { minorFromText } from '#simulators/kit/money.ts';
import { asFields, at, numberAt, textAt } from '#simulators/kit/read.ts';
import { priceText } from './codapay-notices.ts';
import {
  type CodapayAccount,
  type CodapayState,
  markets,
  newTxnId,
  standingOf,
  type Transaction,
} from './codapay-state.ts';
import type { Context } from './context.ts';

const base = '/codapay/airtime/api/restful/v2.0/Payment';
const hangsForMs = 20_000;

export function mountCodapayApi(
  context: Context,
  account: CodapayAccount,
  state: CodapayState,
  parts: { pay: (transaction: Transaction) => Promise<void>; faults: FaultBook },
): void {
  const { app, clock } = context;
  const spent500 = new Set<string>();

  const isAllowed = (asked: unknown) =>
    textAt(asked, 'apiKey') === account.apiKey && Number(at(asked, 'projectId')) === account.projectId;

  app.post(`${base}/init.json`, (request: FastifyRequest, reply: FastifyReply) => {
    const spoiled = parts.faults.take('create');
    return answerCall(reply, clock, spoiled, async () => {
      const asked = at(request.body, 'initRequest');
      if (!isAllowed(asked)) return refusal(204, 'Merchant key or URL is not registered');
      const made = readInit(asked, clock.now());
      if ('refused' in made) return refusal(made.refused, made.because);
      if (spoiled && isSentinel(spoiled) && spoiled !== 'timeout' && spoiled !== 'error500') made.faults = [spoiled];
      state.save(made);
      const redirectUrl = `${context.pageOrigin()}/codapay/airtime/epc-checkout?type=3&txn_id=${made.txnId}`;
      const answer = json({ initResult: { resultCode: 0, resultDesc: '', txnId: made.txnId, redirectUrl } });
      // The shop hears of the payment while it still waits for the page.
      if (made.faults.includes('early')) await parts.pay(made);
      return answer;
    });
  });

  app.post(`${base}/inquiryPaymentResult.json`, (request: FastifyRequest, reply: FastifyReply) => {
    const asked = at(request.body, 'inquiryPaymentRequest');
    const transaction = state.transactions.get(String(at(asked, 'txnId') ?? ''));
    const spoiled = parts.faults.take('query') ?? (transaction && questionFault(transaction));
    return answerCall(reply, clock, spoiled, () => {
      if (!isAllowed(asked))
        return json({ paymentResult: { resultCode: 204, resultDesc: 'Merchant key is not registered' } });
      if (!transaction) return json({ paymentResult: { resultCode: 207, resultDesc: 'Transaction not found' } });
      return json({
        paymentResult: writeResult(transaction, clock.now(), textAt(asked, 'needStatusFinal') === 'true'),
      });
    });
  });

  function questionFault(transaction: Transaction): string | undefined {
    if (transaction.resultCode !== 0) return undefined;
    if (transaction.faults.includes('timeout') && clock.now() - transaction.createdAt < hangsForMs) return 'hang';
    if (!transaction.faults.includes('error500') || spent500.has(transaction.txnId)) return undefined;
    spent500.add(transaction.txnId);
    return 'error500';
  }
}

/** Ids of digits alone are written as numbers, however long: the trap of this API. */
function json(body: unknown): Answer {
  const text = JSON.stringify(body).replaceAll(/"(txnId|orderId)":"(\d+)"/g, '"$1":$2');
  return { status: 200, headers: { 'content-type': 'application/json' }, body: text };
}

const refusal = (resultCode: number, resultDesc: string) =>
  json({ initResult: { resultCode, resultDesc, txnId: '0' } });

function writeResult(transaction: Transaction, nowMs: number, isFinalAsked: boolean): Record<string, unknown> {
  const { code, isFinal } = standingOf(transaction, nowMs);
  const status = code === 0 ? 'success' : isFinal ? 'failed' : 'pending';
  return spoilView(
    {
      txnId: transaction.txnId,
      orderId: transaction.orderId,
      resultCode: code,
      resultDesc: code === 0 ? '' : status,
      totalPrice: Number(priceText(transaction)),
      profile: {
        entry: [
          { key: 'PaymentType', value: transaction.payType || 236 },
          ...(isFinalAsked ? [{ key: 'isStatusFinal', value: isFinal }] : []),
          { key: 'status', value: status },
        ],
      },
    },
    transaction.faults,
    { money: ['totalPrice'], status: 'resultCode', word: 998 },
  );
}

type Refused = { refused: number; because: string };

function readInit(asked: unknown, now: number): Transaction | Refused {
  const bad = (because: string): Refused => ({ refused: 202, because });
  const orderId = textAt(asked, 'orderId') ?? '';
  if (orderId.length < 4 || orderId.length > 64) return bad('orderId must have 4 to 64 characters');
  const currency = Number(at(asked, 'currency'));
  const market = markets[currency];
  if (!market || !Number.isInteger(Number(at(asked, 'country')))) return bad('country or currency is not supported');
  const name = textAt(asked, 'items.0.name') ?? '';
  if (!/^[A-Za-z0-9 .,()+-]+$/.test(name)) return bad('items.name takes Latin letters only');
  const price = numberAt(asked, 'items.0.price');
  if (price === undefined || price <= 0) return bad('items.price must be positive');
  const amountMinor = minorFromText(String(price), market.decimals);
  if (amountMinor === undefined) return { refused: 203, because: 'Decimals are not allowed' };
  const entries = at(asked, 'profile.entry');
  const profile = new Map(
    (Array.isArray(entries) ? entries : []).map((one) => [asFields(one)['key'], asFields(one)['value']]),
  );
  if (!profile.get('user_id')) return bad('user_id is mandatory');
  const returnUrl = profile.get('return_url');
  return {
    txnId: newTxnId(),
    orderId,
    currency,
    amountMinor,
    paidMinor: amountMinor,
    item: name,
    payType: numberAt(asked, 'payType') ?? 0,
    returnUrl: typeof returnUrl === 'string' ? returnUrl : undefined,
    resultCode: 209,
    isOpened: false,
    faults: [],
    createdAt: now,
    settlesAt: undefined,
  };
}
