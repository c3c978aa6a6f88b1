// An operator closes an unpaid order, with an audit line in the same transaction.
import { closeOrder } from '#server/modules/orders/payments/close-order.ts';
import type { SettleDeps } from '#server/modules/orders/payments/settle-payment.ts';
import { addAudit, findOperatedOrder } from './operate-store.ts';
import { type ActOutcome, type Operator, notFound } from './operate.ts';

export async function cancelUnpaidOrder(operator: Operator, deps: SettleDeps, billingNo: string): Promise<ActOutcome> {
  const order = await findOperatedOrder(operator.db, billingNo);
  if (!order) return notFound(billingNo);
  const closed = await closeOrder(deps, order, (client, after, attempts) =>
    addAudit(client, {
      actor: operator.by,
      act: 'cancel',
      billingNo,
      details: { before: order.state, after, attempts },
    }),
  );
  const impossible = (outcome: string, sentence: string): ActOutcome => ({ kind: 'impossible', outcome, sentence });
  switch (closed.kind) {
    case 'closed':
      return {
        kind: 'done',
        outcome: closed.state,
        sentence: `Order ${billingNo} is ${closed.state}; what it held is free again.`,
      };
    case 'paid':
      return impossible(
        'paid',
        `Order ${billingNo} was paid meanwhile (attempt ${closed.attemptNo}): it goes its way.`,
      );
    case 'still_payable':
      return closed.attemptNo === null
        ? impossible(
            'still_payable',
            `The player pays order ${billingNo} another way, or its money is being taken, just now: try again.`,
          )
        : impossible(
            'still_payable',
            `Attempt ${closed.attemptNo} of order ${billingNo} may still be paid (${closed.reason}): ` +
              'it was left as it is and closes by itself in time.',
          );
    case 'wrong_state':
      return closed.state === order.state
        ? impossible('wrong_state', `Order ${billingNo} is ${order.state}: only unpaid orders can be called off.`)
        : impossible('wrong_state', `Order ${billingNo} is ${closed.state} by now: look at it again.`);
  }
}
