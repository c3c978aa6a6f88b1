// The life of a trade at Pagsmile: it is paid, refused, refunded, charged back, or its time ends.

import type { Sentinel } from '#simulators/kit/faults.ts';
import type { Amount } from '#simulators/kit/money.ts';
import { type Context, laterMs } from './context.ts';
import { refundMs } from './pagsmile-api.ts';
import type { PagsmileNotices } from './pagsmile-notices.ts';
import type { PagsmileState, Trade } from './pagsmile-state.ts';

export function createPagsmileTrades({ clock }: Context, state: PagsmileState, notices: PagsmileNotices) {
  function asItStands(trade: Trade): Trade {
    if (trade.status !== 'INITIAL' || clock.now() < trade.endsAt) return trade;
    trade.status = 'EXPIRED';
    state.save(trade);
    void notices.changed(trade);
    return trade;
  }
  const isOpen = (trade: Trade) => asItStands(trade).status === 'INITIAL';

  async function settle(trade: Trade): Promise<void> {
    if (trade.status !== 'PROCESSING') return;
    trade.status = 'SUCCESS';
    trade.settlesAt = undefined;
    trade.paid = paidAmount(trade.amount, trade.faults);
    state.save(trade);
    await notices.paid(trade);
  }
  const settleAt = (trade: Trade, dueAt: number) =>
    clock.after(Math.max(0, dueAt - clock.now()), () => void settle(trade));
  const finishRefund = (trade: Trade) =>
    clock.after(refundMs, () => {
      trade.status = 'REFUNDED';
      state.save(trade);
      void notices.changed(trade);
    });
  /** Taken on when that much is left; REFUNDED is also the word for a part. */
  function refund(trade: Trade, refundNo: string, amountMinor: number): boolean {
    const isPaid = trade.status === 'SUCCESS' || trade.status === 'REFUNDED';
    if (!isPaid || amountMinor <= 0 || amountMinor > trade.paid.amountMinor - trade.refundedMinor) return false;
    const refundedMinor = trade.refundedMinor + amountMinor;
    Object.assign(trade, { status: 'REFUND_PROCESSING', refundNo, refundMinor: amountMinor, refundedMinor });
    state.save(trade);
    finishRefund(trade);
    return true;
  }
  for (const trade of state.trades.values()) {
    if (trade.settlesAt !== undefined) settleAt(trade, trade.settlesAt);
    if (trade.status === 'REFUND_PROCESSING') finishRefund(trade);
  }

  async function pay(trade: Trade, note: Sentinel[] = [], isLater = false): Promise<void> {
    if (!isOpen(trade)) return;
    trade.faults = [...trade.faults, ...note];
    trade.status = 'PROCESSING';
    if (!isLater) return settle(trade);
    trade.settlesAt = clock.now() + laterMs;
    state.save(trade);
    settleAt(trade, trade.settlesAt);
  }
  async function decline(trade: Trade): Promise<void> {
    if (!isOpen(trade)) return;
    trade.status = 'REFUSED';
    state.save(trade);
    await notices.changed(trade);
  }
  async function chargeBack(trade: Trade): Promise<boolean> {
    if (trade.status !== 'SUCCESS') return false;
    trade.status = 'CHARGEBACK';
    state.save(trade);
    await notices.changed(trade);
    return true;
  }

  return { asItStands, chargeBack, decline, isOpen, pay, refund, settle };
}

function paidAmount(asked: Amount, faults: readonly Sentinel[]): Amount {
  const step = ['KRW', 'IDR', 'TWD'].includes(asked.currency) ? 100 : 1;
  if (faults.includes('wrong-amount')) return { ...asked, amountMinor: asked.amountMinor - step };
  if (faults.includes('wrong-currency')) return { ...asked, currency: asked.currency === 'BRL' ? 'USD' : 'BRL' };
  return asked;
}
