// Calling off an unpaid order: the provider is asked for a final answer on every open payment, and the page is closed where it can be.
// Only then is the order cancelled and what it held given back. Nothing is guessed: while money may come, the order stays.
import type { BillingNo, PlayerId } from '#kernel/ids.ts';
import type { PaymentReport } from '#server/modules/payments/provider.ts';
import { transaction } from '#server/platform/database/db.ts';
import { leaseQuery } from '#server/modules/orders/payments/attempt-store.ts';
import { addAudit, cancelOrder, findOperatedOrder, listOpenAttempts } from './operate-store.ts';
import { type ActOutcome, type Operator, notFound } from './operate.ts';
import { isUnpaid } from '#server/modules/orders/rules.ts';
import { type SettleDeps, settlePayment, toKnownPayment } from '#server/modules/orders/payments/settle-payment.ts';

type Attempt = { playerId: PlayerId; billingNo: BillingNo; attemptNo: number };
type Found = { kind: 'closed'; said: string } | { kind: 'money'; said: string } | { kind: 'open'; said: string };

export async function cancelUnpaidOrder(operator: Operator, deps: SettleDeps, billingNo: string): Promise<ActOutcome> {
  const order = await findOperatedOrder(operator.db, billingNo);
  if (!order) return notFound(billingNo);
  const impossible = (outcome: string, sentence: string): ActOutcome => ({ kind: 'impossible', outcome, sentence });
  // One in review that no money is left of (charged back, or paid to somebody else) is closed by this as well; the database knows which.
  if (!isUnpaid(order.state) && order.state !== 'review')
    return impossible('wrong_state', `Order ${billingNo} is ${order.state}: only unpaid orders can be called off.`);
  const closed: { attempt: number; said: string }[] = [];
  for (const attemptNo of await listOpenAttempts(operator.db, order)) {
    const attempt = { playerId: order.player_id, billingNo: order.billing_no, attemptNo };
    const found = await askFinally(deps, attempt, async () =>
      (await listOpenAttempts(operator.db, order)).includes(attemptNo),
    );
    if (found.kind === 'money') {
      await settlePayment(deps, attempt, { everySeconds: 0 });
      return impossible('paid', `Order ${billingNo} was paid meanwhile (attempt ${attemptNo}): it goes its way.`);
    }
    if (found.kind === 'open')
      return impossible('still_payable', `Attempt ${attemptNo} of order ${billingNo} may still be paid (${found.said}): it was left as it is and closes by itself in time.`); // prettier-ignore
    closed.push({ attempt: attemptNo, said: found.said });
  }
  return transaction(operator.db, async (client) => {
    const attempts = closed.map((one) => one.attempt);
    const answer = await cancelOrder(client, order, attempts);
    if (answer === 'still_payable')
      return impossible(
        answer,
        `The player pays order ${billingNo} another way, or its money is being taken, just now: try again.`,
      );
    const after = (await findOperatedOrder(client, billingNo))?.state ?? order.state;
    // The provider's own word that the page is closed may be faster than we are: called off all the same, under its name.
    if (answer === 'wrong_state' && (closed.length === 0 || (after !== 'expired' && after !== 'failed')))
      return impossible(answer, `Order ${billingNo} is ${after} by now: look at it again.`);
    const details = { before: order.state, after, attempts: closed };
    await addAudit(client, { actor: operator.by, act: 'cancel', billingNo, details });
    return { kind: 'done', outcome: after, sentence: `Order ${billingNo} is ${after}; what it held is free again.` };
  });
}

async function askFinally(deps: SettleDeps, attempt: Attempt, isStillOpen: () => Promise<boolean>): Promise<Found> {
  const row = await leaseQuery(deps.db, attempt, 0);
  // Nobody has to be asked about an attempt that was closed a moment ago, and nobody may be while its money is being taken.
  if (!row)
    return (await isStillOpen())
      ? { kind: 'open', said: 'its money is being taken at this moment' }
      : { kind: 'closed', said: 'closed meanwhile' };
  const terminal = deps.payments.terminal(row.provider);
  if (!terminal) return { kind: 'open', said: `${row.provider} has no credentials here` };
  const payment = toKnownPayment(row);
  let report: PaymentReport = await terminal.provider.query(terminal.context, payment);
  const isOpen = () => report.status === 'pending' || report.status === 'declined' || report.status === 'approved';
  if (isOpen() && terminal.provider.cancel && payment.providerRef)
    report = await terminal.provider.cancel(terminal.context, payment);
  if (report.status === 'failed' || report.status === 'expired') return { kind: 'closed', said: report.status };
  if (!isOpen()) return { kind: 'money', said: report.status };
  // Where money comes only by our capture, an order that is called off is never captured; one that was begun may still succeed.
  const isCapturing = report.captureRef !== null || row.capture_ref !== null;
  if (terminal.provider.capture && !isCapturing) return { kind: 'closed', said: `${report.status}, never captured` };
  if (row.is_past_payable) return { kind: 'closed', said: 'past its time' };
  return { kind: 'open', said: report.reason ?? `${row.provider} can not close it` };
}
