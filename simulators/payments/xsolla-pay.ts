// Xsolla's side of a payment: make a transaction from a token, complete it now or later, give money back.

import type { Sentinel } from '#simulators/kit/faults.ts';
import type { Amount } from '#simulators/kit/money.ts';
import { type Context, laterMs } from './context.ts';
import type { XsollaEvents } from './xsolla-events.ts';
import type { PayToken, Transaction, XsollaState } from './xsolla-state.ts';

export type XsollaPay = {
  /** Pays, or begins to when `isLater`. A token that was paid before answers its transaction. */
  pay(token: PayToken, note: Sentinel[], isLater: boolean): Promise<Transaction>;
  decline(token: PayToken): Promise<Transaction>;
  settle(transaction: Transaction): Promise<void>;
  /** False when more is asked than is left. */
  refund(transaction: Transaction, amountMinor: number, why: { code: number; reason: string }): Promise<boolean>;
  resume(): void;
};

export function createXsollaPay(context: Context, state: XsollaState, events: XsollaEvents): XsollaPay {
  const { clock } = context;
  const tokenOf = (transaction: Transaction) => state.tokens.get(transaction.token)!;

  const book = (transaction: Transaction, kind: 'payment' | 'refund' | 'chargeback', amount: Amount) =>
    state.settlement.book({
      id: `${transaction.id}-${kind}-${transaction.refundedMinor}`,
      kind,
      paymentId: transaction.id,
      reference: transaction.externalId ?? '',
      amount,
      at: clock.now(),
    });

  const settle = async (transaction: Transaction) => {
    if (transaction.status !== 'processing') return;
    transaction.status = 'done';
    transaction.paidAt = clock.now();
    delete transaction.settlesAt;
    state.save(transaction);
    book(transaction, 'payment', transaction.amount);
    await events.paid(tokenOf(transaction), transaction);
  };
  const settleAt = (transaction: Transaction, dueAt: number) =>
    clock.after(Math.max(0, dueAt - clock.now()), () => void settle(transaction));

  const begin = (token: PayToken, faults: Sentinel[]): Transaction => ({
    id: state.nextTransactionId(),
    token: token.token,
    ...(token.externalId ? { externalId: token.externalId } : {}),
    userId: token.user.id,
    status: 'processing',
    amount: paidAmount(token.amount, faults),
    refundedMinor: 0,
    isSandbox: token.isSandbox,
    faults,
    createdAt: clock.now(),
  });

  return {
    settle,
    async pay(token, note, isLater) {
      const known = token.transactionId ? state.transactions.get(token.transactionId) : undefined;
      if (known && known.status !== 'error') return known;
      const transaction = begin(token, [...token.faults, ...note]);
      token.transactionId = transaction.id;
      if (isLater) transaction.settlesAt = clock.now() + laterMs;
      state.saveToken(token);
      state.save(transaction);
      if (transaction.settlesAt !== undefined) settleAt(transaction, transaction.settlesAt);
      else await settle(transaction);
      return transaction;
    },
    async decline(token) {
      const transaction = begin(token, []);
      transaction.status = 'error';
      token.transactionId = transaction.id;
      state.saveToken(token);
      state.save(transaction);
      await events.refused(token, transaction);
      return transaction;
    },
    async refund(transaction, amountMinor, why) {
      const leftMinor = transaction.amount.amountMinor - transaction.refundedMinor;
      if (amountMinor > leftMinor || leftMinor === 0) return false;
      transaction.refundedMinor += amountMinor;
      transaction.status = amountMinor === leftMinor ? 'refunded' : 'partial_refunded';
      state.save(transaction);
      const amount: Amount = { amountMinor, currency: transaction.amount.currency };
      book(transaction, why.code === 2 ? 'chargeback' : 'refund', amount);
      void events.refunded(tokenOf(transaction), transaction, { amount, ...why });
      return true;
    },
    resume() {
      for (const transaction of state.transactions.values()) {
        if (transaction.settlesAt !== undefined) settleAt(transaction, transaction.settlesAt);
      }
    },
  };
}

function paidAmount(asked: Amount, faults: readonly Sentinel[]): Amount {
  if (faults.includes('wrong-amount')) return { ...asked, amountMinor: asked.amountMinor - 1 };
  if (faults.includes('wrong-currency')) return { ...asked, currency: asked.currency === 'EUR' ? 'USD' : 'EUR' };
  return asked;
}
