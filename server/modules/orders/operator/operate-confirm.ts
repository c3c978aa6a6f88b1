// A provider said "paid" in a shape that nobody could read; a person has looked at the provider's own pages and
// says that it was paid in full.
import { type Queryable, callFunction, query, transaction } from '#server/platform/database/db.ts';
import type { ReportOutcome } from '#server/modules/orders/payments/report-store.ts';
import { type OperatedOrder, addAudit, findOperatedOrder } from './operate-store.ts';
import { type ActOutcome, type Operator, notFound } from './operate.ts';

/** @param input.attemptNo null: the only attempt whose answer could not be read */
export async function confirmPayment(
  operator: Operator,
  billingNo: string,
  input: { attemptNo: number | null; captureRef: string },
): Promise<ActOutcome> {
  const order = await findOperatedOrder(operator.db, billingNo);
  if (!order) return notFound(billingNo);
  const impossible = (outcome: string, sentence: string): ActOutcome => ({ kind: 'impossible', outcome, sentence });
  return transaction(operator.db, async (client): Promise<ActOutcome> => {
    const unreadable = await listUnreadable(client, order);
    if (unreadable.length > 1 && input.attemptNo === null)
      return impossible(
        'ambiguous',
        `Order ${billingNo} has several such payments (${unreadable.join(', ')}): name one with --attempt.`,
      );
    const attemptNo = input.attemptNo ?? unreadable[0];
    if (attemptNo === undefined || !unreadable.includes(attemptNo))
      return impossible('wrong_state', `Order ${billingNo} has no payment that waits to be confirmed.`);
    const outcome = await callFunction<ReportOutcome['outcome'] | 'wrong_state'>(client, 'operator_confirm_payment', {
      player_id: order.player_id,
      billing_no: order.billing_no,
      attempt_no: attemptNo,
      capture_ref: input.captureRef,
    });
    if (outcome === 'wrong_state' || outcome === 'duplicate')
      return impossible(outcome, `Attempt ${attemptNo} of order ${billingNo} was decided before.`);
    const details = { before: order.state, attempt: attemptNo, reference: input.captureRef, outcome };
    await addAudit(client, { actor: operator.by, act: 'confirm-payment', billingNo, details });
    const follows =
      outcome === 'paid' || outcome === 'late_paid'
        ? 'its goods are on their way'
        : 'it came on top of another payment or too late, and goes back';
    return {
      kind: 'done',
      outcome,
      sentence: `Attempt ${attemptNo} of order ${billingNo} is booked as paid; ${follows}.`,
    };
  });
}

async function listUnreadable(db: Queryable, order: OperatedOrder): Promise<number[]> {
  const rows = await query<{ attempt_no: number }>(
    db,
    'operate_unreadable_attempts',
    `select attempt_no from payment_attempt
     where player_id = $1 and billing_no = $2 and unreadable_reason is not null order by attempt_no`,
    [order.player_id, order.billing_no],
  );
  return rows.map((row) => row.attempt_no);
}
