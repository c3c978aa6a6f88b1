// Executes refunds: asks the provider with one reference for ever, books its answer, hands to manual review what it
// cannot do. Revokes goods at the game by the same kind of call.
import { attemptRef } from '#kernel/ids.ts';
import { type Money, money } from '#kernel/money.ts';
import type { GamesService } from '#server/modules/games/service.ts';
import type { PaymentReport, RefundedPayment, RefundOutcome } from '#server/modules/payments/provider.ts';
import type { PaymentsService } from '#server/modules/payments/service.ts';
import type { Db } from '#server/platform/database/db.ts';
import type { Log } from '#server/platform/log.ts';
import { OutboundError } from '#server/platform/outbound/outbound.ts';
import { allAtOnce } from '#server/platform/repeat.ts';
import {
  type LeasedRefund,
  type LeasedRevocation,
  findPaidAmount,
  finishRefund,
  findReplenishOf,
  finishRevocation,
  leaseRefunds,
  leaseRevocations,
} from './refund-store.ts';
import { receiveReport } from '#server/modules/orders/payments/report-store.ts';
import { isOurMerchant } from '#server/modules/orders/payments/settle-payment.ts';
import { nextRefundInSeconds, retryInSeconds } from '#server/modules/orders/rules.ts';

export type RefundDeps = {
  readonly db: Db;
  readonly log: Log;
  readonly payments: PaymentsService;
  readonly games: GamesService;
};

/**
 * Our choice: the slowest refund we know (Naver Pay, 60 s), the questions before and after it, and their turn in the
 * queue of the provider. While a lease lasts nobody else asks, and no person is told that the money may be sent back by
 * hand.
 */
const LEASE_SECONDS = 150;
/** Asked at once: every call begins when its lease does, and one that hangs holds up nobody behind it. */
const MAX_BATCH_SIZE = 20;

/**
 * Asks providers to pay back what is due; safe to run anywhere and twice.
 * @returns true: more may be due
 */
export async function processDueRefunds(deps: RefundDeps): Promise<boolean> {
  const refunds = await leaseRefunds(deps.db, MAX_BATCH_SIZE, LEASE_SECONDS);
  await allAtOnce(refunds, (refund) => executeRefund(deps, refund));
  return refunds.length === MAX_BATCH_SIZE;
}

async function executeRefund(deps: RefundDeps, refund: LeasedRefund): Promise<void> {
  const outcome = await askProvider(deps, refund);
  const reason = outcome.reason?.slice(0, 300) ?? null;
  const wait = nextRefundInSeconds(refund.tries);
  // A provider that says nothing final for a week, or cannot refund at all, is a case for a person.
  const kind =
    outcome.status === 'failed' ? 'manual' : wait === null && outcome.status !== 'done' ? 'manual' : outcome.status;
  if (kind === 'manual')
    deps.log.error({ alert: 'refund_by_hand', billing_no: refund.billing_no, reason }, 'refund needs manual review');
  await finishRefund(deps.db, refund, {
    kind,
    ref: outcome.refundProviderRef,
    error: reason,
    retrySeconds: wait ?? 0,
  });
  if (outcome.status !== 'failed') return;
  deps.payments.account(refund.provider)?.noteRefusal();
  await bookListedRefunds(deps, refund);
}

/**
 * A refund that the provider refuses may be refused because of what went back in its own pages. Providers that tell no
 * such refund list it when asked; each is booked as its callback would be, so that a person sees what is left.
 */
async function bookListedRefunds({ db, log, payments }: RefundDeps, refund: LeasedRefund): Promise<void> {
  const account = payments.account(refund.provider);
  if (!account) return;
  const payment = toPayment(refund, await findPaidAmount(db, refund));
  const known = { ...payment, amount: payment.paidAmount ?? payment.amount };
  let report: PaymentReport;
  try {
    report = await account.provider.query(account.context, known);
  } catch (error) {
    log.warn({ err: error, billing_no: refund.billing_no }, 'refunds of a payment could not be asked for');
    return;
  }
  for (const { amount, dedupKey } of report.refunds ?? [])
    await receiveReport(db, {
      provider: refund.provider,
      report: { ...report, status: 'refunded', amount, refunds: [] },
      billingNo: refund.billing_no,
      attemptNo: refund.attempt_no,
      isOurMerchant: isOurMerchant(account, report) && (report.reference ?? payment.reference) === payment.reference,
      callback: { dedupKey, headers: {}, body: '' },
      mustNotify: false,
    });
}

function toPayment(refund: LeasedRefund, paidAmount: Money | null): RefundedPayment {
  return {
    reference: attemptRef(refund.billing_no, refund.attempt_no),
    providerRef: refund.provider_ref,
    captureRef: refund.capture_ref,
    approval: null,
    amount: money(refund.amount_minor, refund.currency),
    ...(paidAmount ? { paidAmount } : {}),
    playerRef: refund.player_id,
    channelId: refund.channel_id,
    createdAt: refund.created_at.getTime(),
  };
}

async function askProvider(deps: RefundDeps, refund: LeasedRefund): Promise<RefundOutcome> {
  const account = deps.payments.account(refund.provider);
  const refused = (reason: string): RefundOutcome => ({ status: 'failed', refundProviderRef: null, reason });
  if (!account) return { status: 'unknown', refundProviderRef: null, reason: 'the provider has no credentials here' };
  if (!account.provider.refund) return refused('this provider cannot refund by itself');
  const payment = toPayment(refund, await findPaidAmount(deps.db, refund));
  try {
    return await account.provider.refund(account.context, payment, `${payment.reference}-refund`);
  } catch (error) {
    if (!(error instanceof OutboundError))
      deps.log.error({ err: error, billing_no: refund.billing_no }, 'a refund failed inside the adapter');
    return { status: 'unknown', refundProviderRef: null, reason: (error as Error).message };
  }
}

/**
 * Asks games to revoke goods.
 * @returns true: more may be due
 */
export async function processDueRevocations(deps: RefundDeps): Promise<boolean> {
  const revocations = await leaseRevocations(deps.db, MAX_BATCH_SIZE, LEASE_SECONDS);
  await allAtOnce(revocations, (revocation) => revokeGoods(deps, revocation));
  return revocations.length === MAX_BATCH_SIZE;
}

async function revokeGoods(deps: RefundDeps, revocation: LeasedRevocation): Promise<void> {
  const outcome = await askGame(deps, revocation);
  const retrySeconds = outcome.kind === 'unknown' ? retryInSeconds(revocation.tries, 0) : null;
  if (outcome.kind !== 'done')
    deps.log.warn(
      { billing_no: revocation.billing_no, reason: outcome.reason },
      outcome.kind === 'unknown' ? 'revocation call failed; will retry' : 'the game declined a revocation',
    );
  await finishRevocation(deps.db, revocation, {
    kind: outcome.kind,
    error: outcome.kind === 'done' ? null : outcome.reason,
    retrySeconds,
  });
}

async function askGame(deps: RefundDeps, revocation: LeasedRevocation) {
  const game = deps.games.gameServer(revocation.game_id);
  if (!game) return { kind: 'unknown' as const, reason: 'no address is set for the game' };
  return game
    .revoke(revocation.billing_no, revocation.reason, (await findReplenishOf(deps.db, revocation)) ?? undefined)
    .catch((error: Error) => ({ kind: 'unknown' as const, reason: error.message }));
}
