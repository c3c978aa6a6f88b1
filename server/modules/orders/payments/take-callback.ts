// A provider's callback: verified over its raw bytes, stored and applied in one statement, acknowledged only then.
import { attemptRef, readAttemptRef } from '#kernel/ids.ts';
import { money } from '#kernel/money.ts';
import type { AccountsService } from '#server/modules/accounts/service.ts';
import type {
  CallbackAnswer,
  CallbackEvent,
  CallbackReading,
  RawCallback,
  StatementLine,
} from '#server/modules/payments/provider.ts';
import type { PaymentsService, ProviderAccount } from '#server/modules/payments/service.ts';
import type { Db } from '#server/platform/database/db.ts';
import { observe } from '#server/platform/metrics/metrics.ts';
import { maskedText } from '#server/platform/outbound/outbound-record.ts';
import { noteSecurity } from '#server/platform/security-log.ts';
import {
  type WaitingCallback,
  countRefusedCallback,
  listDelivered,
  leaseWaitingCallbacks,
  markUnmatched,
} from './attempt-store.ts';
import { type BookDeps, bookReport } from './book-report.ts';
import { maskCallback, maskReport } from './mask-callback.ts';
import { isOurMerchant } from './settle-payment.ts';
import type { ReportOutcome } from '#server/modules/orders/payments/report-store.ts';

export type CallbackDeps = BookDeps & {
  readonly db: Db;
  readonly accounts: AccountsService;
  readonly payments: PaymentsService;
};

const UNAVAILABLE: CallbackAnswer = { status: 503, contentType: 'text/plain; charset=utf-8', body: 'try again later' };

/** Null: there is no such provider, the address does not exist. */
export async function takeCallback(
  deps: CallbackDeps,
  providerName: string,
  raw: RawCallback,
): Promise<CallbackAnswer | null> {
  const account = deps.payments.account(providerName);
  if (!account) return null;
  const arrived = performance.now();
  const reading = await account.provider.readCallback(account.noticeContext, raw);
  switch (reading.kind) {
    case 'unavailable':
      noteSecurity(deps.log, 'callback_unchecked', { provider: providerName, ip: raw.ip, reason: reading.reason });
      return UNAVAILABLE;
    case 'invalid': {
      const { reason } = reading;
      if (noteSecurity(deps.log, 'callback_refused', { provider: providerName, ip: raw.ip, reason })) {
        const sample = maskedText(raw.body.toString('utf8'), 500, account.provider.personalFields);
        await countRefusedCallback(deps.db, providerName, reason, sample);
      }
      return reading.answer;
    }
    case 'question':
      return (await deps.accounts.isLivePlayer(reading.playerRef)) ? reading.yes : reading.no;
    case 'statement':
      return reading.answer(await readStatement(deps.db, providerName, reading.wanted));
    case 'ignored':
      return reading.answer;
    case 'events':
      for (const event of reading.events) await applyEvent(deps, account, event, raw);
      observe('callbackSeconds', { provider: providerName }, (performance.now() - arrived) / 1000);
      return reading.answer;
  }
}

async function readStatement(
  db: Db,
  provider: string,
  wanted: Extract<CallbackReading, { kind: 'statement' }>['wanted'],
): Promise<StatementLine[]> {
  const rows = await listDelivered(db, provider, wanted);
  return rows.map((row) => ({
    reference: attemptRef(row.billing_no, row.attempt_no),
    providerRef: row.provider_ref,
    captureRef: row.capture_ref,
    amount: money(row.amount_minor, row.currency),
    playerRef: row.player_id,
    paidAt: row.paid_at.getTime(),
  }));
}

async function applyEvent(
  deps: CallbackDeps,
  account: ProviderAccount,
  event: CallbackEvent,
  raw: RawCallback,
): Promise<ReportOutcome> {
  const { provider } = account;
  const named = event.report.reference ? readAttemptRef(event.report.reference) : null;
  return bookReport(deps, {
    provider: provider.name,
    report: maskReport(event.report, provider),
    billingNo: named?.billingNo ?? null,
    attemptNo: named?.attemptNo ?? null,
    isOurMerchant: isOurMerchant(account, event.report),
    callback: { dedupKey: event.dedupKey, ...maskCallback(raw, provider) },
  });
}

/**
 * Our choice: each is one statement, so the batch is done long before its lease ends; a dead process's batch is taken
 * up after it.
 */
const WAITING_AT_ONCE = 50;
const WAITING_LEASE_SECONDS = 30;

/** Takes up callbacks that came before their order was committed. */
export async function retryWaitingCallbacks(deps: CallbackDeps): Promise<void> {
  for (const waiting of await leaseWaitingCallbacks(deps.db, WAITING_AT_ONCE, WAITING_LEASE_SECONDS)) {
    // One that cannot be applied must not hold up those behind it.
    await applyWaiting(deps, waiting).catch((error: unknown) =>
      deps.log.error({ err: error, provider: waiting.provider }, 'a waiting callback could not be applied'),
    );
  }
}

async function applyWaiting(deps: CallbackDeps, waiting: WaitingCallback): Promise<void> {
  const named = waiting.reference ? readAttemptRef(waiting.reference) : null;
  const outcome = await bookReport(deps, {
    provider: waiting.provider,
    report: waiting.report,
    billingNo: named?.billingNo ?? null,
    attemptNo: named?.attemptNo ?? null,
    isOurMerchant: waiting.report.isOurMerchant ?? null,
    callback: { dedupKey: waiting.dedup_key, headers: {}, body: '' },
  });
  if (outcome.outcome === 'unknown_order' && (await markUnmatched(deps.db, waiting))) {
    const { status, amount, providerRef } = waiting.report;
    deps.log.error(
      {
        alert: 'unmatched_payment',
        provider: waiting.provider,
        status,
        amount_minor: amount?.amountMinor ?? null,
        currency: amount?.currency ?? null,
        reference: waiting.reference,
        provider_ref: providerRef,
      },
      'a verified payment belongs to no order here; it is retried for a day',
    );
  }
}
