// The MyCard simulator: MyBillingPay and its pay page under `/mycard`.

import { mountControl } from '#simulators/kit/control.ts';
import { createFaultBook, type Sentinel } from '#simulators/kit/faults.ts';
import { randomUpper } from '#simulators/kit/ids.ts';
import type { Amount } from '#simulators/kit/money.ts';
import { type Context, laterMs, type Mounted } from './context.ts';
import { confirmedCode, mountMyCardApi } from './mycard-api.ts';
import { createMyCardNotices } from './mycard-notices.ts';
import { type Decide, mountMyCardPage, type Typed } from './mycard-page.ts';
import { type MyCardAccount, openMyCardState, type Paid, type Trade } from './mycard-state.ts';

/** Our choice: a paid trade that nobody confirms for so long is told by a make-up notice. */
const makeupAfterMs = 60_000;

export function mountMyCard(context: Context): Mounted {
  const { app, clock, journal } = context;
  const state = openMyCardState(journal);
  const faults = createFaultBook();
  const account = context.account<MyCardAccount>(() => ({ facServiceId: `RF${randomUpper(6)}`, key: randomUpper(32) }));
  const notices = createMyCardNotices(context, account);

  const after = (dueAt: number, run: () => void) => clock.after(Math.max(0, dueAt - clock.now()), run);
  const watch = (trade: Trade) =>
    after(clock.now() + makeupAfterMs, () => {
      if (!trade.isConfirmed && !trade.faults.includes('lost')) void notices.makeup(trade);
    });

  function take(trade: Trade, typed: Typed): void {
    trade.paid = paidWith(trade, typed);
    trade.status = 'paid';
    delete trade.settlesAt;
    state.save(trade);
  }
  /** Nobody comes back: only the make-up notice tells. */
  async function takeUnseen(trade: Trade, note: Sentinel[] = []): Promise<void> {
    trade.faults = [...trade.faults, ...note];
    take(trade, noTyping(trade));
    await notices.makeup(trade);
  }
  async function settle(trade: Trade): Promise<void> {
    if (trade.status === 'waiting') await takeUnseen(trade);
  }
  function wait(trade: Trade): void {
    trade.status = 'waiting';
    trade.settlesAt ??= clock.now() + laterMs;
    state.save(trade);
    after(trade.settlesAt, () => void settle(trade));
  }

  const decide: Decide = async (trade, { decision, note }, typed) => {
    trade.faults = [...trade.faults, ...note];
    if (decision === 'later') return wait(trade);
    if (decision === 'pay') take(trade, typed);
    else trade.status = 'declined';
    state.save(trade);
    // The payer is not kept waiting for what MyCard's server says to the shop.
    if (!trade.faults.includes('lost') && !trade.faults.includes('late')) void notices.returned(trade);
    if (trade.paid) watch(trade);
  };

  for (const trade of state.trades.values()) {
    if (trade.status === 'waiting') wait(trade);
    else if (trade.paid && !trade.isConfirmed) watch(trade);
  }
  mountMyCardApi(context, state, account, { faults, payAtOnce: (trade) => takeUnseen(trade) });
  mountMyCardPage(context, state, notices, decide);

  const show = (trade: Trade) => ({ reference: trade.facTradeSeq, id: trade.authCode, ...trade });
  const on = async (key: string, run: (trade: Trade) => unknown) => {
    const trade = state.find(key);
    if (!trade || (await run(trade)) === false) return undefined;
    return show(trade);
  };
  mountControl(app, {
    name: context.name,
    faults,
    outbox: notices.outbox,
    list: () => [...state.trades.values()].map(show),
    find: (key) => state.find(key) && show(state.find(key)!),
    // Paid without a browser is paid by a player who never comes back.
    pay: (key, choice) =>
      on(key, (trade) => {
        if (trade.status !== 'open') return false;
        return choice.decision === 'pay' ? takeUnseen(trade, choice.note) : decide(trade, choice, noTyping(trade));
      }),
    settle: (key) => on(key, settle),
    emit: (key, kind) => on(key, (trade) => notices.emit(trade, kind)),
  });
  return {
    close: notices.outbox.close,
    environment: (hosts) => ({
      REFILL_MYCARD_DEMO_API_BASE: `${context.apiOrigin()}/mycard/MyBillingPay`,
      REFILL_MYCARD_DEMO_PAY_BASE: `${context.pageOrigin()}/mycard/MyCardPay/`,
      REFILL_MYCARD_DEMO_PAY_HOSTS: hosts,
      REFILL_MYCARD_DEMO_FAC_SERVICE_ID: account.facServiceId,
      REFILL_MYCARD_DEMO_KEY: account.key,
      REFILL_MYCARD_DEMO_CONFIRMED_CODES: confirmedCode,
      REFILL_MYCARD_DEMO_CALLBACK_IPS: '127.0.0.1,::1',
    }),
  };
}

function noTyping(trade: Trade): Typed {
  return { paymentType: trade.askedType || 'FA018', cardId: '', cardPassword: '' };
}

/** MyCard's number of a payment is the card's, or MMS and digits for points, or a billing number. */
function paidWith(trade: Trade, { paymentType, cardId }: Typed): Paid {
  const isCard = paymentType === 'INGAME';
  const tradeNo = isCard
    ? cardId.replace(/[ -]/g, '').toUpperCase() || `MC${randomUpper(12)}`
    : `${paymentType === 'COSTPOINT' ? 'MMS' : 'TLB'}${Date.now()}${Math.floor(Math.random() * 1000)}`;
  return {
    paymentType,
    amount: paidAmount(trade.amount, trade.faults),
    tradeNo,
    facTradeSeq: trade.faults.includes('wrong-reference') ? `${trade.facTradeSeq}X` : trade.facTradeSeq,
    cardType: isCard ? '2' : '',
  };
}

/** The smallest unit that MyCard names is a whole dollar in Taiwan. */
function paidAmount(asked: Amount, faults: readonly Sentinel[]): Amount {
  const least = asked.currency === 'TWD' ? 100 : 1;
  if (faults.includes('wrong-amount')) return { ...asked, amountMinor: asked.amountMinor - least };
  if (faults.includes('wrong-currency')) return { ...asked, currency: asked.currency === 'TWD' ? 'HKD' : 'TWD' };
  return asked;
}
