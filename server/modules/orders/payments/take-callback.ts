// A provider's callback: verified over its raw bytes, stored and applied in one statement, acknowledged only then.
import { attemptRef, readAttemptRef } from '#kernel/ids.ts';
import { money } from '#kernel/money.ts';
import type { AccountsService } from '#server/modules/accounts/service.ts';
import type {
  CallbackAnswer,
  CallbackEvent,
  CallbackReading,
  ProviderContext,
  RawCallback,
  StatementLine,
} from '#server/modules/payments/provider.ts';
import type { PaymentsService, ProviderAccount } from '#server/modules/payments/service.ts';
import { type Db, isDatabaseDown, query } from '#server/platform/database/db.ts';
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
import { isOurMerchant } from './settle-payment.ts';
import type { ReportOutcome } from '#server/modules/orders/payments/report-store.ts';
import {
  type CallbackRecord,
  LONG_ENOUGH_SECONDS,
  type ProvenCallback,
  type UnprovenCallback,
} from '#server/modules/orders/record/callback-record.ts';
import { maskEvents, readWholeCallback, type StoredCallback, toStoredCallback } from './stored-callback.ts';

export type CallbackDeps = BookDeps & {
  readonly db: Db;
  readonly accounts: AccountsService;
  readonly payments: PaymentsService;
  /** Keeps callbacks that the database cannot store; null: they are not kept. */
  readonly record: CallbackRecord | null;
  readonly now: () => number;
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
      if (deps.record && (await isDatabaseAway(deps.db)))
        await deps.record.keepUnproven(providerName, raw, account.provider.signedHeaders);
      return UNAVAILABLE;
    case 'invalid':
      await countRefused(deps, account, raw, reading.reason);
      return reading.answer;
    case 'question':
      return (await deps.accounts.isLivePlayer(reading.playerRef)) ? reading.yes : reading.no;
    case 'statement':
      return reading.answer(await readStatement(deps.db, providerName, reading.wanted));
    case 'ignored':
      return reading.answer;
    case 'events': {
      const stored = toStoredCallback(raw, account.provider);
      const events = maskEvents(reading.events, account.provider);
      try {
        await applyEvents(deps, account, events, stored);
      } catch (error) {
        // The provider hears what it would hear without a record, so that it sends again; one that soon gives up
        // hears that we have it.
        const isKept = await deps.record?.keepProven(providerName, events, stored);
        if (!isKept || doesRepeatLongEnough(account)) throw error;
        return reading.answer;
      }
      observe('callbackSeconds', { provider: providerName }, (performance.now() - arrived) / 1000);
      return reading.answer;
    }
  }
}

/** Returns true when the provider goes on sending, or when nothing says that it stops. */
function doesRepeatLongEnough({ provider }: ProviderAccount): boolean {
  return (provider.repeatsCallbacksForSeconds ?? Infinity) >= LONG_ENOUGH_SECONDS;
}

/** Asked only where a callback could not be proven: it would have been nothing for the database as yet. */
async function isDatabaseAway(db: Db): Promise<boolean> {
  return query(db, 'callback_probe', 'select 1').then(
    () => false,
    (error: unknown) => isDatabaseDown(error),
  );
}

/** Our choice, bytes that are masked and characters that are kept: enough to see which program sent it. */
const REFUSED_READ = 2000;
const REFUSED_KEPT = 500;

async function countRefused(
  deps: CallbackDeps,
  { provider }: ProviderAccount,
  raw: RawCallback,
  reason: string,
): Promise<void> {
  if (!noteSecurity(deps.log, 'callback_refused', { provider: provider.name, ip: raw.ip, reason })) return;
  // A stranger's body is cut before anything reads it: masking costs what it is long.
  const start = raw.body.subarray(0, REFUSED_READ).toString('utf8');
  const sample = maskedText(start, REFUSED_KEPT, provider.personalFields);
  await countRefusedCallback(deps.db, provider.name, reason, sample);
}

/** A callback of the local record. False: its provider has no credentials here any more. */
export async function applyProven(deps: CallbackDeps, one: ProvenCallback): Promise<boolean> {
  const account = deps.payments.account(one.provider);
  if (!account) return false;
  await applyEvents(deps, account, one.events, one.stored);
  return true;
}

/**
 * A callback of the local record that could not be proven when it came. It is looked at as of then: how old a signature
 * may be counts from its arrival.
 */
export async function takeUnproven(
  deps: CallbackDeps,
  one: UnprovenCallback,
  cache: ProviderContext['cache'],
): Promise<'done' | 'later'> {
  const account = deps.payments.account(one.provider);
  if (!account) return 'later';
  const arrivedAt = Date.parse(one.at);
  const raw = readWholeCallback(one.raw);
  const reading = await account.provider.readCallback({ ...account.noticeContext, now: () => arrivedAt, cache }, raw);
  if (reading.kind === 'unavailable') return 'later';
  if (reading.kind === 'invalid') await countRefused(deps, account, raw, reading.reason);
  if (reading.kind === 'events') {
    const stored = toStoredCallback(raw, account.provider);
    await applyEvents(deps, account, maskEvents(reading.events, account.provider), stored);
  }
  return 'done';
}

async function applyEvents(
  deps: CallbackDeps,
  account: ProviderAccount,
  events: readonly CallbackEvent[],
  stored: StoredCallback,
): Promise<void> {
  for (const event of events) await applyEvent(deps, account, event, stored);
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
  stored: StoredCallback,
): Promise<ReportOutcome> {
  const { provider } = account;
  const named = event.report.reference ? readAttemptRef(event.report.reference) : null;
  return bookReport(deps, {
    provider: provider.name,
    report: event.report,
    billingNo: named?.billingNo ?? null,
    attemptNo: named?.attemptNo ?? null,
    isOurMerchant: isOurMerchant(account, event.report),
    callback: { dedupKey: event.dedupKey, ...stored },
  });
}

/**
 * Our choice: each is one statement, so the batch is done long before its lease ends; a dead process's batch is taken
 * up after it.
 */
const WAITING_AT_ONCE = 50;
const WAITING_LEASE_SECONDS = 30;

/** Takes up callbacks that came before their order was committed. */
export async function retryWaitingCallbacks(deps: BookDeps & { readonly db: Db }): Promise<void> {
  for (const waiting of await leaseWaitingCallbacks(deps.db, WAITING_AT_ONCE, WAITING_LEASE_SECONDS)) {
    // One that cannot be applied must not hold up those behind it.
    await applyWaiting(deps, waiting).catch((error: unknown) =>
      deps.log.error({ err: error, provider: waiting.provider }, 'a waiting callback could not be applied'),
    );
  }
}

async function applyWaiting(deps: BookDeps & { readonly db: Db }, waiting: WaitingCallback): Promise<void> {
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
