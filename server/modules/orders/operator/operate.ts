// Lets an operator deliver an order or refund it. Each act and its audit line are one transaction; an act that the
// order's state does not allow changes nothing and leaves no line.
import { toDecimal } from '#kernel/money.ts';
import { type Db, transaction } from '#server/platform/database/db.ts';
import {
  type DeliverAnswer,
  type OperatedOrder,
  type RefundAnswer,
  addAudit,
  findOperatedOrder,
  listPaidAttempts,
  operatorDeliver,
  operatorRefund,
} from './operate-store.ts';
import { requestRevocation } from '#server/modules/orders/refunds/refund-store.ts';

/** `by` names the person in the audit line. */
export type Operator = { readonly db: Db; readonly by: string };

/** `impossible`: the order is not in a state for this; nothing was changed. The sentence is for a person. */
export type ActOutcome = {
  readonly kind: 'done' | 'impossible' | 'not_found';
  readonly outcome: string;
  readonly sentence: string;
};

export const notFound = (billingNo: string): ActOutcome => ({
  kind: 'not_found',
  outcome: 'not_found',
  sentence: `There is no order ${billingNo}.`,
});

/** Sends the goods of a paid order that stopped: the same key goes to the game again. */
export async function deliverOrder(operator: Operator, billingNo: string, act = 'redeliver'): Promise<ActOutcome> {
  const order = await findOperatedOrder(operator.db, billingNo);
  if (!order) return notFound(billingNo);
  const answer = await transaction(operator.db, async (client) => {
    const answered = await operatorDeliver(client, order);
    if (answered === 'queued')
      await addAudit(client, {
        actor: operator.by,
        act,
        billingNo,
        details: { before: order.state, reason: order.review_reason },
      });
    return answered;
  });
  return {
    kind: answer === 'queued' ? 'done' : 'impossible',
    outcome: answer,
    sentence: sayDelivery(answer, order),
  };
}

function sayDelivery(answer: DeliverAnswer, order: OperatedOrder): string {
  switch (answer) {
    case 'queued':
      return `The goods of order ${order.billing_no} are on their way to the game again, with the same key.`;
    case 'refunding':
      return `Order ${order.billing_no} has a refund: goods cannot be sent for money that goes back.`;
    case 'charged_back':
      return `The payment of order ${order.billing_no} was charged back: there is no money to deliver for.`;
    case 'not_paid':
      return `Order ${order.billing_no} has no payment that equals its price: refund what came in instead.`;
    case 'nothing_left':
      return `The stock or the player's limit of order ${order.billing_no} is used up: refund it instead.`;
    case 'wrong_state':
      return (
        `Order ${order.billing_no} is ${order.state}: only paid orders whose delivery waits or has stopped can be ` +
        'sent again.'
      );
  }
}

export type RefundOrder = {
  /** Null: the payment that paid the order, else the only other one. */
  readonly attemptNo: number | null;
  readonly reason: string;
  /** Also ask the game to take the goods back. */
  readonly isRevoking: boolean;
  /** The money went back by hand already. */
  readonly isDone: boolean;
};

export async function refundOrder(
  operator: Operator,
  billingNo: string,
  input: RefundOrder,
  act = 'refund',
): Promise<ActOutcome> {
  const order = await findOperatedOrder(operator.db, billingNo);
  if (!order) return notFound(billingNo);
  return transaction(operator.db, async (client): Promise<ActOutcome> => {
    const paid = await listPaidAttempts(client, order);
    const chosen = input.attemptNo === null ? paid[0] : paid.find((attempt) => attempt.attempt_no === input.attemptNo);
    if (!chosen) return refuseRefund('nothing_to_refund', order, input.attemptNo);
    if (input.attemptNo === null && chosen.state !== 'succeeded' && paid.length > 1)
      return {
        kind: 'impossible',
        outcome: 'ambiguous',
        sentence:
          `Order ${billingNo} has several payments (${paid.map((one) => one.attempt_no).join(', ')}): name one ` +
          'with --attempt.',
      };
    const { attempt_no: attemptNo } = chosen;
    const answer = await operatorRefund(client, order, {
      attemptNo,
      reason: input.reason,
      by: operator.by,
      isDone: input.isDone,
    });
    // Asking the game is an act of its own: it may follow a refund that was asked for before.
    const isAlready = answer === 'exists' || answer === 'was_done';
    const isRevoking =
      input.isRevoking &&
      (answer === 'due' || answer === 'done' || isAlready) &&
      (await requestRevocation(client, order.player_id, order.billing_no, 'refund'));
    if (answer !== 'due' && answer !== 'done' && !isRevoking) return refuseRefund(answer, order, attemptNo);
    const amount = toDecimal({ amountMinor: chosen.amount_minor, currency: chosen.currency });
    await addAudit(client, {
      actor: operator.by,
      act: isAlready ? 'revoke' : input.isDone ? `${act}-done` : act,
      billingNo,
      details: {
        attempt: attemptNo,
        amount,
        currency: chosen.currency,
        reason: input.reason,
        revoke: isRevoking,
        before: order.state,
      },
    });
    const money = `${amount} ${chosen.currency} of order ${billingNo} (attempt ${attemptNo})`;
    const said = isAlready
      ? `The refund of order ${billingNo} stood already.`
      : answer === 'done'
        ? `Booked: ${money} went back by hand.`
        : `${money} will go back: a worker asks the provider within seconds.`;
    const tail = isRevoking
      ? ' The game is asked to take the goods back.'
      : input.isRevoking
        ? ' There is nothing to take back at the game, or it was asked before.'
        : '';
    return { kind: 'done', outcome: answer, sentence: said + tail };
  });
}

/** Decides over an order in review, and over no other. */
export async function decideReview(
  operator: Operator,
  billingNo: string,
  decision: 'deliver' | 'refund',
): Promise<ActOutcome> {
  const order = await findOperatedOrder(operator.db, billingNo);
  if (!order) return notFound(billingNo);
  if (order.state !== 'review')
    return {
      kind: 'impossible',
      outcome: 'wrong_state',
      sentence: `Order ${billingNo} is ${order.state}, not in review.`,
    };
  if (decision === 'deliver') return deliverOrder(operator, billingNo, 'review-deliver');
  const input = { attemptNo: null, reason: 'review', isRevoking: false, isDone: false };
  return refundOrder(operator, billingNo, input, 'review-refund');
}

function refuseRefund(answer: RefundAnswer, order: OperatedOrder, attemptNo: number | null): ActOutcome {
  const which = attemptNo === null ? `order ${order.billing_no}` : `attempt ${attemptNo} of order ${order.billing_no}`;
  const sentences: Partial<Record<RefundAnswer, string>> = {
    exists: `A refund of ${which} was asked for before: see \`refill order show ${order.billing_no}\`.`,
    was_done: `The money of ${which} went back before.`,
    delivering_now: `The game is being asked to deliver order ${order.billing_no} at this moment: try again in 20 seconds.`,
    own_money:
      `A stored balance or a prepaid card paid ${which}, and the refund gives it back there. ` +
      'Leave --done out (admin API: without `done`).',
    refunding_now: `The provider is being asked to refund ${which} at this moment: try again in three minutes.`,
  };
  return {
    kind: 'impossible',
    outcome: answer,
    sentence: sentences[answer] ?? `There is no money of ${which} to give back.`,
  };
}
