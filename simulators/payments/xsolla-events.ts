// Xsolla's webhooks: one URL per project, told apart by `notification_type`.

import { spoilView, type Sentinel } from '#simulators/kit/faults.ts';
import { deliverOutcome } from '#simulators/kit/deliver.ts';
import type { Amount } from '#simulators/kit/money.ts';
import type { CallbackDraft, Outbox } from '#simulators/kit/outbox.ts';
import type { Context } from './context.ts';
import { writeMoney } from './xsolla-amounts.ts';
import { signBody } from './xsolla-signature.ts';
import type { PayToken, Transaction } from './xsolla-state.ts';

export type XsollaEvents = {
  /** Asks the shop whether the player exists. The status, or undefined when nobody answered. */
  validateUser(token: PayToken): Promise<number | undefined>;
  paid(token: PayToken, transaction: Transaction): Promise<void>;
  /** The payment system refused it; Xsolla tells so only of payments stopped by its fraud check. */
  refused(token: PayToken, transaction: Transaction): Promise<void>;
  refunded(
    token: PayToken,
    transaction: Transaction,
    refund: { amount: Amount; code: number; reason: string },
  ): Promise<void>;
  emit(token: PayToken, transaction: Transaction, kind: string): Promise<boolean>;
  /** Which of `payment` and `order_paid` this account gets. */
  kinds: { current: string[] };
};

export function createXsollaEvents(context: Context, outbox: Outbox): XsollaEvents {
  const { merchantId, projectId, projectSecret } = context.credentials.xsolla;
  const settings = { project_id: projectId, merchant_id: merchantId };
  // Accounts from before 2025-01-22 get both. @source developers.xsolla.com, webhooks overview
  const kinds = { current: ['payment', 'order_paid'] };

  const userOf = (token: PayToken) => ({
    ip: '127.0.0.1',
    id: token.user.id,
    ...(token.user.name ? { name: token.user.name } : {}),
    ...(token.user.email ? { email: token.user.email } : {}),
    ...(token.user.country ? { country: token.user.country } : {}),
  });

  function draft(
    kind: string,
    token: PayToken,
    content: Record<string, unknown>,
    faults: readonly Sentinel[],
  ): CallbackDraft {
    const body = JSON.stringify({ notification_type: kind, ...content });
    const secret = faults.includes('bad-signature') ? `${projectSecret}x` : projectSecret;
    return {
      reference: token.externalId ?? token.token,
      kind,
      body,
      headers: { authorization: `Signature ${signBody(body, secret)}` },
    };
  }

  function paymentContent(token: PayToken, transaction: Transaction): Record<string, unknown> {
    const money = writeMoney(transaction.amount);
    const isOtherProject = transaction.faults.includes('wrong-merchant');
    const externalId = transaction.faults.includes('wrong-reference')
      ? `${transaction.externalId}X`
      : transaction.externalId;
    return {
      settings: isOtherProject ? { ...settings, project_id: projectId + 1 } : settings,
      purchase: spoilView(
        {
          checkout: money,
          total: money,
          ...(token.description ? { description: { value: token.description } } : {}),
        },
        transaction.faults,
        { money: ['checkout', 'total'] },
      ),
      user: userOf(token),
      transaction: {
        id: Number(transaction.id),
        ...(externalId ? { external_id: externalId } : {}),
        payment_date: new Date(transaction.paidAt ?? transaction.createdAt).toISOString(),
        payment_method: 1380,
        payment_method_name: 'Credit card (simulated)',
        ...(transaction.isSandbox ? { dry_run: 1 } : {}),
      },
      payment_details: {
        payment: money,
        payout: money,
        vat: { ...money, amount: 0 },
        xsolla_fee: { ...money, amount: 0 },
      },
      custom_parameters: token.customParameters,
    };
  }

  function orderContent(token: PayToken, transaction: Transaction): Record<string, unknown> {
    const money = writeMoney(transaction.amount);
    const { user: _user, custom_parameters, ...billing } = paymentContent(token, transaction);
    return {
      settings: billing['settings'],
      items: [],
      order: spoilView(
        {
          id: Number(transaction.id) - 600_000_000,
          mode: transaction.isSandbox ? 'sandbox' : 'default',
          currency_type: 'real',
          currency: money.currency,
          amount: String(money.amount),
          status: 'paid',
          platform: 'xsolla',
          invoice_id: transaction.id,
        },
        transaction.faults,
        { money: ['amount', 'currency'] },
      ),
      user: { external_id: token.user.id, ...(token.user.email ? { email: token.user.email } : {}) },
      billing: { notification_type: 'payment', ...billing },
      custom_parameters,
    };
  }

  const build = (kind: string, token: PayToken, transaction: Transaction): CallbackDraft | undefined => {
    const { faults } = transaction;
    if (kind === 'payment') return draft(kind, token, paymentContent(token, transaction), faults);
    if (kind === 'order_paid' || kind === 'order_canceled') {
      return draft(kind, token, orderContent(token, transaction), faults);
    }
    // A kind that nobody knows yet looks like a payment: a shop must not take it for one.
    if (kind !== 'afs_reject')
      return /^[a-z_]+$/.test(kind) ? draft(kind, token, paymentContent(token, transaction), faults) : undefined;
    const refund_details = { code: 4, reason: 'Potential fraud' };
    // A refused try is a transaction of its own, never the number of the one that succeeded.
    const other = { ...transaction, id: String(Number(transaction.id) + 50_000_000) };
    return draft(kind, token, { ...paymentContent(token, other), refund_details }, faults);
  };

  return {
    kinds,
    async validateUser(token) {
      const { body, headers } = draft('user_validation', token, { settings, user: userOf(token) }, []);
      return context.shop.post('xsolla', body, headers).then(
        (answer) => answer.status,
        () => undefined,
      );
    },
    async paid(token, transaction) {
      const success = kinds.current.flatMap((kind) => build(kind, token, transaction) ?? []);
      await deliverOutcome(outbox, transaction.faults, {
        success: transaction.faults.includes('reorder') ? success.toReversed() : success,
        stale: () => [build('afs_reject', token, transaction)!],
      });
    },
    async refused(token, transaction) {
      const refund_details = { code: 4, reason: 'Potential fraud' };
      await outbox.send(draft('afs_reject', token, { ...paymentContent(token, transaction), refund_details }, []));
    },
    async refunded(token, transaction, refund) {
      // A refund of the rest after parts is a part; a chargeback has no such kind.
      const isWhole = refund.code === 2 || refund.amount.amountMinor === transaction.amount.amountMinor;
      const money = writeMoney(refund.amount);
      const content = {
        ...paymentContent(token, transaction),
        ...(isWhole ? {} : { purchase: { checkout: money, total: money } }),
        refund_details: {
          code: refund.code,
          reason: refund.reason,
          author: 'support@example.com',
          // UNSURE: from memory; the published sample of a part does not tell how much it was.
          ...(isWhole ? {} : { refund_amount: money.amount }),
        },
      };
      await outbox.send(draft(isWhole ? 'refund' : 'partial_refund', token, content, []));
      if (isWhole && kinds.current.includes('order_paid')) {
        await outbox.send(draft('order_canceled', token, orderContent(token, transaction), []));
      }
    },
    async emit(token, transaction, kind) {
      const made = build(kind, token, transaction);
      if (made) await outbox.send(made);
      return made !== undefined;
    },
  };
}
