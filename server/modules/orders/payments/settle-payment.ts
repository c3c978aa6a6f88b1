// Asks the provider for the state of a payment: query, check with the game, capture, book. Players' polls, returns and
// payment status polling all end here; the row's timestamp lets one of them through every few seconds.
import type { CheckOutcome } from '#server/modules/games/gameserver.ts';
import { type BillingNo, type PlayerId, attemptRef, readAttemptRef } from '#kernel/ids.ts';
import { money } from '#kernel/money.ts';
import type { GamesService } from '#server/modules/games/service.ts';
import type { KnownPayment, PaymentReport, ProviderContext } from '#server/modules/payments/provider.ts';
import type { PaymentsService, ProviderAccount } from '#server/modules/payments/service.ts';
import type { Db } from '#server/platform/database/db.ts';
import { recordExchange } from '#server/platform/outbound/outbound-record.ts';
import { type AttemptRow, leaseQuery } from './attempt-store.ts';
import { type BookDeps, bookReport } from './book-report.ts';
import { leaseCapture, releaseCapture } from './capture-store.ts';
import { isUnpaid } from '#server/modules/orders/rules.ts';
import type { ReportOutcome } from '#server/modules/orders/payments/report-store.ts';

export type SettleDeps = BookDeps & {
  readonly db: Db;
  readonly games: GamesService;
  readonly payments: PaymentsService;
};

/**
 * One question to the provider per order in this time, whatever the number of polling tabs.
 * @source docs/decisions/0003
 */
export const QUERY_EVERY_SECONDS = 5;

/** Our choice: the slowest approval we know (Naver Pay, 60 s) and the questions after it. */
const CAPTURE_SECONDS = 90;

type Attempt = { playerId: PlayerId; billingNo: BillingNo; attemptNo: number | null };

/**
 * @param isExpiring close it: cancel at the provider, or give up once it can certainly not be paid any more
 * @returns what was booked, or null when nobody needed to ask
 */
export async function settlePayment(
  deps: SettleDeps,
  attempt: Attempt,
  options: { isExpiring?: boolean; everySeconds?: number } = {},
): Promise<ReportOutcome | null> {
  const row = await leaseQuery(deps.db, attempt, options.everySeconds ?? QUERY_EVERY_SECONDS);
  return row && settleLeased(deps, row, options.isExpiring ?? false);
}

/**
 * The same for an attempt whose question is leased already.
 * @throws when the provider did not answer, or the answer could not be booked
 */
export async function settleLeased(
  deps: SettleDeps,
  row: AttemptRow,
  isExpiring = false,
): Promise<ReportOutcome | null> {
  const account = deps.payments.account(row.provider);
  if (!account) {
    deps.log.error(
      { billing_no: row.billing_no, provider: row.provider },
      'payment status unknown: the provider has no credentials here',
    );
    return null;
  }
  const payment = toKnownPayment(row);
  const record = recordExchange(account.context.outbound, account.provider.personalFields);
  const context: ProviderContext = { ...account.context, outbound: record.outbound };
  const asked = await account.provider.query(context, payment);
  let report = asked.status === 'approved' ? await captureApproved(deps, row, account, context, payment, asked) : asked;
  if (!report) return null;
  if (isExpiring && isCloseable(report)) report = await closeUnpaid(row, account, context, payment, report);
  if (report.status === 'unknown') {
    // Polling goes on. Once nothing can be paid any more and the last answer still was not understood, a person
    // decides: it may be money.
    if (!isExpiring || !row.is_past_payable) {
      deps.log.warn(
        { billing_no: row.billing_no, provider: row.provider, reason: report.reason },
        'payment answer not understood; will ask again',
      );
      return null;
    }
    report = { ...report, status: 'paid_unreadable', reason: `last answer not understood: ${report.reason ?? ''}` };
  }
  if (report.status === 'pending') return null;
  return bookAnswer(deps, account, {
    report,
    billingNo: row.billing_no,
    attemptNo: row.attempt_no,
    exchange: { settle: record.exchange() },
  });
}

/** Books a report that answers our own question. */
function bookAnswer(
  deps: SettleDeps,
  { provider, context }: ProviderAccount,
  input: { report: PaymentReport; billingNo: BillingNo; attemptNo: number; exchange: unknown },
): Promise<ReportOutcome> {
  return bookReport(deps, {
    provider: provider.name,
    report: input.report,
    billingNo: input.billingNo,
    attemptNo: input.attemptNo,
    isOurMerchant:
      isOurMerchant({ provider, context }, input.report) &&
      isSameReference(input.report, input.billingNo, input.attemptNo),
    callback: null,
    exchange: input.exchange,
  });
}

/** True unless the report names another merchant account than the one our credentials belong to. */
export function isOurMerchant(
  { provider, context }: Pick<ProviderAccount, 'provider' | 'context'>,
  report: PaymentReport,
): boolean {
  const own = provider.accountOf(context.settings);
  return own === null || report.merchantAccount === null || report.merchantAccount === own;
}

function isSameReference(report: PaymentReport, billingNo: BillingNo, attemptNo: number): boolean {
  const named = report.reference === null ? null : readAttemptRef(report.reference);
  return report.reference === null || (named?.billingNo === billingNo && named.attemptNo === attemptNo);
}

/**
 * Money is taken only after the game has said that this character can receive this product. Two may get here, and get
 * two answers: one of them decides. Else one gives the payment up while the other takes the money; and what a browser
 * brought works once, a second call may even undo the first.
 * @returns null when another process decides
 */
async function captureApproved(
  deps: SettleDeps,
  row: AttemptRow,
  account: ProviderAccount,
  context: ProviderContext,
  payment: KnownPayment,
  approved: PaymentReport,
): Promise<PaymentReport | null> {
  if (!account.provider.capture) return approved;
  const leaseThis = () => leaseCapture(deps.db, row, CAPTURE_SECONDS);
  // Paid another way meanwhile, or closed: money taken now would only have to be given back.
  if (!isUnpaid(row.order_state))
    return (await leaseThis()) ? { ...approved, status: 'failed', reason: `the order is ${row.order_state}` } : null;
  const recipient = {
    clientId: row.client_id,
    userId: row.suid,
    serverId: row.server_id,
    areaId: row.area_id,
    roleId: row.role_id,
  };
  // A make-up payment hands nothing over.
  const check: CheckOutcome = row.replenish_id
    ? { kind: 'ok' }
    : await deps.games.checkGrant(row.game_id, recipient, row.product_id);
  // The game is silent: the approval waits for the next poll.
  if (check.kind === 'unknown') return { ...approved, status: 'pending', reason: check.reason };
  const lease = await leaseThis();
  if (!lease) return null;
  if (check.kind === 'declined') {
    deps.log.warn(
      { billing_no: row.billing_no, reason: check.reason },
      'the game cannot deliver this; the money was not taken',
    );
    return { ...approved, status: 'failed', reason: `game_declined: ${check.reason}` };
  }
  const known = { ...payment, providerRef: approved.providerRef ?? payment.providerRef };
  let report: PaymentReport | null = null;
  try {
    report = await account.provider.capture(context, known);
  } finally {
    // Kept while it is booked.
    if (report?.status !== 'paid') await releaseCapture(deps.db, row, lease);
  }
  return report;
}

/** Expiry closes only a payment that certainly is not paid: an answer that was not understood is never closed. */
function isCloseable(report: PaymentReport): boolean {
  return report.status === 'pending';
}

async function closeUnpaid(
  row: AttemptRow,
  account: ProviderAccount,
  context: ProviderContext,
  payment: KnownPayment,
  pending: PaymentReport,
): Promise<PaymentReport> {
  if (account.provider.cancel && payment.providerRef) {
    const closed = await account.provider.cancel(context, payment);
    if (!isCloseable(closed)) return closed;
  }
  return row.is_past_payable ? { ...pending, status: 'expired', reason: 'not paid in time' } : pending;
}

/** The payment of an attempt as its provider knows it. */
export function toKnownPayment(row: AttemptRow): KnownPayment {
  return {
    reference: attemptRef(row.billing_no, row.attempt_no),
    providerRef: row.provider_ref,
    captureRef: row.capture_ref,
    approval: row.approval,
    amount: money(row.amount_minor, row.currency),
    playerRef: row.player_id,
    channelId: row.channel_id,
    createdAt: row.created_at.getTime(),
  };
}
