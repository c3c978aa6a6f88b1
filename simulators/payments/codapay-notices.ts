// Codapay's completion notifications: GET with a checksum, acknowledged by `ResultCode=0`.

import { createHash } from 'node:crypto';
import { deliverOutcome } from '#simulators/kit/deliver.ts';
import { textFromMinor } from '#simulators/kit/money.ts';
import type { CallbackDraft, Outbox } from '#simulators/kit/outbox.ts';
import { type CodapayAccount, markets, referenceOf, type Transaction } from './codapay-state.ts';

export type CodapayNotices = {
  paid(transaction: Transaction): Promise<void>;
  /** Sent because "Failed Notification" is on for this title. */
  failed(transaction: Transaction): Promise<void>;
  emit(transaction: Transaction, kind: string): Promise<boolean>;
};

/**
 * `md5(TxnId + apiKey + OrderId + ResultCode)`, the price left out. @source
 * coda-payments.gitbook.io, transaction notification
 */
function checksumCodapay(txnId: string, apiKey: string, orderId: string, resultCode: string): string {
  return createHash('md5').update(`${txnId}${apiKey}${orderId}${resultCode}`).digest('hex');
}

export const priceText = (transaction: Transaction): string =>
  textFromMinor(transaction.paidMinor, markets[transaction.currency]?.decimals ?? 2);

export function createCodapayNotices(account: CodapayAccount, outbox: Outbox): CodapayNotices {
  function draft(transaction: Transaction, code: number): CallbackDraft {
    const { txnId, faults } = transaction;
    const orderId = faults.includes('wrong-reference') ? `${transaction.orderId}X` : transaction.orderId;
    // Another merchant's notification is told apart by nothing but its key.
    const isStrange = faults.includes('bad-signature') || faults.includes('wrong-merchant');
    const apiKey = isStrange ? `${account.apiKey}x` : account.apiKey;
    const query = new URLSearchParams({
      TxnId: txnId,
      OrderId: orderId,
      TotalPrice: priceText(transaction),
      PaymentType: String(transaction.payType || 236),
      MnoId: '0',
      ResultCode: String(code),
      Checksum: checksumCodapay(txnId, apiKey, orderId, String(code)),
    });
    const way = { method: 'GET', suffix: `?${query.toString()}` } as const;
    return { reference: referenceOf(transaction.orderId), kind: `ResultCode=${code}`, body: '', headers: {}, way };
  }

  return {
    paid: (transaction) =>
      deliverOutcome(outbox, transaction.faults, {
        success: [draft(transaction, 0)],
        stale: () => [draft(transaction, 210)],
      }),
    failed: (transaction) => outbox.send(draft(transaction, transaction.resultCode)),
    async emit(transaction, kind) {
      const code = /^(?:ResultCode=)?(\d{1,4})$/.exec(kind)?.[1];
      if (code === undefined) return false;
      await outbox.send(draft(transaction, Number(code)));
      return true;
    },
  };
}
