// Money beside the orders that recovery took in (decision 61): asked for where the order is here, booked where the
// provider's own list says that it went back, else a person's.
import { money } from '#kernel/money.ts';
import { attemptRef } from '#kernel/ids.ts';
import { addAudit } from '#server/modules/orders/operator/operate-store.ts';
import { settlePayment } from '#server/modules/orders/payments/settle-payment.ts';
import { receiveReport } from '#server/modules/orders/payments/report-store.ts';
import { transaction } from '#server/platform/database/db.ts';
import { type MoneyMoved, orderOf } from './evidence.ts';
import type { RecoverDeps } from './recover.ts';
import { type PaymentHere, listPaymentsHere } from './recovery-store.ts';

/** Money that does not follow from an order which was taken in. */
export type RecoveredMoney = {
  readonly provider: string;
  readonly source: MoneyMoved['source'];
  readonly movement: MoneyMoved['movement'];
  readonly reference: string | null;
  readonly amount_minor: number | null;
  readonly currency: string | null;
  /** `booked`, or why a person decides. */
  readonly outcome: 'booked' | 'unknown_order' | 'not_our_reference' | 'differs' | 'file_says_returned';
};

/**
 * Money beside the orders that were taken in. An order that is here and not paid is asked for at its provider, as ever;
 * what a provider's own list says went back is booked; everything else is a person's.
 */
export async function recoverMoney(
  deps: RecoverDeps,
  moved: readonly MoneyMoved[],
  adopted: ReadonlySet<string>,
): Promise<RecoveredMoney[]> {
  const numbers = moved.flatMap((one) => orderOf(one)?.billingNo ?? []);
  const here = new Map<string, PaymentHere>();
  for (const row of await listPaymentsHere(deps.db, numbers)) here.set(attemptRef(row.billing_no, row.attempt_no), row);
  const found: RecoveredMoney[] = [];
  for (const one of moved) {
    const payment = here.get(one.reference ?? '') ?? null;
    const order = orderOf(one);
    // In a plan the order is taken in only afterwards.
    if (order && adopted.has(order.billingNo) && one.movement === 'payment') continue;
    const outcome = await settleMoved(deps, one, payment);
    if (outcome === null) continue;
    const { provider, source, movement, reference, amountMinor, currency } = one;
    found.push({ provider, source, movement, reference, amount_minor: amountMinor, currency, outcome });
  }
  // One payment may stand in a list and in the inbox.
  return [...new Map(found.map((one) => [`${one.provider} ${one.reference} ${one.movement}`, one])).values()];
}

/** Null: the books have it. */
async function settleMoved(
  deps: RecoverDeps,
  one: MoneyMoved,
  payment: PaymentHere | null,
): Promise<RecoveredMoney['outcome'] | null> {
  if (!orderOf(one)) return 'not_our_reference';
  if (!payment || payment.provider !== one.provider) return 'unknown_order';
  if (one.movement === 'payment') {
    if (payment.is_booked) return one.amountMinor === null || isEqual(one, payment) ? null : 'differs';
    if (!deps.isActing) return 'booked';
    const { player_id: playerId, billing_no: billingNo, attempt_no: attemptNo } = payment;
    const outcome = await settlePayment(deps.settle, { playerId, billingNo, attemptNo }, { everySeconds: 0 }).catch(
      () => null,
    );
    return outcome?.outcome === 'paid' || outcome?.outcome === 'late_paid' ? 'booked' : 'differs';
  }
  if (payment.is_returned) return null;
  if (!isEqual(one, payment)) return 'differs';
  // Only the provider's own answer, to our credentials, is believed; a file may be of another account.
  if (one.source === 'file') return 'file_says_returned';
  if (!deps.isActing || one.source === 'callback') return 'booked';
  await bookMoved(deps, one, payment);
  return 'booked';
}

const isEqual = (one: MoneyMoved, payment: PaymentHere): boolean =>
  one.amountMinor === payment.amount_minor && one.currency === payment.currency;

async function bookMoved(deps: RecoverDeps, one: MoneyMoved, payment: PaymentHere): Promise<void> {
  const { billing_no: billingNo, attempt_no: attemptNo, amount_minor: amountMinor, currency } = payment;
  await transaction(deps.db, async (client) => {
    const { outcome } = await receiveReport(client, {
      provider: one.provider,
      report: {
        status: one.movement === 'refund' ? 'refunded' : 'chargeback',
        reference: one.reference,
        providerRef: null,
        captureRef: one.captureRef,
        amount: money(amountMinor, currency),
        merchantAccount: null,
        reason: "the provider's list",
      },
      billingNo,
      attemptNo,
      isOurMerchant: true,
      callback: null,
      mustNotify: true,
    });
    await addAudit(client, {
      actor: deps.by,
      act: 'recover-return',
      billingNo,
      details: { movement: one.movement, outcome },
    });
  });
}
