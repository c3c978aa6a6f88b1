// Naver Pay's API: reserve, apply, history, cancel. Written from developers.pay.naver.com and
// docs.pay.naver.com, one-time payment.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Answer, answerCall } from '#simulators/kit/answer.ts';
import { type FaultBook, isSentinel, spoilView } from '#simulators/kit/faults.ts';
import { at, numberAt, textAt } from '#simulators/kit/read.ts';
import type { Context } from './context.ts';
import {
  cancelPart,
  koreanStamp,
  type Movement,
  type NaverState,
  newHistId,
  newReserveId,
  type Payment,
  type Reservation,
  restOf,
} from './naver-state.ts';

export type NaverAccount = { clientId: string; clientSecret: string; chainId: string };

/** Our choice; the real window is not public. */
const applyWithinMs = 10 * 60_000;
const base = '/naver/naverpay-partner/naverpay/payments';

export function mountNaverApi(context: Context, state: NaverState, account: NaverAccount, faults: FaultBook): void {
  const { app, clock } = context;
  const spent = new Set<string>();

  type Perform = (request: FastifyRequest, fault: string | undefined) => Answer;
  function call(path: string, operation: string, perform: Perform): void {
    app.post(`${base}/${path}`, (request: FastifyRequest, reply: FastifyReply) => {
      const { headers } = request;
      const isKnown =
        headers['x-naver-client-id'] === account.clientId &&
        headers['x-naver-client-secret'] === account.clientSecret &&
        headers['x-naverpay-chain-id'] === account.chainId;
      if (!isKnown) return answerCall(reply, clock, undefined, () => refuse('InvalidMerchant', 'unknown client', 401));
      const key = headers['x-naverpay-idempotency-key'];
      if (typeof key === 'string' && !/^[A-Za-z0-9_-]{1,64}$/.test(key))
        return answerCall(reply, clock, undefined, () => refuse('InvalidIdempotencyKey', 'key', 400));
      const fault = faults.take(operation) ?? noted(operation, idOf(request));
      return answerCall(reply, clock, fault, () => {
        const stored = typeof key === 'string' ? state.replies.get(`${path} ${key}`) : undefined;
        const answer = stored ?? perform(request, fault);
        // Only what was carried out is kept: a refusal may be another answer next time.
        if (typeof key === 'string' && at(answer.body, 'code') === 'Success')
          state.replies.put(`${path} ${key}`, answer);
        return answer;
      });
    });
  }

  const idOf = (request: FastifyRequest) =>
    textAt(request.params, 'paymentId') ?? textAt(request.body, 'paymentId') ?? '';

  /** Reads the fault that a word of the note asks for: once. */
  function noted(operation: string, paymentId: string): string | undefined {
    const fault = operation === 'capture' ? 'timeout' : operation === 'query' ? 'error500' : undefined;
    const payment = state.payments.get(paymentId);
    if (!payment || !fault || !state.ofPayment(payment).faults.some((one) => one === fault)) return undefined;
    const mark = `${fault} ${paymentId}`;
    return spent.has(mark) ? undefined : (spent.add(mark), fault);
  }

  call('v2/reserve', 'create', ({ body }, fault) => {
    const made = readReservation(body, clock.now());
    if (!made) return refuse('InvalidParameter', 'a required parameter is missing or wrong');
    if (fault && isSentinel(fault) && fault !== 'timeout' && fault !== 'error500') made.faults = [fault];
    state.save(made);
    return success({ reserveId: made.reserveId });
  });

  call('v2.2/apply/payment', 'capture', (request) => {
    const payment = state.payments.get(idOf(request));
    if (!payment) return refuse('Fail', 'no such payment');
    if (payment.movements.length > 0) return refuse('AlreadyComplete', 'applied before');
    if (clock.now() - payment.agreedAt > applyWithinMs) return refuse('TimeExpired', 'the time to approve is over');
    const { won, faults: notes } = state.ofPayment(payment);
    const paid = notes.includes('wrong-amount') ? won - 1 : won;
    const movement = move(payment, '01', paid);
    return success({ paymentId: payment.paymentId, detail: detailOf(payment, movement) });
  });

  call('v2.2/list/history/:paymentId', 'query', (request) => {
    const payment = state.payments.get(idOf(request));
    return success(page(payment ? rowsOf(payment) : [], request.body));
  });

  call('v2.2/list/history', 'query', ({ body }) => {
    const [from, to] = [textAt(body, 'startTime') ?? '', textAt(body, 'endTime') ?? ''];
    if (!/^\d{14}$/.test(from) || !/^\d{14}$/.test(to)) return refuse('InvalidParameter', 'startTime and endTime');
    const rows = [...state.payments.values()].flatMap(rowsOf);
    return success(
      page(
        rows.filter(({ admissionYmdt: time }) => time >= from && time <= to),
        body,
      ),
    );
  });

  call('v1/cancel', 'refund', ({ body }) => {
    const payment = state.payments.get(textAt(body, 'paymentId') ?? '');
    const won = Number(textAt(body, 'cancelAmount') ?? 'none');
    const isWhole = Number.isSafeInteger(won) && won > 0;
    const taxed = Number(textAt(body, 'taxScopeAmount')) + Number(textAt(body, 'taxExScopeAmount'));
    if (
      !payment ||
      !isWhole ||
      taxed !== won ||
      !textAt(body, 'cancelReason') ||
      !/^[12]$/.test(textAt(body, 'cancelRequester') ?? '')
    )
      return refuse('InvalidParameter', 'a required parameter is missing or wrong');
    const rest = restOf(payment);
    if (textAt(body, 'doCompareRest') === '1' && Number(textAt(body, 'expectedRestAmount')) !== rest - won)
      return refuse('RestAmountDiff', 'another rest');
    if (won > rest) return refuse('OverRemainAmount', 'more than is left');
    const movement = cancelPart(state, payment, won, clock.now());
    return success({
      paymentId: payment.paymentId,
      payHistId: movement.payHistId,
      cancelYmdt: koreanStamp(movement.at),
      totalRestAmount: restOf(payment),
      primaryPayCancelAmount: won,
      npointCancelAmount: 0,
    });
  });

  function move(payment: Payment, typeCode: Movement['typeCode'], won: number): Movement {
    const now = clock.now();
    const movement: Movement = { payHistId: newHistId(now), typeCode, state: 'SUCCESS', won, at: now };
    payment.movements.push(movement);
    state.payments.put(payment.paymentId, payment);
    return movement;
  }

  function detailOf(payment: Payment, movement: Movement) {
    const { merchantPayKey, merchantUserKey, productName, faults: notes } = state.ofPayment(payment);
    return spoilView(
      {
        paymentId: payment.paymentId,
        payHistId: movement.payHistId,
        merchantPayKey: notes.includes('wrong-reference') ? `${merchantPayKey}X` : merchantPayKey,
        merchantUserKey,
        productName,
        admissionTypeCode: movement.typeCode,
        admissionYmdt: koreanStamp(movement.at),
        admissionState: movement.state,
        totalPayAmount: movement.won,
        applyPayAmount: movement.won,
        primaryPayAmount: movement.won,
        npointPayAmount: 0,
        giftCardAmount: 0,
        discountPayAmount: 0,
        taxScopeAmount: movement.won,
        taxExScopeAmount: 0,
        primaryPayMeans: 'CARD',
        cardCorpCode: 'C0',
        cardNo: '1111********1111',
        cardAuthNo: '12345678',
        bankCorpCode: '',
      },
      notes,
      { money: ['totalPayAmount'], status: 'admissionState' },
    );
  }
  const rowsOf = (payment: Payment) => payment.movements.map((movement) => detailOf(payment, movement));
}

/** @source docs.pay.naver.com, list/history: rowsPerPage 20 unless told */
function page<Row>(rows: Row[], body: unknown) {
  const size = numberAt(body, 'rowsPerPage') ?? 20;
  const number = numberAt(body, 'pageNumber') ?? 1;
  const list = rows.slice((number - 1) * size, number * size);
  const totalPageCount = Math.ceil(rows.length / size);
  return { list, totalCount: rows.length, responseCount: list.length, totalPageCount, currentPageNumber: number };
}

const success = (body: unknown): Answer => ({ status: 200, body: { code: 'Success', message: '', body } });

/** UNSURE: that a refusal comes with 200; public integrations go by `code` alone. */
function refuse(code: string, message: string, status = 200): Answer {
  return { status, body: { code, message } };
}

/** Undefined when something required is missing, too long or does not add up. */
function readReservation(body: unknown, now: number): Reservation | undefined {
  const text = (name: string, most: number) => {
    const found = textAt(body, name);
    return found !== undefined && found.length <= most ? found : undefined;
  };
  const merchantPayKey = text('merchantPayKey', 64);
  const merchantUserKey = text('merchantUserKey', 50);
  const productName = text('productName', 128);
  const returnUrl = text('returnUrl', 2000);
  const won = numberAt(body, 'totalPayAmount');
  const taxed = (numberAt(body, 'taxScopeAmount') ?? 0) + (numberAt(body, 'taxExScopeAmount') ?? 0);
  const items = at(body, 'productItems');
  if (textAt(body, 'modelVersion') !== '2' || !Array.isArray(items) || items.length === 0) return undefined;
  if (!merchantPayKey || !merchantUserKey || !productName || !returnUrl || !URL.canParse(returnUrl)) return undefined;
  if (!Number.isSafeInteger(won) || won! < 10 || taxed !== won || !numberAt(body, 'productCount')) return undefined;
  return {
    reserveId: newReserveId(),
    merchantPayKey,
    merchantUserKey,
    productName,
    won: won!,
    returnUrl,
    faults: [],
    createdAt: now,
  };
}
