// Keeps Xsolla's state: tokens for its Pay Station, and the transactions that payers made with them.

import type { Sentinel } from '#simulators/kit/faults.ts';
import type { Journal, Table } from '#simulators/kit/journal.ts';
import type { Amount } from '#simulators/kit/money.ts';
import { openSettlement, type Settlement } from '#simulators/kit/settlement.ts';

export type PayToken = {
  token: string;
  createdAt: number;
  isSandbox: boolean;
  user: { id: string; name?: string; email?: string; country?: string };
  externalId?: string;
  amount: Amount;
  description?: string;
  returnUrl?: string;
  language?: string;
  customParameters: Record<string, unknown>;
  /** Set for the payment to come by a fault queued on `create`. */
  faults: Sentinel[];
  transactionId?: string;
};

/**
 * @source developers.xsolla.com, Pay Station API, "Find transactions", parameter `status`. UNSURE:
 * partial_refunded is from memory
 */
export type TransactionStatus =
  | 'created'
  | 'processing'
  | 'review'
  | 'done'
  | 'canceled'
  | 'error'
  | 'refunded'
  | 'awaitingRefund'
  | 'partial_refunded';

export type Transaction = {
  id: string;
  token: string;
  externalId?: string;
  userId: string;
  status: TransactionStatus;
  /** The amount that was really paid, which a fault may make differ from the asked one. */
  amount: Amount;
  refundedMinor: number;
  isSandbox: boolean;
  faults: Sentinel[];
  createdAt: number;
  paidAt?: number;
  settlesAt?: number;
};

export type XsollaState = {
  tokens: Table<PayToken>;
  transactions: Table<Transaction>;
  settlement: Settlement;
  nextTransactionId(): string;
  save(transaction: Transaction): void;
  saveToken(token: PayToken): void;
  /** Transactions of one shop reference, oldest first. */
  ofReference(externalId: string): Transaction[];
  /** The newest token of a shop reference, or the token itself. */
  findToken(key: string): PayToken | undefined;
  /** By transaction id, token or shop reference: the newest. */
  findTransaction(key: string): Transaction | undefined;
};

const firstTransactionId = 700_000_001;

export function openXsollaState(journal: Journal): XsollaState {
  const tokens = journal.table<PayToken>('tokens');
  const transactions = journal.table<Transaction>('transactions');
  const tokenByReference = new Map<string, string>();
  const byReference = new Map<string, string[]>();
  let lastId = firstTransactionId - 1;

  const indexToken = (token: PayToken) => {
    if (token.externalId) tokenByReference.set(token.externalId, token.token);
  };
  const indexTransaction = (transaction: Transaction) => {
    lastId = Math.max(lastId, Number(transaction.id));
    if (!transaction.externalId) return;
    const known = byReference.get(transaction.externalId);
    if (!known) byReference.set(transaction.externalId, [transaction.id]);
    else if (!known.includes(transaction.id)) known.push(transaction.id);
  };
  for (const token of tokens.values()) indexToken(token);
  for (const transaction of transactions.values()) indexTransaction(transaction);

  const ofReference = (externalId: string) =>
    (byReference.get(externalId) ?? []).flatMap((id) => transactions.get(id) ?? []);
  return {
    tokens,
    transactions,
    settlement: openSettlement(journal),
    ofReference,
    nextTransactionId: () => String(++lastId),
    save(transaction) {
      transactions.put(transaction.id, transaction);
      indexTransaction(transaction);
    },
    saveToken(token) {
      tokens.put(token.token, token);
      indexToken(token);
    },
    findToken: (key) => tokens.get(key) ?? tokens.get(tokenByReference.get(key) ?? ''),
    findTransaction: (key) =>
      transactions.get(key) ?? ofReference(key).at(-1) ?? transactions.get(tokens.get(key)?.transactionId ?? ''),
  };
}
