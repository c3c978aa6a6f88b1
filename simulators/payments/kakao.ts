// The KakaoPay simulator: its API and its pay page under `/kakao`. It never calls the shop: the
// player's browser carries the token.

import type { FastifyReply } from 'fastify';
import { type Choice, mountControl, readChoice } from '#simulators/kit/control.ts';
import { createFaultBook } from '#simulators/kit/faults.ts';
import { sendHostedPage, sendMessagePage } from '#simulators/kit/hosted-page.ts';
import { randomHex } from '#simulators/kit/ids.ts';
import { showAmount } from '#simulators/kit/money.ts';
import type { Look } from '#simulators/kit/page.ts';
import type { Context, Mounted } from './context.ts';
import { livesMs, mountKakaoApi } from './kakao-api.ts';
import { cancelPart, newPgToken, openKakaoState, type Payment } from './kakao-state.ts';

const look: Look = {
  accent: '#4a3b00',
  ground: '#fbf7e4',
  ink: '#2b2412',
  radius: '16px',
  font: "'Apple SD Gothic Neo', 'Noto Sans KR', system-ui, sans-serif",
};

export function mountKakao(context: Context): Mounted {
  const { app, clock, journal } = context;
  const state = openKakaoState(journal);
  const faults = createFaultBook();
  // @source developers.kakaopay.com, test payments: the CID of the test shop
  const account = context.account(() => ({ secretKey: `DEV${randomHex(20).toUpperCase()}`, cid: 'TC0ONETIME' }));
  mountKakaoApi(context, state, account, faults);

  const isOver = (payment: Payment) => clock.now() - payment.createdAt > livesMs;
  const isOpen = (payment: Payment) => payment.status === 'READY' && !isOver(payment);

  function decide(payment: Payment, { decision, note }: Choice): void {
    payment.faults = [...payment.faults, ...note];
    payment.status = decision === 'decline' ? 'QUIT_PAYMENT' : 'AUTH_PASSWORD';
    if (decision !== 'decline') payment.pgToken = newPgToken();
    state.save(payment);
  }

  /** Returns the address for the browser now; undefined while there is nothing to return for. */
  function returnAddress(payment: Payment): string | undefined {
    if (payment.status === 'QUIT_PAYMENT') return payment.cancelUrl;
    if (payment.pgToken === undefined) return isOver(payment) ? payment.failUrl : undefined;
    const url = new URL(payment.approvalUrl);
    url.searchParams.set('pg_token', payment.pgToken);
    return url.href;
  }

  function say(reply: FastifyReply, heading: string, text: string, status = 200): FastifyReply {
    return sendMessagePage(reply, { provider: 'KakaoPay', look, heading, text, status });
  }

  type ByTid = { Params: { tid: string; device: string } };
  app.get<ByTid>('/kakao/pay/:tid/:device', (request, reply) => {
    const payment = state.payments.get(request.params.tid);
    if (!payment) return say(reply, 'No such payment', 'This payment is not known.', 404);
    const back = returnAddress(payment);
    if (back !== undefined) return reply.redirect(back, 303);
    return sendHostedPage(reply, {
      provider: 'KakaoPay',
      look,
      heading: request.params.device === 'pc' ? 'Pay with your phone' : 'Pay',
      merchant: account.cid,
      description: payment.itemName,
      amountText: showAmount({ amountMinor: payment.won, currency: 'KRW' }, 0),
      reference: payment.orderId,
      action: `/kakao/pay/${payment.tid}/${request.params.device}`,
      hidden: {},
      lines: [['Method', 'KakaoPay Money']],
    });
  });

  app.post<ByTid>('/kakao/pay/:tid/:device', (request, reply) => {
    const payment = state.payments.get(request.params.tid);
    if (!payment) return say(reply, 'No such payment', 'This payment is not known.', 404);
    const choice = readChoice(request.body);
    if (isOpen(payment)) decide(payment, choice);
    // Nothing completes later at KakaoPay: without the browser's way back the shop cannot approve.
    const isLeft = choice.decision === 'later' || payment.faults.includes('late');
    const back = returnAddress(payment);
    if (isLeft || back === undefined)
      return say(reply, 'You agreed', 'Your browser stays here, so the shop does not learn of it.');
    return reply.redirect(back, 303);
  });

  const show = (payment: Payment) => ({
    reference: payment.orderId,
    id: payment.tid,
    ...payment,
    returnUrl: returnAddress(payment),
  });
  const on = async (key: string, run: (payment: Payment) => boolean) => {
    const payment = state.find(key);
    return payment && run(payment) ? show(payment) : undefined;
  };
  mountControl(app, {
    name: context.name,
    faults,
    list: () => [...state.payments.values()].map(show),
    find: (key) => state.find(key) && show(state.find(key)!),
    pay: (key, choice) => on(key, (payment) => isOpen(payment) && (decide(payment, choice), true)),
    // A payer who paid later returns after all: the way is in `returnUrl`.
    settle: (key) => on(key, (payment) => payment.status === 'AUTH_PASSWORD'),
    refund: (key, part) =>
      on(key, (payment) => {
        const left = payment.paidWon - payment.cancelledWon;
        const won = part ?? left;
        const isPaid = payment.status === 'SUCCESS_PAYMENT' || payment.status === 'PART_CANCEL_PAYMENT';
        if (!isPaid || won <= 0 || won > left) return false;
        cancelPart(state, payment, won, clock.now());
        return true;
      }),
    emit: async () => undefined,
  });
  return {
    close() {},
    environment: (hosts) => ({
      REFILL_KAKAO_DEMO_API_BASE: `${context.apiOrigin()}/kakao`,
      REFILL_KAKAO_DEMO_SECRET_KEY: account.secretKey,
      REFILL_KAKAO_DEMO_CID: account.cid,
      REFILL_KAKAO_DEMO_PAY_HOSTS: hosts,
    }),
  };
}
