// The Naver Pay simulator: its API and its pay page under `/naver`. It never calls the shop: the player's
// browser carries a payment id.

import type { FastifyReply } from 'fastify';
import { type Choice, mountControl, readChoice } from '#simulators/kit/control.ts';
import { createFaultBook } from '#simulators/kit/faults.ts';
import { sendHostedPage, sendMessagePage } from '#simulators/kit/hosted-page.ts';
import { randomHex, randomUpper } from '#simulators/kit/ids.ts';
import { showAmount } from '#simulators/kit/money.ts';
import type { Look } from '#simulators/kit/page.ts';
import type { Context, Mounted } from './context.ts';
import { mountNaverApi } from './naver-api.ts';
import { cancelPart, newPaymentId, openNaverState, type Reservation, restOf } from './naver-state.ts';

const look: Look = {
  accent: '#0b6b3a',
  ground: '#eef5f0',
  ink: '#12241a',
  radius: '6px',
  font: "'Nanum Gothic', 'Noto Sans KR', system-ui, sans-serif",
};

/** Our choice; nothing public says how long a reservation lives. */
const livesMs = 30 * 60_000;

export function mountNaver(context: Context): Mounted {
  const { app, clock, journal } = context;
  const state = openNaverState(journal);
  const faults = createFaultBook();
  const account = context.account(() => ({
    clientId: randomUpper(20),
    clientSecret: randomHex(16),
    chainId: randomUpper(12),
  }));
  mountNaverApi(context, state, account, faults);

  const isOver = (one: Reservation) => clock.now() - one.createdAt > livesMs;
  const isOpen = (one: Reservation) => one.paymentId === undefined && one.refusal === undefined && !isOver(one);

  function decide(reservation: Reservation, { decision, note }: Choice): void {
    reservation.faults = [...reservation.faults, ...note];
    if (decision === 'decline') reservation.refusal = 'userCancel';
    else {
      const now = clock.now();
      reservation.paymentId = newPaymentId(now);
      const { paymentId, reserveId } = reservation;
      state.payments.put(paymentId, { paymentId, reserveId, agreedAt: now, movements: [] });
    }
    state.save(reservation);
  }

  /** Returns the address for the browser now; undefined while nothing was decided. */
  function returnAddress(reservation: Reservation): string | undefined {
    const { paymentId, returnUrl, reserveId } = reservation;
    const refusal =
      reservation.refusal ?? (paymentId === undefined && isOver(reservation) ? 'paymentTimeExpire' : undefined);
    if (paymentId === undefined && refusal === undefined) return undefined;
    const url = new URL(returnUrl);
    url.searchParams.set('resultCode', refusal === undefined ? 'Success' : refusal);
    if (refusal === undefined) url.searchParams.set('paymentId', paymentId ?? '');
    else url.searchParams.set('resultMessage', refusal);
    url.searchParams.set('reserveId', reserveId);
    return url.href;
  }

  const say = (reply: FastifyReply, heading: string, text: string, status = 200) =>
    sendMessagePage(reply, { provider: 'Naver Pay', look, heading, text, status });

  type ById = { Params: { id: string } };
  app.get<ById>('/naver/payments/:id', (request, reply) => {
    const reservation = state.reservations.get(request.params.id);
    if (!reservation) return say(reply, 'No such payment', 'This reservation is not known.', 404);
    const back = returnAddress(reservation);
    if (back !== undefined) return reply.redirect(back, 303);
    return sendHostedPage(reply, {
      provider: 'Naver Pay',
      look,
      heading: 'Order and pay',
      merchant: account.chainId,
      description: reservation.productName,
      amountText: showAmount({ amountMinor: reservation.won, currency: 'KRW' }, 0),
      reference: reservation.merchantPayKey,
      action: `/naver/payments/${reservation.reserveId}`,
      hidden: {},
      lines: [['Card', 'Credit card ending 1111']],
    });
  });

  app.post<ById>('/naver/payments/:id', (request, reply) => {
    const reservation = state.reservations.get(request.params.id);
    if (!reservation) return say(reply, 'No such payment', 'This reservation is not known.', 404);
    const choice = readChoice(request.body);
    if (isOpen(reservation)) decide(reservation, choice);
    // Nothing completes later at Naver Pay: without the browser's way back the shop has no id to apply.
    const isLeft = choice.decision === 'later' || reservation.faults.includes('late');
    const back = returnAddress(reservation);
    if (isLeft || back === undefined)
      return say(reply, 'You agreed', 'Your browser stays here, so the shop does not learn of it.');
    return reply.redirect(back, 303);
  });

  const show = (one: Reservation) => ({
    reference: one.merchantPayKey,
    id: one.reserveId,
    ...one,
    payment: state.paymentOf(one),
    returnUrl: returnAddress(one),
  });
  const on = async (key: string, run: (one: Reservation) => boolean) => {
    const reservation = state.find(key);
    return reservation && run(reservation) ? show(reservation) : undefined;
  };
  mountControl(app, {
    name: context.name,
    faults,
    list: () => [...state.reservations.values()].map(show),
    find: (key) => state.find(key) && show(state.find(key)!),
    pay: (key, choice) => on(key, (one) => isOpen(one) && (decide(one, choice), true)),
    // A payer who paid later returns after all: the way is in `returnUrl`.
    settle: (key) => on(key, (one) => one.paymentId !== undefined),
    refund: (key, part) =>
      on(key, (one) => {
        const payment = state.paymentOf(one);
        const won = payment && (part ?? restOf(payment));
        if (!payment || !won || won < 0 || won > restOf(payment)) return false;
        cancelPart(state, payment, won, clock.now());
        return true;
      }),
    emit: async () => undefined,
  });
  return {
    close() {},
    environment: () => ({
      REFILL_NAVER_DEMO_API_BASE: `${context.apiOrigin()}/naver`,
      REFILL_NAVER_DEMO_PAY_BASE: `${context.pageOrigin()}/naver`,
      REFILL_NAVER_DEMO_CLIENT_ID: account.clientId,
      REFILL_NAVER_DEMO_CLIENT_SECRET: account.clientSecret,
      REFILL_NAVER_DEMO_CHAIN_ID: account.chainId,
    }),
  };
}
