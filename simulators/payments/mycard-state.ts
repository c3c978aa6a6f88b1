// Keeps MyCard's state: the trades a vendor asked for, and their payments.

import type { Sentinel } from '#simulators/kit/faults.ts';
import { randomHex, randomUpper } from '#simulators/kit/ids.ts';
import type { Journal, Table } from '#simulators/kit/journal.ts';
import { type Amount, textFromMinor } from '#simulators/kit/money.ts';

export type MyCardAccount = { facServiceId: string; key: string };

export type Trade = {
  authCode: string;
  /** MyCard's order number. */
  tradeSeq: string;
  /** The shop's. */
  facTradeSeq: string;
  version: string;
  /** The shop asked for this type: INGAME, COSTPOINT, a billing code, or empty for all of them. */
  askedType: string;
  customerId: string;
  productName: string;
  amount: Amount;
  returnUrl?: string;
  createdAt: number;
  status: 'open' | 'waiting' | 'declined' | 'paid';
  isConfirmed: boolean;
  faults: Sentinel[];
  settlesAt?: number;
  paid?: Paid;
};

/** The real payment, which a fault or a card of another value may make differ from the price. */
export type Paid = {
  paymentType: string;
  amount: Amount;
  tradeNo: string;
  facTradeSeq: string;
  /** Only a card has one. */
  cardType: string;
};

export type MyCardState = {
  /** By AuthCode. */
  trades: Table<Trade>;
  save(trade: Trade): void;
  /** By AuthCode, MyCard's number or the shop's. */
  find(key: string): Trade | undefined;
};

export function openMyCardState(journal: Journal): MyCardState {
  const trades = journal.table<Trade>('trades');
  const byNumber = new Map<string, string>();
  const index = (trade: Trade) => {
    byNumber.set(trade.facTradeSeq, trade.authCode);
    byNumber.set(trade.tradeSeq, trade.authCode);
  };
  for (const trade of trades.values()) index(trade);
  return {
    trades,
    save(trade) {
      trades.put(trade.authCode, trade);
      index(trade);
    },
    find: (key) => trades.get(key) ?? trades.get(byNumber.get(key) ?? ''),
  };
}

export const newAuthCode = (): string => randomHex(32).toUpperCase();
export const newTradeSeq = (now: number): string =>
  `KOF${new Date(now).toISOString().slice(2, 10).replaceAll('-', '')}${randomUpper(8)}`;

/** Both decimals, whole or not: a vendor that asked for 150 is told 150.00. */
export function writeAmount({ amountMinor }: Amount): string {
  return textFromMinor(amountMinor, 2);
}
