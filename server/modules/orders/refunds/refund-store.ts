// SQL of money that goes back, and of goods taken back at the game. Both tables are their own queues.
import type { BillingNo, GameId, PlayerId, ReplenishId } from '#kernel/ids.ts';
import { type Currency, type Money, money } from '#kernel/money.ts';
import { type Queryable, callFunction, query } from '#server/platform/database/db.ts';

/** A refund this process may ask the provider for now. `tries` counts this call. */
export type LeasedRefund = {
  player_id: PlayerId;
  billing_no: BillingNo;
  attempt_no: number;
  tries: number;
  provider: string;
  provider_ref: string | null;
  capture_ref: string | null;
  channel_id: string;
  amount_minor: number;
  currency: Currency;
  created_at: Date;
  age_seconds: number;
};

export type RefundRequest = 'due' | 'exists' | 'nothing_to_refund';

/** Asks for the money of one attempt to go back. `by` is "shop" or the operator's name. */
export async function requestRefund(
  db: Queryable,
  input: { playerId: PlayerId; billingNo: BillingNo; attemptNo: number; reason: string; by: string },
): Promise<RefundRequest> {
  return callFunction(db, 'request_refund', {
    player_id: input.playerId,
    billing_no: input.billingNo,
    attempt_no: input.attemptNo,
    reason: input.reason,
    requested_by: input.by,
  });
}

export function leaseRefunds(db: Queryable, limit: number, leaseSeconds: number): Promise<LeasedRefund[]> {
  return query(db, 'lease_refunds', 'select * from lease_refunds($1, make_interval(secs => $2))', [
    limit,
    leaseSeconds,
  ]);
}

/**
 * `manual`: no machine gets further; a person pays it back and says so. All but `done` is ignored when the refund was
 * leased again meanwhile.
 */
export async function finishRefund(
  db: Queryable,
  refund: Pick<LeasedRefund, 'player_id' | 'billing_no' | 'attempt_no' | 'tries'>,
  result: {
    kind: 'done' | 'pending' | 'unknown' | 'manual';
    ref: string | null;
    error: string | null;
    retrySeconds: number;
  },
): Promise<void> {
  await callFunction(db, 'record_refund_result', {
    player_id: refund.player_id,
    billing_no: refund.billing_no,
    attempt_no: refund.attempt_no,
    tries: refund.tries,
    kind: result.kind,
    provider_refund_ref: result.ref,
    error: result.error,
    retry_seconds: result.retrySeconds,
  });
}

/** Returns the whole amount that the attempt of a refund was paid; the refund is of less once parts of it went back. */
export async function findPaidAmount(
  db: Queryable,
  { player_id, billing_no, attempt_no }: Pick<LeasedRefund, 'player_id' | 'billing_no' | 'attempt_no'>,
): Promise<Money | null> {
  const [row] = await query<{ amount_minor: number; currency: Currency }>(
    db,
    'paid_amount',
    `select coalesce(reported_minor, amount_minor) as amount_minor, coalesce(reported_currency, currency) as currency
     from payment_attempt where player_id = $1 and billing_no = $2 and attempt_no = $3`,
    [player_id, billing_no, attempt_no],
  );
  return row ? money(row.amount_minor, row.currency) : null;
}

export type LeasedRevocation = {
  player_id: PlayerId;
  billing_no: BillingNo;
  game_id: GameId;
  tries: number;
  reason: string;
};

/** Asks the game to take goods back; once an order. */
export async function requestRevocation(
  db: Queryable,
  playerId: PlayerId,
  billingNo: BillingNo,
  reason: string,
): Promise<boolean> {
  const rows = await query(
    db,
    'request_revocation',
    `insert into revocation (player_id, billing_no, game_id, reason)
     select player_id, billing_no, game_id, $3 from orders
     where player_id = $1 and billing_no = $2 and delivered_at is not null
     on conflict do nothing returning billing_no`,
    [playerId, billingNo, reason],
  );
  return rows.length > 0;
}

export function leaseRevocations(db: Queryable, limit: number, leaseSeconds: number): Promise<LeasedRevocation[]> {
  return query(db, 'lease_revocations', 'select * from lease_revocations($1, make_interval(secs => $2))', [
    limit,
    leaseSeconds,
  ]);
}

/**
 * `retrySeconds` null with kind unknown: given up, for manual review. All but `done` is ignored when the revocation was
 * leased again meanwhile.
 */
export async function finishRevocation(
  db: Queryable,
  revocation: Pick<LeasedRevocation, 'player_id' | 'billing_no' | 'tries'>,
  result: { kind: 'done' | 'declined' | 'unknown'; error: string | null; retrySeconds: number | null },
): Promise<void> {
  const state = result.kind === 'unknown' ? (result.retrySeconds === null ? 'dead' : 'queued') : result.kind;
  await query(
    db,
    state === 'done' ? 'finish_revocation_done' : 'finish_revocation',
    `update revocation set state = $3, last_error = $4, next_at = now() + make_interval(secs => $5),
     done_at = ${state === 'done' ? 'now()' : 'null'}
     where player_id = $1 and billing_no = $2 and state <> 'done' and (tries = $6 or $3 = 'done')`,
    [revocation.player_id, revocation.billing_no, state, result.error, result.retrySeconds ?? 0, revocation.tries],
  );
}

/** Puts a delivery that stopped back on its way with the same key. */
export async function redeliverOrder(
  db: Queryable,
  playerId: PlayerId,
  billingNo: BillingNo,
): Promise<'queued' | 'wrong_state'> {
  return callFunction(db, 'redeliver_order', { player_id: playerId, billing_no: billingNo });
}

/** The make-up payment that an order sold; null for goods. */
export async function findReplenishOf(
  db: Queryable,
  { player_id, billing_no }: Pick<LeasedRevocation, 'player_id' | 'billing_no'>,
): Promise<ReplenishId | null> {
  const [row] = await query<{ replenish_id: ReplenishId | null }>(
    db,
    'order_replenish',
    'select replenish_id from orders where player_id = $1 and billing_no = $2',
    [player_id, billing_no],
  );
  return row?.replenish_id ?? null;
}
