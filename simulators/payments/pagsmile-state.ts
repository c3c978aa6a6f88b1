// Keeps Pagsmile's state: trades, by its own number and by the merchant's.

import { randomInt } from 'node:crypto';
import type { Sentinel } from '#simulators/kit/faults.ts';
import type { Journal, Table } from '#simulators/kit/journal.ts';
import { type Amount, textFromMinor } from '#simulators/kit/money.ts';

export type PagsmileAccount = { appId: string; secretKey: string };

export type Trade = {
  tradeNo: string;
  outTradeNo: string;
  prepayId: string;
  /** The asked amount, in minor units of two decimals, as Pagsmile's step is 0.01 of every currency. */
  amount: Amount;
  /** The amount that was really paid, which a fault may make differ. */
  paid: Amount;
  method: string;
  channel: string;
  subject: string;
  buyerId: string;
  returnUrl: string | undefined;
  /** @source docs.pagsmile.com, payin status */
  status:
    | 'INITIAL'
    | 'PROCESSING'
    | 'SUCCESS'
    | 'REFUSED'
    | 'CANCEL'
    | 'EXPIRED'
    | 'REFUND_PROCESSING'
    | 'REFUNDED'
    | 'CHARGEBACK';
  /** The last refund: its number and how much it is of. */
  refundNo: string;
  refundMinor: number;
  /** Of all refunds that were taken on. */
  refundedMinor: number;
  faults: Sentinel[];
  createdAt: number;
  /** Until when a way to pay may be chosen. */
  endsAt: number;
  settlesAt: number | undefined;
};

export type PagsmileState = {
  trades: Table<Trade>;
  save(trade: Trade): void;
  /** By trade number, the merchant's number or prepay id. */
  find(key: string): Trade | undefined;
};

export function openPagsmileState(journal: Journal): PagsmileState {
  const trades = journal.table<Trade>('trades');
  const byOther = new Map<string, string>();
  const index = (trade: Trade) => {
    byOther.set(trade.outTradeNo, trade.tradeNo);
    byOther.set(trade.prepayId, trade.tradeNo);
  };
  for (const trade of trades.values()) index(trade);
  return {
    trades,
    save(trade) {
      trades.put(trade.tradeNo, trade);
      index(trade);
    },
    find: (key) => trades.get(key) ?? trades.get(byOther.get(key) ?? ''),
  };
}

/** The day and thirteen digits. */
export function newTradeNo(nowMs: number): string {
  const day = new Date(nowMs).toISOString().slice(0, 10).replaceAll('-', '');
  return `${day}${String(randomInt(1e6)).padStart(6, '0')}${String(randomInt(1e7)).padStart(7, '0')}`;
}

/** Plain major units: whole ones without decimals, as the merchant wrote them. */
export function amountText({ amountMinor }: Amount): string {
  return textFromMinor(amountMinor, 2).replace(/\.00$/, '');
}
