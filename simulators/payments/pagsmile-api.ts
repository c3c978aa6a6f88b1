// Pagsmile's gateway: creating a trade for the checkout page, asking for it, refunding it.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Answer, answerCall } from '#simulators/kit/answer.ts';
import { type FaultBook, isSentinel, spoilView } from '#simulators/kit/faults.ts';
import { randomHex } from '#simulators/kit/ids.ts';
import { minorFromText } from '#simulators/kit/money.ts';
import { at, textAt } from '#simulators/kit/read.ts';
import { amountText, newTradeNo, type PagsmileAccount, type PagsmileState, type Trade } from './pagsmile-state.ts';
import type { Context } from './context.ts';

const hangsForMs = 20_000;
/** @source docs.pagsmile.com, refund: methods whose refund goes by bank transfer need the user's data */
const needsUserInfo = new Set(['PIX', 'Boleto', 'Lottery', 'SPEI']);
/** A refund is told this long after its call was answered. Our choice; Pagsmile takes days. */
export const refundMs = 300;

type Parts = {
  faults: FaultBook;
  pay(trade: Trade): Promise<void>;
  /** The trade as it stands now: one whose time is over has expired. */
  look(trade: Trade): Trade;
  /** Takes a refund on; false when that much is not left. */
  refund(trade: Trade, refundNo: string, amountMinor: number): boolean;
};

export function mountPagsmileApi(context: Context, account: PagsmileAccount, state: PagsmileState, parts: Parts): void {
  const { app, clock } = context;
  const spent500 = new Set<string>();
  const basic = `Basic ${Buffer.from(`${account.appId}:${account.secretKey}`).toString('base64')}`;

  const mount = (
    verb: string,
    fault: string,
    perform: (request: FastifyRequest, spoiled: string | undefined) => Answer | Promise<Answer>,
    about: (request: FastifyRequest) => Trade | undefined = () => undefined,
  ) =>
    app.post(`/pagsmile/trade/${verb}`, (request: FastifyRequest, reply: FastifyReply) => {
      if (request.headers.authorization !== basic)
        return answerCall(reply, clock, undefined, () => refusal('40002', 'Business Failed', 'invalid-signature'));
      if (textAt(request.body, 'app_id') !== account.appId)
        return answerCall(reply, clock, undefined, () => refusal('40002', 'Business Failed', 'app-not-match'));
      const trade = about(request);
      const spoiled = parts.faults.take(fault) ?? (trade && questionFault(trade));
      return answerCall(reply, clock, spoiled, () => perform(request, spoiled));
    });

  function questionFault(trade: Trade): string | undefined {
    if (trade.status !== 'SUCCESS') return undefined;
    if (trade.faults.includes('timeout') && clock.now() - trade.createdAt < hangsForMs) return 'hang';
    if (!trade.faults.includes('error500') || spent500.has(trade.tradeNo)) return undefined;
    spent500.add(trade.tradeNo);
    return 'error500';
  }

  mount('create', 'create', async ({ body }, spoiled) => {
    const made = readTrade(body, clock.now());
    if (isAnswer(made)) return made;
    if (state.find(made.outTradeNo)) return refusal('40002', 'Business Failed', 'duplicate-out_trade_no');
    if (spoiled && isSentinel(spoiled) && spoiled !== 'timeout' && spoiled !== 'error500') made.faults = [spoiled];
    state.save(made);
    const url = `${context.pageOrigin()}/pagsmile/checkout?prepay_id=${made.prepayId}`;
    const { tradeNo: trade_no, outTradeNo: out_trade_no, prepayId: prepay_id } = made;
    const answer = success({ trade_no, out_trade_no, web_url: url, prepay_id });
    // The shop hears of the payment while it still waits for the page.
    if (made.faults.includes('early')) await parts.pay(made);
    return answer;
  });

  const tradeOf = ({ body }: FastifyRequest) =>
    state.find(textAt(body, 'trade_no') ?? textAt(body, 'out_trade_no') ?? '');

  mount(
    'query',
    'query',
    (request) => {
      const found = tradeOf(request);
      if (!found) return refusal('40002', 'Business Failed', 'trade-not-exist');
      const trade = parts.look(found);
      return success(
        spoilView(
          {
            trade_no: trade.tradeNo,
            out_trade_no: trade.outTradeNo,
            trade_status: trade.status,
            order_amount: amountText(trade.paid),
            order_currency: trade.paid.currency,
            create_time: new Date(trade.createdAt).toISOString().slice(0, 19).replace('T', ' '),
            refuse_detail: trade.status === 'REFUSED' ? 'Do not honor' : '',
          },
          trade.faults,
          { money: ['order_amount', 'order_currency'], status: 'trade_status' },
        ),
      );
    },
    tradeOf,
  );

  mount('refund', 'refund', (request) => {
    const { body } = request;
    const trade = tradeOf(request);
    if (!trade) return refusal('40002', 'Business Failed', 'trade-not-exist');
    if (needsUserInfo.has(trade.method) && !textAt(body, 'user_info.name'))
      return refusal('40001', 'Missing Required Arguments', 'user_info');
    const refundNo = textAt(body, 'out_request_no') ?? '';
    if (refundNo.length > 16) return refusal('40001', 'Missing Required Arguments', 'out_request_no is too long');
    const amountMinor = readMinor(at(body, 'refund_amount'));
    const isFit = textAt(body, 'refund_currency') === trade.paid.currency && amountMinor !== undefined;
    if (!isFit || !parts.refund(trade, refundNo, amountMinor))
      return refusal('40002', 'Business Failed', 'refund-not-allowed');
    return success({
      out_trade_no: trade.outTradeNo,
      trade_no: trade.tradeNo,
      refund_currency: trade.paid.currency,
      refund_amount: amountText({ ...trade.paid, amountMinor }),
      refund_status: trade.status,
    });
  });
}

const isAnswer = (value: Answer | Trade): value is Answer => 'body' in value;
const success = (body: object): Answer => ({ status: 200, body: { code: '10000', msg: 'Success', ...body } });
const refusal = (code: string, msg: string, sub_code: string): Answer => ({
  status: 400,
  body: { code, msg, sub_code, sub_msg: sub_code.replaceAll('-', ' ') },
});

/** Text or number, at most two decimals. */
function readMinor(value: unknown): number | undefined {
  const minor = typeof value === 'string' || typeof value === 'number' ? minorFromText(String(value), 2) : undefined;
  return minor !== undefined && minor > 0 ? minor : undefined;
}

/** Minutes of "90m", "2h", "1d". */
function minutesOf(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  const factor = { m: 1, h: 60, d: 1440 }[unit];
  return count !== undefined && factor !== undefined && Number(count) * factor <= 21_600
    ? Number(count) * factor
    : undefined;
}

function readTrade(body: unknown, now: number): Trade | Answer {
  const required = ['timestamp', 'out_trade_no', 'order_currency', 'subject', 'content', 'notify_url', 'buyer_id'];
  const missing = required.find((name) => textAt(body, name) === undefined);
  if (missing) return refusal('40001', 'Missing Required Arguments', missing);
  if (textAt(body, 'trade_type') !== 'WEB' || textAt(body, 'version') !== '2.0')
    return refusal('40001', 'Missing Required Arguments', 'trade_type or version');
  const text = (name: string) => textAt(body, name) ?? '';
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text('timestamp')) || text('out_trade_no').length > 64)
    return refusal('40001', 'Missing Required Arguments', 'timestamp or out_trade_no');
  const currency = text('order_currency');
  if (!/^[A-Z]{3}$/.test(currency)) return refusal('40002', 'Business Failed', 'currency-not-supported');
  const amountMinor = readMinor(at(body, 'order_amount'));
  const isWhole = amountMinor !== undefined && amountMinor % 100 === 0;
  if (amountMinor === undefined || (['KRW', 'IDR', 'TWD'].includes(currency) && !isWhole))
    return refusal('40001', 'Missing Required Arguments', 'order_amount');
  const method = text('method');
  if ((method === 'Wallet') !== (text('channel') !== '')) return refusal('40004', 'Method not supported', 'channel');
  const minutes = minutesOf(textAt(body, 'timeout_express') ?? '90m');
  if (minutes === undefined) return refusal('40001', 'Missing Required Arguments', 'timeout_express');
  const amount = { amountMinor, currency };
  return {
    tradeNo: newTradeNo(now),
    outTradeNo: text('out_trade_no'),
    prepayId: randomHex(12),
    amount,
    paid: amount,
    method,
    channel: text('channel'),
    subject: text('subject'),
    buyerId: text('buyer_id'),
    returnUrl: textAt(body, 'return_url'),
    status: 'INITIAL',
    refundNo: '',
    refundMinor: 0,
    refundedMinor: 0,
    faults: [],
    createdAt: now,
    endsAt: now + minutes * 60_000,
    settlesAt: undefined,
  };
}
