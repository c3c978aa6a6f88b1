// Keeps Codapay's state: transactions, by their id of 19 digits and by the shop's order id.

import { randomInt } from 'node:crypto';
import type { Sentinel } from '#simulators/kit/faults.ts';
import type { Journal, Table } from '#simulators/kit/journal.ts';

export type CodapayAccount = { apiKey: string; projectId: number };

export type Market = { currency: string; decimals: number };

/**
 * By ISO 4217 numeric; the country of each is the one whose money it is.
 * @source coda-payments.gitbook.io: no decimals in Indonesia, Chile, South Korea, Taiwan, Vietnam
 */
export const markets: Record<number, Market> = {
  901: { currency: 'TWD', decimals: 0 },
  360: { currency: 'IDR', decimals: 0 },
  410: { currency: 'KRW', decimals: 0 },
  704: { currency: 'VND', decimals: 0 },
  392: { currency: 'JPY', decimals: 0 },
  458: { currency: 'MYR', decimals: 2 },
  764: { currency: 'THB', decimals: 2 },
  608: { currency: 'PHP', decimals: 2 },
  702: { currency: 'SGD', decimals: 2 },
  840: { currency: 'USD', decimals: 2 },
  784: { currency: 'AED', decimals: 2 },
  949: { currency: 'TRY', decimals: 2 },
  986: { currency: 'BRL', decimals: 2 },
};

export type Transaction = {
  /** 19 digits: larger than a JSON number is safe for, and sent as one all the same. */
  txnId: string;
  orderId: string;
  currency: number;
  /** In the decimals of the market. */
  amountMinor: number;
  /** The amount that was really paid, which a fault may make differ. */
  paidMinor: number;
  item: string;
  payType: number;
  returnUrl: string | undefined;
  /** 209 open, 431 being paid, 0 paid, 210 called off. @source coda-payments.gitbook.io, result codes */
  resultCode: number;
  isOpened: boolean;
  faults: Sentinel[];
  createdAt: number;
  settlesAt: number | undefined;
};

/** A page that nobody opens dies after this. @source coda-payments.gitbook.io, result code 206 */
const unopenedMs = 15 * 60_000;

/** The code as it stands now, and whether it may still change. */
export function standingOf(transaction: Transaction, nowMs: number): { code: number; isFinal: boolean } {
  const { resultCode: code, isOpened, createdAt } = transaction;
  if (code === 209 && !isOpened && nowMs - createdAt > unopenedMs) return { code: 206, isFinal: true };
  return { code, isFinal: code !== 209 && code !== 431 };
}

export type CodapayState = {
  transactions: Table<Transaction>;
  save(transaction: Transaction): void;
  /**
   * By transaction id, order id, or what of the order id follows its first dash: shops put their own letters in front.
   */
  find(key: string): Transaction | undefined;
};

export function openCodapayState(journal: Journal): CodapayState {
  const transactions = journal.table<Transaction>('transactions');
  const byOrder = new Map<string, string>();
  const index = ({ orderId, txnId }: Transaction) => {
    byOrder.set(orderId, txnId);
    byOrder.set(referenceOf(orderId), txnId);
  };
  for (const transaction of transactions.values()) index(transaction);
  return {
    transactions,
    save(transaction) {
      transactions.put(transaction.txnId, transaction);
      index(transaction);
    },
    find: (key) => transactions.get(key) ?? transactions.get(byOrder.get(key) ?? ''),
  };
}

export const referenceOf = (orderId: string): string => orderId.replace(/^[A-Z]+-/, '');

/** In the range of Coda's own: 19 digits, past 2^53. */
export const newTxnId = (): string =>
  `6${String(randomInt(1e9)).padStart(9, '0')}${String(randomInt(1e9)).padStart(9, '0')}`;
