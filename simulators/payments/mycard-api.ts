// MyCard's MyBillingPay, the three calls of a vendor's server. Written from public integrations; the manual is
// for contracted vendors only.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Answer, answerCall } from '#simulators/kit/answer.ts';
import { type FaultBook, isSentinel, spoilView } from '#simulators/kit/faults.ts';
import { minorFromText } from '#simulators/kit/money.ts';
import { asFields } from '#simulators/kit/read.ts';
import type { Context } from './context.ts';
import {
  type MyCardAccount,
  type MyCardState,
  newAuthCode,
  newTradeSeq,
  type Trade,
  writeAmount,
} from './mycard-state.ts';
import { signValues } from './mycard-signature.ts';

const base = '/mycard/MyBillingPay/:version';
const hangsForMs = 20_000;

/** The simulator's own numbers: the list of MyCard's is not public. */
const codes = {
  parameter: 'MBP001',
  service: 'MBP002',
  hash: 'MBP003',
  repeated: 'MBP004',
  unknown: 'MBP005',
  unpaid: 'MBP006',
  confirmed: 'MBP007',
};
export const confirmedCode = codes.confirmed;

type Versioned = { Params: { version: string } };

export function mountMyCardApi(
  context: Context,
  state: MyCardState,
  account: MyCardAccount,
  parts: { faults: FaultBook; payAtOnce: (trade: Trade) => Promise<void> },
): void {
  const { app, clock } = context;
  const { faults } = parts;
  const spent500 = new Set<string>();

  function call(
    request: FastifyRequest,
    reply: FastifyReply,
    operation: string,
    perform: (fields: Record<string, string>, fault: string | undefined) => Answer | Promise<Answer>,
  ): Promise<FastifyReply> {
    const fields = fieldsOf(request.body);
    const trade = operation === 'create' ? undefined : state.trades.get(fields['AuthCode'] ?? '');
    const fault = faults.take(operation) ?? (trade && operation === 'query' ? questionFault(trade) : undefined);
    return answerCall(reply, clock, fault, () => perform(fields, fault));
  }

  function questionFault(trade: Trade): string | undefined {
    if (!trade.paid) return undefined;
    if (trade.faults.includes('timeout') && clock.now() - trade.createdAt < hangsForMs) return 'hang';
    if (!trade.faults.includes('error500') || spent500.has(trade.authCode)) return undefined;
    spent500.add(trade.authCode);
    return 'error500';
  }

  app.post<Versioned>(`${base}/AuthGlobal`, (request, reply) =>
    call(request, reply, 'create', async (fields, fault) => {
      const { version } = request.params;
      const read = readTrade(fields, version, account, clock.now());
      if ('refusal' in read) return read.refusal;
      if (state.find(read.trade.facTradeSeq)) return said(codes.repeated, 'FacTradeSeq was used before');
      const { trade } = read;
      if (fault && isSentinel(fault) && fault !== 'timeout' && fault !== 'error500') trade.faults = [fault];
      state.save(trade);
      const answer = said('1', 'Authorised', {
        AuthCode: trade.authCode,
        TradeSeq: trade.tradeSeq,
        InGameSaveType: '2',
        TransactionUrl: `${context.pageOrigin()}/mycard/MyCardPay/?AuthCode=${trade.authCode}`,
      });
      if (trade.faults.includes('early')) await parts.payAtOnce(trade);
      return answer;
    }),
  );

  app.post<Versioned>(`${base}/TradeQuery`, (request, reply) =>
    call(request, reply, 'query', ({ AuthCode = '' }) => {
      const trade = state.trades.get(AuthCode);
      if (!trade) return said(codes.unknown, 'No such AuthCode');
      return said(
        '1',
        'QueryOK',
        spoilView(
          {
            PayResult: trade.paid ? '3' : '0',
            FacTradeSeq: trade.paid?.facTradeSeq ?? trade.facTradeSeq,
            PaymentType: trade.paid?.paymentType ?? trade.askedType,
            Amount: writeAmount(trade.paid?.amount ?? trade.amount),
            Currency: trade.paid?.amount.currency ?? trade.amount.currency,
            MyCardTradeNo: trade.paid?.tradeNo ?? '',
            MyCardType: trade.paid?.cardType ?? '',
            PromoCode: '',
            SerialId: '',
          },
          trade.paid ? trade.faults : [],
          { money: ['Amount', 'Currency'], status: 'PayResult', word: '7' },
        ),
      );
    }),
  );

  app.post<Versioned>(`${base}/PaymentConfirm`, (request, reply) =>
    call(request, reply, 'capture', ({ AuthCode = '' }) => {
      const trade = state.trades.get(AuthCode);
      if (!trade) return said(codes.unknown, 'No such AuthCode');
      if (!trade.paid) return said(codes.unpaid, 'The trade is not paid');
      if (trade.isConfirmed) return said(codes.confirmed, 'The trade was confirmed before');
      trade.isConfirmed = true;
      state.save(trade);
      return said('1', 'Confirmed', { FacTradeSeq: trade.facTradeSeq, TradeSeq: trade.tradeSeq, SerialId: '' });
    }),
  );
}

function fieldsOf(body: unknown): Record<string, string> {
  return Object.fromEntries(Object.entries(asFields(body)).map(([name, value]) => [name, String(value)]));
}

/** Every value is text, and the message is URL-encoded. */
function said(code: string, message: string, more: Record<string, string> = {}): Answer {
  return { status: 200, body: { ReturnCode: code, ReturnMsg: encodeURIComponent(message), ...more } };
}

const currencies = new Set(['TWD', 'HKD', 'USD']);

/** Lists the fields that each version knows, in the order of the hash. */
function fieldNames(version: string): string[] {
  const game = version === 'api' || version === 'v1.1' ? [] : ['FacGameId', 'FacGameName'];
  return [
    'FacServiceId', 'FacTradeSeq', ...game, 'TradeType', 'ServerId', 'CustomerId', 'PaymentType', 'ItemCode', 'ProductName', 'Amount', 'Currency',
    'SandBoxMode', ...(version === 'api' ? [] : ['FacReturnURL']),
  ]; /* a row a line */ // prettier-ignore
}

function readTrade(
  fields: Record<string, string>,
  version: string,
  account: MyCardAccount,
  now: number,
): { trade: Trade } | { refusal: Answer } {
  const refuse = (code: string, message: string) => ({ refusal: said(code, message) });
  const read = (name: string) => fields[name] ?? '';
  if (read('FacServiceId') !== account.facServiceId) return refuse(codes.service, 'FacServiceId is not known');
  const hash = signValues(fieldNames(version).map(read), account.key, version);
  if (read('Hash') !== hash) return refuse(codes.hash, 'Hash does not fit');
  const amountMinor = minorFromText(read('Amount'), 2);
  const isGood =
    /^[A-Za-z0-9_-]{1,50}$/.test(read('FacTradeSeq')) &&
    /^[0-9A-Za-z._\-#$%&*~:/^!+@]{1,100}$/.test(read('CustomerId')) &&
    /^[0-9A-Za-z._-]*$/.test(read('ServerId')) &&
    ['1', '2', '5'].includes(read('TradeType')) &&
    read('ProductName') !== '' &&
    read('SandBoxMode') === 'true';
  if (!isGood) return refuse(codes.parameter, 'A parameter is missing or wrong');
  if (amountMinor === undefined || amountMinor === 0 || !currencies.has(read('Currency')))
    return refuse(codes.parameter, 'Amount or Currency is wrong');
  const returnUrl = read('FacReturnURL');
  return {
    trade: {
      authCode: newAuthCode(),
      tradeSeq: newTradeSeq(now),
      facTradeSeq: read('FacTradeSeq'),
      version,
      askedType: read('PaymentType'),
      customerId: read('CustomerId'),
      productName: read('ProductName'),
      amount: { amountMinor, currency: read('Currency') },
      ...(URL.canParse(returnUrl) ? { returnUrl } : {}),
      createdAt: now,
      status: 'open',
      isConfirmed: false,
      faults: [],
    },
  };
}
