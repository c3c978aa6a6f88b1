// SQL of an operator's acts on one order, and of the audit line that each of them leaves in its own transaction.
import type { BillingNo, GameId, PlayerId } from '#kernel/ids.ts';
import type { Currency } from '#kernel/money.ts';
import { type Queryable, callFunction, query, toJsonb } from '#server/platform/database/db.ts';
import { findPlayerOf } from '#server/modules/orders/find-store.ts';
import type { OrderState } from '#server/modules/orders/rules.ts';

export type OperatedOrder = {
  player_id: PlayerId;
  billing_no: BillingNo;
  state: OrderState;
  game_id: GameId;
  review_reason: string | null;
  delivered_at: Date | null;
};

/** An order by its number alone; null when there is none. */
export async function findOperatedOrder(db: Queryable, billingNo: string): Promise<OperatedOrder | null> {
  const playerId = await findPlayerOf(db, billingNo);
  if (playerId === null) return null;
  const [row] = await query<OperatedOrder>(
    db,
    'operate_find',
    `select player_id, billing_no, state, game_id, review_reason, delivered_at
     from orders where player_id = $1 and billing_no = $2`,
    [playerId, billingNo],
  );
  return row ?? null;
}

export type AuditInput = { actor: string; act: string; billingNo: string | null; details: object };

/** Written on the same client as the act itself, so that neither is there without the other. */
export async function addAudit(db: Queryable, input: AuditInput): Promise<void> {
  await query(
    db,
    'audit_add',
    'insert into audit_entry (actor, act, billing_no, details) values ($1, $2, $3, $4::jsonb)',
    [input.actor.slice(0, 100), input.act, input.billingNo, toJsonb(input.details)],
  );
}

export type DeliverAnswer = 'queued' | 'wrong_state' | 'refunding' | 'charged_back' | 'not_paid' | 'nothing_left';

export async function operatorDeliver(db: Queryable, order: OperatedOrder): Promise<DeliverAnswer> {
  return callFunction(db, 'operator_deliver', { player_id: order.player_id, billing_no: order.billing_no });
}

export type RefundAnswer =
  | 'due'
  | 'exists'
  | 'nothing_to_refund'
  | 'delivering_now'
  | 'done'
  | 'was_done'
  | 'refunding_now'
  /** A balance or a prepaid card paid: the shop gives it back itself, and never by hand. */
  | 'own_money';

/** @param isDone the money went back by hand already: it is booked instead of asked for */
export async function operatorRefund(
  db: Queryable,
  order: OperatedOrder,
  input: { attemptNo: number; reason: string; by: string; isDone: boolean },
): Promise<RefundAnswer> {
  return callFunction(db, input.isDone ? 'operator_refund_done' : 'operator_refund', {
    player_id: order.player_id,
    billing_no: order.billing_no,
    attempt_no: input.attemptNo,
    reason: input.reason,
    requested_by: input.by,
  });
}

export type PaidAttempt = { attempt_no: number; state: string; amount_minor: number; currency: Currency };

/** Attempts whose money is here and has not gone back: the one that paid first, then what came beside it. */
export function listPaidAttempts(db: Queryable, order: OperatedOrder): Promise<PaidAttempt[]> {
  return query<PaidAttempt>(
    db,
    'operate_paid_attempts',
    `select l.attempt_no, a.state, sum(l.amount_minor)::bigint as amount_minor, l.currency from ledger_entry l
       join payment_attempt a on a.player_id = l.player_id and a.billing_no = l.billing_no
         and a.attempt_no = l.attempt_no
     where l.player_id = $1 and l.billing_no = $2 and l.account = 'provider_receivable'
     group by l.attempt_no, a.state, l.currency having sum(l.amount_minor) > 0
     order by (a.state = 'succeeded') desc, l.attempt_no`,
    [order.player_id, order.billing_no],
  );
}

/** Attempts that money may still come for. */
export async function listOpenAttempts(db: Queryable, order: OperatedOrder): Promise<number[]> {
  const rows = await query<{ attempt_no: number }>(
    db,
    'operate_open_attempts',
    `select attempt_no from payment_attempt where player_id = $1 and billing_no = $2 and is_open order by attempt_no`,
    [order.player_id, order.billing_no],
  );
  return rows.map((row) => row.attempt_no);
}

/** Locks an order as cancel_order does. False: it is not unpaid any more. */
export async function lockUnpaid(client: Queryable, order: OperatedOrder): Promise<boolean> {
  const key = [order.player_id, order.billing_no];
  await query(client, 'order_lock_reservations', 'select lock_reservations($1, $2)', key);
  const rows = await query(
    client,
    'order_lock_unpaid',
    'select 1 from orders where player_id = $1 and billing_no = $2 and is_unpaid for update',
    key,
  );
  return rows.length > 0;
}

/** @param closed attempts of which the provider said that no money can come */
export async function cancelOrder(
  db: Queryable,
  order: OperatedOrder,
  closed: readonly number[],
): Promise<'cancelled' | 'wrong_state' | 'still_payable'> {
  // An array of numbers is PostgreSQL's own, not jsonb.
  return callFunction(db, 'cancel_order', {
    player_id: order.player_id,
    billing_no: order.billing_no,
    closed_attempts: `{${closed.join(',')}}`,
  });
}
