// KakaoPay's online API: ready, approve, order, cancel. Written from developers.kakaopay.com, single payment.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Answer, answerCall } from '#simulators/kit/answer.ts';
import { type FaultBook, isSentinel, spoilView } from '#simulators/kit/faults.ts';
import { numberAt, textAt } from '#simulators/kit/read.ts';
import type { Context } from './context.ts';
import { cancelPart, type KakaoState, newAid, newTid, type Payment } from './kakao-state.ts';

/** @source developers.kakaopay.com, "ready": tid and page live 15 minutes */
export const livesMs = 15 * 60_000;

export type KakaoAccount = { secretKey: string; cid: string };

export function mountKakaoApi(context: Context, state: KakaoState, account: KakaoAccount, faults: FaultBook): void {
  const { app, clock } = context;
  const spent = new Set<string>();

  function call(verb: string, operation: string, perform: (body: unknown, fault: string | undefined) => Answer): void {
    app.post(`/kakao/online/v1/payment/${verb}`, (request: FastifyRequest, reply: FastifyReply) => {
      const { body } = request;
      const given = request.headers.authorization;
      if (given === undefined) return answerCall(reply, clock, undefined, () => refuse(-400, 'no authorization', 401));
      if (given !== `SECRET_KEY ${account.secretKey}` && given !== `DEV_SECRET_KEY ${account.secretKey}`)
        return answerCall(reply, clock, undefined, () => refuse(-401, 'invalid secret key', 401));
      if (textAt(body, 'cid') !== account.cid)
        return answerCall(reply, clock, undefined, () => refuse(-731, 'invalid cid'));
      const fault = faults.take(operation) ?? noted(operation, state.find(textAt(body, 'tid') ?? ''));
      return answerCall(reply, clock, fault, () => perform(body, fault));
    });
  }

  /** Reads the fault that a word of the note asks for: once. */
  function noted(operation: string, payment: Payment | undefined): string | undefined {
    const fault = operation === 'capture' ? 'timeout' : operation === 'query' ? 'error500' : undefined;
    if (!payment || !fault || !payment.faults.some((one) => one === fault)) return undefined;
    const key = `${fault} ${payment.tid}`;
    return spent.has(key) ? undefined : (spent.add(key), fault);
  }

  call('ready', 'create', (body, fault) => {
    const made = readReady(body, clock.now());
    if (!made) return refuse(-2, 'a required parameter is missing or too long');
    if (fault && isSentinel(fault) && fault !== 'timeout' && fault !== 'error500') made.faults = [fault];
    state.save(made);
    const page = (device: string) => `${context.pageOrigin()}/kakao/pay/${made.tid}/${device}`;
    return {
      status: 200,
      body: {
        tid: made.tid,
        next_redirect_app_url: page('app'),
        next_redirect_mobile_url: page('mobile'),
        next_redirect_pc_url: page('pc'),
        android_app_scheme: `kakaotalk://kakaopay/pg?url=${encodeURIComponent(page('app'))}`,
        ios_app_scheme: `kakaotalk://kakaopay/pg?url=${encodeURIComponent(page('app'))}`,
        created_at: koreanTime(made.createdAt),
      },
    };
  });

  call('approve', 'capture', (body) => {
    const payment = state.payments.get(textAt(body, 'tid') ?? '');
    if (!payment) return refuse(-780, 'no such payment');
    if (payment.status === 'SUCCESS_PAYMENT') return refuse(-702, 'payment is already approved');
    const asked = numberAt(body, 'total_amount');
    const isSame =
      textAt(body, 'partner_order_id') === payment.orderId &&
      textAt(body, 'partner_user_id') === payment.userId &&
      (asked === undefined || asked === payment.won);
    const isAgreed = payment.status === 'AUTH_PASSWORD' && textAt(body, 'pg_token') === payment.pgToken;
    if (!isSame || !isAgreed || isOver(payment)) return refuse(-780, 'approval failed');
    payment.status = 'SUCCESS_PAYMENT';
    payment.paidWon = payment.faults.includes('wrong-amount') ? payment.won - 1 : payment.won;
    const action = { aid: newAid(), type: 'PAYMENT', won: payment.paidWon, at: clock.now() } as const;
    payment.actions.push(action);
    state.save(payment);
    return {
      status: 200,
      body: spoilView(
        {
          aid: action.aid,
          ...viewOf(payment),
          amount: amounts(payment.paidWon),
          approved_at: koreanTime(action.at),
        },
        payment.faults,
        { money: ['amount'] },
      ),
    };
  });

  call('order', 'query', (body) => {
    const payment = state.payments.get(textAt(body, 'tid') ?? '');
    if (!payment) return refuse(-780, 'no such payment');
    const left = payment.actions.length > 0 ? payment.paidWon - payment.cancelledWon : 0;
    return {
      status: 200,
      body: spoilView(
        {
          ...viewOf(payment),
          status: payment.status,
          amount: amounts(payment.paidWon),
          canceled_amount: amounts(payment.cancelledWon),
          cancel_available_amount: amounts(left),
          payment_action_details: payment.actions.map((one) => ({
            aid: one.aid,
            payment_action_type: one.type,
            payment_method_type: 'CARD',
            amount: one.won,
            approved_at: koreanTime(one.at),
          })),
        },
        payment.actions.length > 0 ? payment.faults : [],
        { money: ['amount'], status: 'status' },
      ),
    };
  });

  call('cancel', 'refund', (body) => {
    const payment = state.payments.get(textAt(body, 'tid') ?? '');
    const won = numberAt(body, 'cancel_amount');
    if (!payment || won === undefined || numberAt(body, 'cancel_tax_free_amount') === undefined)
      return refuse(-2, 'a required parameter is missing');
    const left = payment.paidWon - payment.cancelledWon;
    const isPaid = payment.status === 'SUCCESS_PAYMENT' || payment.status === 'PART_CANCEL_PAYMENT';
    const expected = numberAt(body, 'cancel_available_amount') ?? left;
    if (!isPaid || won <= 0 || won > left || expected !== left) return refuse(-781, 'cancel failed');
    const action = cancelPart(state, payment, won, clock.now());
    return {
      status: 200,
      body: {
        aid: action.aid,
        ...viewOf(payment),
        status: payment.status,
        amount: amounts(payment.paidWon),
        approved_cancel_amount: amounts(won),
        canceled_amount: amounts(payment.cancelledWon),
        cancel_available_amount: amounts(left - won),
        canceled_at: koreanTime(action.at),
      },
    };
  });

  const isOver = (payment: Payment) => clock.now() - payment.createdAt > livesMs;

  const viewOf = (payment: Payment) => ({
    tid: payment.tid,
    cid: payment.faults.includes('wrong-merchant') ? `${account.cid}X` : account.cid,
    partner_order_id: payment.faults.includes('wrong-reference') ? `${payment.orderId}X` : payment.orderId,
    partner_user_id: payment.userId,
    payment_method_type: 'CARD',
    item_name: payment.itemName,
    quantity: payment.quantity,
    created_at: koreanTime(payment.createdAt),
  });
}

/** @source developers.kakaopay.com, error codes: `error_code` is a number */
function refuse(code: number, message: string, status = 400): Answer {
  return { status, body: { error_code: code, error_message: message } };
}

/** @source developers.kakaopay.com, "ready": vat is (total - tax free) / 11, rounded, unless given */
function amounts(won: number): Record<string, number> {
  return { total: won, tax_free: 0, vat: Math.round(won / 11), point: 0, discount: 0, green_deposit: 0 };
}

/** Korean time without offset, as the guide's examples have it. */
function koreanTime(ms: number): string {
  return new Date(ms + 9 * 3_600_000).toISOString().slice(0, 19);
}

/** Undefined when something required is missing or too long. */
function readReady(body: unknown, now: number): Payment | undefined {
  const text = (name: string, most: number) => {
    const found = textAt(body, name);
    return found !== undefined && found.length <= most ? found : undefined;
  };
  const address = (name: string) => {
    const found = text(name, 255);
    return found !== undefined && URL.canParse(found) ? found : undefined;
  };
  const orderId = text('partner_order_id', 100);
  const userId = text('partner_user_id', 100);
  const itemName = text('item_name', 100);
  const quantity = numberAt(body, 'quantity');
  const won = numberAt(body, 'total_amount');
  const approvalUrl = address('approval_url');
  const cancelUrl = address('cancel_url');
  const failUrl = address('fail_url');
  if (!orderId || !userId || !itemName || !quantity || !approvalUrl || !cancelUrl || !failUrl) return undefined;
  if (!Number.isSafeInteger(won) || won! <= 0 || numberAt(body, 'tax_free_amount') === undefined) return undefined;
  return {
    tid: newTid(), orderId, userId, itemName, quantity, won: won!, paidWon: won!, cancelledWon: 0, approvalUrl, cancelUrl, failUrl,
    status: 'READY', actions: [], faults: [], createdAt: now,
  }; /* a row a line */ // prettier-ignore
}
