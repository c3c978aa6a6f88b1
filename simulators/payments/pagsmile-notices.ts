// Pagsmile's notifications: JSON with an HMAC over the body, acknowledged by the text `success`.

import { createHmac } from 'node:crypto';
import { spoilView } from '#simulators/kit/faults.ts';
import { deliverOutcome } from '#simulators/kit/deliver.ts';
import type { CallbackDraft, Outbox } from '#simulators/kit/outbox.ts';
import { amountText, type PagsmileAccount, type PagsmileState, type Trade } from './pagsmile-state.ts';
import type { Context } from './context.ts';

export type PagsmileNotices = {
  paid(trade: Trade): Promise<void>;
  /** As the trade stands; for refunds with the amount that went back. */
  changed(trade: Trade, delayMs?: number): Promise<void>;
  emit(trade: Trade, status: string): Promise<boolean>;
};

/** @source docs.pagsmile.com, security: HMAC-SHA256 of the body with the secret key, in hex */
function signPagsmile(body: string, secretKey: string): string {
  return createHmac('sha256', secretKey).update(body).digest('hex');
}

/** `Pagsmile-Signature`, with the time of this very attempt. */
export function stampPagsmile(context: Context, account: PagsmileAccount, state: PagsmileState) {
  return (draft: CallbackDraft): Record<string, string> => {
    const isBad = state.find(draft.reference)?.faults.includes('bad-signature') ?? false;
    const signature = signPagsmile(draft.body, isBad ? `${account.secretKey}x` : account.secretKey);
    return { 'pagsmile-signature': `t=${Math.floor(context.clock.now() / 1000)}, v2=${signature}` };
  };
}

export function createPagsmileNotices(context: Context, account: PagsmileAccount, outbox: Outbox): PagsmileNotices {
  function draft(trade: Trade, status: string = trade.status): CallbackDraft {
    const isRefund = status.startsWith('REFUND');
    const amount = isRefund ? { ...trade.paid, amountMinor: trade.refundMinor } : trade.paid;
    // Another order of the merchant is another trade.
    const other = trade.faults.includes('wrong-reference') ? 'X' : '';
    const content = {
      amount: amountText(amount),
      out_trade_no: `${trade.outTradeNo}${other}`,
      method: trade.method || 'CreditCard',
      channel: trade.channel,
      trade_status: status,
      trade_no: `${trade.tradeNo}${other}`,
      currency: trade.paid.currency,
      out_request_no: isRefund ? trade.refundNo : '',
      app_id: trade.faults.includes('wrong-merchant') ? `${account.appId}0` : account.appId,
      timestamp: String(Math.floor(context.clock.now() / 1000)),
      user: { buyer_id: trade.buyerId, identify: { type: '', number: '' }, username: '', phone: '', email: '', ip: '' },
    };
    const places = { money: ['amount', 'currency'], status: 'trade_status' };
    const body = JSON.stringify(spoilView(content, trade.faults, places));
    return { reference: trade.outTradeNo, kind: status, body, headers: {} };
  }

  return {
    paid: (trade) =>
      deliverOutcome(outbox, trade.faults, {
        success: [draft(trade)],
        // A voucher that is paid after its end is told both ways.
        stale: () => [draft(trade, 'EXPIRED')],
      }),
    changed: (trade, delayMs) => outbox.send(draft(trade), delayMs),
    async emit(trade, status) {
      if (!/^[A-Z_]+$/.test(status)) return false;
      await outbox.send(draft(trade, status));
      return true;
    },
  };
}
