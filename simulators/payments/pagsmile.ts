// The Pagsmile simulator: gateway and checkout page under `/pagsmile`.

import { randomInt } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { type Choice, mountControl, readChoice } from '#simulators/kit/control.ts';
import { createFaultBook } from '#simulators/kit/faults.ts';
import { sendHostedPage, sendMessagePage } from '#simulators/kit/hosted-page.ts';
import { randomHex } from '#simulators/kit/ids.ts';
import { type Amount, showAmount } from '#simulators/kit/money.ts';
import { createOutbox } from '#simulators/kit/outbox.ts';
import type { Look } from '#simulators/kit/page.ts';
import { textAt } from '#simulators/kit/read.ts';
import type { Context, Mounted } from './context.ts';
import { mountPagsmileApi } from './pagsmile-api.ts';
import { createPagsmileNotices, stampPagsmile } from './pagsmile-notices.ts';
import { openPagsmileState, type PagsmileAccount, type Trade } from './pagsmile-state.ts';
import { createPagsmileTrades } from './pagsmile-trades.ts';

const look: Look = {
  accent: '#1f6feb',
  ground: '#eef3fb',
  ink: '#14213d',
  radius: '6px',
  font: "'Roboto', 'Segoe UI', system-ui, sans-serif",
};

export function mountPagsmile(context: Context): Mounted {
  const { app, clock, journal, shop } = context;
  const account = context.account<PagsmileAccount>(() => ({
    appId: `162${String(randomInt(1e9)).padStart(9, '0')}${String(randomInt(1e5)).padStart(5, '0')}`,
    secretKey: `Pagsmile_sk_${randomHex(32)}`,
  }));
  const state = openPagsmileState(journal);
  const faults = createFaultBook();
  const outbox = createOutbox({
    provider: 'pagsmile',
    journal,
    shop,
    clock,
    // @source docs.pagsmile.com, notification: status 200 with "success"
    isAcknowledged: (status, text) => status === 200 && text.trim() === 'success',
    stamp: stampPagsmile(context, account, state),
  });
  const notices = createPagsmileNotices(context, account, outbox);
  const { asItStands, chargeBack, decline, isOpen, pay, refund, settle } = createPagsmileTrades(
    context,
    state,
    notices,
  );
  const decide = (trade: Trade, choice: Choice) =>
    choice.decision === 'decline' ? decline(trade) : pay(trade, choice.note, choice.decision === 'later');
  mountPagsmileApi(context, account, state, { faults, pay, look: asItStands, refund });

  const say = (reply: FastifyReply, heading: string, text: string, status: number, url?: string) =>
    sendMessagePage(reply, {
      provider: 'Pagsmile',
      look,
      heading,
      text,
      status,
      ...(url ? { next: { label: 'Back to the shop', url } } : {}),
    });
  const decimalsOf = (currency: string) => (['KRW', 'IDR', 'TWD'].includes(currency) ? 0 : 2);
  const show = ({ amountMinor, currency }: Amount) =>
    decimalsOf(currency) === 0
      ? showAmount({ amountMinor: amountMinor / 100, currency }, 0)
      : showAmount({ amountMinor, currency }, 2);

  const path = '/pagsmile/checkout';
  app.get(path, (request, reply) => {
    const trade = state.find(textAt(request.query, 'prepay_id') ?? '');
    if (!trade) return say(reply, 'Not found', 'There is no such order.', 404);
    // @source docs.pagsmile.com, checkout page: a return_url in the address comes before the one of the order
    const back = textAt(request.query, 'return_url') ?? trade.returnUrl ?? '';
    if (!isOpen(trade)) return say(reply, 'Nothing to pay', `The order is ${trade.status}.`, 410, back);
    return sendHostedPage(reply, {
      provider: 'Pagsmile',
      look,
      heading: 'Checkout',
      merchant: 'Refill demo',
      description: trade.subject,
      amountText: show(trade.amount),
      reference: trade.outTradeNo,
      action: `${path}?prepay_id=${trade.prepayId}`,
      hidden: { return_url: back },
      lines: [['Method', [trade.method || 'Any', trade.channel].filter(Boolean).join(', ')]],
    });
  });
  app.post(path, async (request, reply) => {
    const trade = state.find(textAt(request.query, 'prepay_id') ?? '');
    if (!trade) return say(reply, 'Not found', 'There is no such order.', 404);
    await decide(trade, readChoice(request.body));
    const back = textAt(request.body, 'return_url');
    if (!back || trade.faults.includes('late')) return say(reply, 'Thank you', `Order ${trade.outTradeNo}.`, 200);
    return reply.redirect(back, 303);
  });

  const view = (trade: Trade) => ({ ...trade, reference: trade.outTradeNo });
  const onTrade = async (key: string, run: (trade: Trade) => unknown) => {
    const trade = state.find(key);
    return !trade || (await run(trade)) === false ? undefined : view(trade);
  };
  mountControl(app, {
    name: 'pagsmile',
    faults,
    outbox,
    list: () => [...state.trades.values()].map(view),
    find: (key) => {
      const trade = state.find(key);
      return trade && view(trade);
    },
    pay: (key, choice) => onTrade(key, (trade) => isOpen(trade) && decide(trade, choice)),
    settle: (key) => onTrade(key, settle),
    chargeback: (key) => onTrade(key, chargeBack),
    refund: (key, part) =>
      onTrade(key, (trade) => refund(trade, randomHex(8), part ?? trade.paid.amountMinor - trade.refundedMinor)),
    emit: (key, kind) => onTrade(key, (trade) => notices.emit(trade, kind)),
  });

  return {
    close: outbox.close,
    environment: (hosts) => ({
      REFILL_PAGSMILE_DEMO_API_BASE: `${context.apiOrigin()}/pagsmile`,
      REFILL_PAGSMILE_DEMO_APP_ID: account.appId,
      REFILL_PAGSMILE_DEMO_SECRET_KEYS: account.secretKey,
      REFILL_PAGSMILE_DEMO_PAY_HOSTS: hosts,
    }),
  };
}
