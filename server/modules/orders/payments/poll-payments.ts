// Payment status polling: providers are asked about payments that nobody has told us about. The attempt's row is its
// own queue: due rows are leased, asked about with no transaction open, and get their next poll. Woken after an
// approval, by NOTIFY between processes, and by a poll of the table that keeps it correct without either.
import { type Repeat, repeatByTimer } from '#server/platform/repeat.ts';
import { nextPollInSeconds, pollAgainInSeconds } from '#server/modules/orders/rules.ts';
import type { ReportOutcome } from '#server/modules/orders/payments/report-store.ts';
import { type LeasedPoll, leaseDueAttempts, scheduleNextPoll } from './attempt-store.ts';
import { QUERY_EVERY_SECONDS, type SettleDeps, settleLeased } from './settle-payment.ts';

/** A dead process's polls are taken up again after this. @source docs/decisions/0021 */
const LEASE_SECONDS = 30;
/** Floor that keeps polling correct when no wake arrives. */
const POLL_MS = 1000;
/** Our choice: questions at once, and of one provider, so that one that hangs does not hold up the others. */
const SLOTS = 64;
const SLOTS_PER_PROVIDER = 32;

export type PaymentPolling = { start(): void; wake(): void; stop(): Promise<void> };

export function createPaymentPolling(deps: { settle: SettleDeps; repeat?: Repeat | undefined }): PaymentPolling {
  const { settle, repeat = repeatByTimer } = deps;
  const { db, log } = settle;
  const inFlight = new Map<string, number>();
  let calls = 0;
  let isLeasing = false;
  let isWoken = false;
  /** All slots, or those of one provider, were taken at the last lease: more may be due. */
  let isFull = false;
  let isStopped = false;
  let stopPolling: (() => void) | undefined;
  let resolveStop: (() => void) | undefined;

  async function lease(): Promise<void> {
    isWoken = true;
    if (isLeasing) return;
    isLeasing = true;
    try {
      while (isWoken && !isStopped) {
        isWoken = false;
        const counts = [...inFlight];
        const busy = counts.filter(([, count]) => count >= SLOTS_PER_PROVIDER).map(([provider]) => provider);
        const most = Math.max(0, ...counts.map(([, count]) => count).filter((count) => count < SLOTS_PER_PROVIDER));
        const limit = Math.min(SLOTS - calls, SLOTS_PER_PROVIDER - most);
        isFull = limit <= 0 || busy.length > 0;
        if (limit <= 0) break;
        const due = await leaseDueAttempts(db, limit, LEASE_SECONDS, QUERY_EVERY_SECONDS, busy);
        for (const attempt of due) void poll(attempt);
        if (due.length === limit) isWoken = true;
      }
    } catch (error) {
      log.warn({ err: error }, 'due payment polls could not be leased; trying again');
    } finally {
      isLeasing = false;
      resolveIfIdle();
    }
  }

  async function poll(attempt: LeasedPoll): Promise<void> {
    const { provider } = attempt;
    calls += 1;
    inFlight.set(provider, (inFlight.get(provider) ?? 0) + 1);
    try {
      await pollOnce(settle, attempt);
    } finally {
      calls -= 1;
      inFlight.set(provider, (inFlight.get(provider) ?? 1) - 1);
    }
    if (isFull) void lease();
    resolveIfIdle();
  }

  function resolveIfIdle(): void {
    if (isStopped && calls === 0 && !isLeasing) resolveStop?.();
  }

  return {
    start: () => {
      stopPolling = repeat(POLL_MS, () => void lease());
      void lease();
    },
    wake: () => void lease(),
    stop: () =>
      new Promise((resolve) => {
        isStopped = true;
        stopPolling?.();
        resolveStop = resolve;
        resolveIfIdle();
      }),
  };
}

/** After these the attempt is still open, and asked about again. */
const OPEN_OUTCOMES: ReadonlySet<ReportOutcome['outcome']> = new Set([
  'approved',
  'declined',
  'unreadable',
  'foreign_merchant',
  'noted',
  'duplicate',
]);

/** Asks about one leased attempt and writes its next poll; throws nothing. */
async function pollOnce(settle: SettleDeps, attempt: LeasedPoll): Promise<void> {
  const { log } = settle;
  const about = { billing_no: attempt.billing_no, provider: attempt.provider };
  let next: Parameters<typeof scheduleNextPoll>[2];
  try {
    const outcome = await settleLeased(settle, attempt);
    if (outcome && !OPEN_OUTCOMES.has(outcome.outcome)) return;
    next = { inSeconds: nextPollInSeconds(attempt.query_count), isAnswered: true };
  } catch (error) {
    const inSeconds = pollAgainInSeconds(attempt.age_seconds);
    log.warn(
      { err: error, ...about, retry_in_seconds: inSeconds },
      'payment status request failed; polling will retry',
    );
    next = { inSeconds, isAnswered: false };
  }
  await scheduleNextPoll(settle.db, attempt, next).catch((error: unknown) =>
    log.warn({ err: error, ...about }, 'the next payment poll could not be written; its lease will run out'),
  );
}
