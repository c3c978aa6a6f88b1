// Closes an unpaid order: the provider is asked for a final answer on every open attempt, and its page is
// closed where that can be done.
// Only then is the order cancelled and what it held released. Nothing is guessed: while
// money may come, the order stays.
import type { BillingNo, PlayerId } from '#kernel/ids.ts';
import {
  cancelOrder,
  findOperatedOrder,
  listOpenAttempts,
  lockUnpaid,
} from '#server/modules/orders/operator/operate-store.ts';
import type { OperatedOrder } from '#server/modules/orders/operator/operate-store.ts';
import { type OrderState, isUnpaid } from '#server/modules/orders/rules.ts';
import type { PaymentReport } from '#server/modules/payments/provider.ts';
import { type Queryable, transaction } from '#server/platform/database/db.ts';
import { leaseQuery } from './attempt-store.ts';
import { type SettleDeps, settlePayment, toKnownPayment } from './settle-payment.ts';

type Attempt = { playerId: PlayerId; billingNo: BillingNo; attemptNo: number };
type Found = { kind: 'closed'; reason: string } | { kind: 'money' } | { kind: 'open'; reason: string };

export type ClosedAttempt = { readonly attempt: number; readonly reason: string };

/** `attemptNo` null: money of some attempt is being taken at this moment, or the player pays another way just now. */
export type CloseOutcome =
  | { readonly kind: 'closed'; readonly state: OrderState; readonly attempts: readonly ClosedAttempt[] }
  | { readonly kind: 'paid'; readonly attemptNo: number }
  | { readonly kind: 'still_payable'; readonly attemptNo: number | null; readonly reason: string }
  | { readonly kind: 'wrong_state'; readonly state: OrderState };

/** `keepsApproved`: an order whose payment the player has approved stays, although its money could be left untaken. */
export type CloseOptions = { readonly keepsApproved?: boolean };

/**
 * A player closes what is unpaid, and nothing else: an order in review may have a payment that nobody could read, which
 * is a person's to judge, also when that payment comes while the provider is asked.
 */
export async function closeUnpaidOrder(
  deps: SettleDeps,
  order: OperatedOrder,
  options: CloseOptions = {},
): Promise<CloseOutcome> {
  if (!isUnpaid(order.state)) return { kind: 'wrong_state', state: order.state };
  const attempts = await closeAttempts(deps, order, options);
  if (!Array.isArray(attempts)) return attempts;
  return transaction(deps.db, async (client) =>
    (await lockUnpaid(client, order))
      ? closeHere(client, order, attempts)
      : { kind: 'wrong_state', state: (await findOperatedOrder(client, order.billing_no))?.state ?? order.state },
  );
}

/** @param alongside runs in the transaction that closes the order, e.g. to write an audit line */
export async function closeOrder(
  deps: SettleDeps,
  order: OperatedOrder,
  alongside: (client: Queryable, state: OrderState, attempts: readonly ClosedAttempt[]) => Promise<void> = async () =>
    undefined,
): Promise<CloseOutcome> {
  // One in review that no money is left of (charged back, or paid to somebody else) is closed by this as
  // well; the database knows which.
  if (!isUnpaid(order.state) && order.state !== 'review') return { kind: 'wrong_state', state: order.state };
  const attempts = await closeAttempts(deps, order);
  if (!Array.isArray(attempts)) return attempts;
  return transaction(deps.db, async (client) => {
    const outcome = await closeHere(client, order, attempts);
    if (outcome.kind === 'closed') await alongside(client, outcome.state, attempts);
    return outcome;
  });
}

/** All open attempts, closed at their providers for good; or why the order cannot be closed. */
async function closeAttempts(
  deps: SettleDeps,
  order: OperatedOrder,
  options: CloseOptions = {},
): Promise<ClosedAttempt[] | CloseOutcome> {
  const closed: ClosedAttempt[] = [];
  for (const attemptNo of await listOpenAttempts(deps.db, order)) {
    const attempt = { playerId: order.player_id, billingNo: order.billing_no, attemptNo };
    const isStillOpen = async () => (await listOpenAttempts(deps.db, order)).includes(attemptNo);
    const found = await askFinally(deps, attempt, isStillOpen, options);
    if (found.kind === 'money') {
      await settlePayment(deps, attempt, { everySeconds: 0 });
      return { kind: 'paid', attemptNo };
    }
    if (found.kind === 'open') return { kind: 'still_payable', attemptNo, reason: found.reason };
    closed.push({ attempt: attemptNo, reason: found.reason });
  }
  return closed;
}

async function closeHere(
  client: Queryable,
  order: OperatedOrder,
  closed: readonly ClosedAttempt[],
): Promise<CloseOutcome> {
  const answer = await cancelOrder(
    client,
    order,
    closed.map((one) => one.attempt),
  );
  if (answer === 'still_payable') return { kind: 'still_payable', attemptNo: null, reason: 'paid just now' };
  const state = (await findOperatedOrder(client, order.billing_no))?.state ?? order.state;
  // The provider's own word that the page is closed may be faster than we are: closed all the same, under its name.
  if (answer === 'wrong_state' && (closed.length === 0 || (state !== 'expired' && state !== 'failed')))
    return { kind: 'wrong_state', state };
  return { kind: 'closed', state, attempts: closed };
}

async function askFinally(
  deps: SettleDeps,
  attempt: Attempt,
  isStillOpen: () => Promise<boolean>,
  { keepsApproved = false }: CloseOptions,
): Promise<Found> {
  const row = await leaseQuery(deps.db, attempt, 0);
  // Nobody has to be asked about an attempt that was closed a moment ago, and nobody may be
  // while its money is being taken.
  if (!row)
    return (await isStillOpen())
      ? { kind: 'open', reason: 'its money is being taken at this moment' }
      : { kind: 'closed', reason: 'closed meanwhile' };
  const account = deps.payments.account(row.provider);
  if (!account) return { kind: 'open', reason: `${row.provider} has no credentials here` };
  const payment = toKnownPayment(row);
  let report: PaymentReport = await account.provider.query(account.context, payment);
  if (keepsApproved && (report.status === 'approved' || row.approval !== null))
    return { kind: 'open', reason: 'the player has approved its payment' };
  const isOpen = () => report.status === 'pending' || report.status === 'declined' || report.status === 'approved';
  if (isOpen() && account.provider.cancel && payment.providerRef)
    report = await account.provider.cancel(account.context, payment);
  if (report.status === 'failed' || report.status === 'expired') return { kind: 'closed', reason: report.status };
  // An answer that was not understood may be money: never closed by a machine.
  if (report.status === 'unknown' || report.status === 'paid_unreadable')
    return { kind: 'open', reason: report.reason ?? `the answer of ${row.provider} was not understood` };
  if (!isOpen()) return { kind: 'money' };
  // A closed order is never captured at providers that take money only by our capture; a capture that was begun may
  // still succeed.
  const isCapturing = report.captureRef !== null || row.capture_ref !== null;
  if (account.provider.capture && !isCapturing) return { kind: 'closed', reason: `${report.status}, never captured` };
  if (row.is_past_payable) return { kind: 'closed', reason: 'past its time' };
  return { kind: 'open', reason: report.reason ?? `${row.provider} cannot close it` };
}
