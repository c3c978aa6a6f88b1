// Books what a provider says of a payment, and begins what follows from it: the delivery, the capture, or manual
// review.
import { decodeTime } from 'ulid';
import { isBillingNo } from '#kernel/ids.ts';
import type { Log } from '#server/platform/log.ts';
import { countEvent, observe } from '#server/platform/metrics/metrics.ts';
import type { Slot } from '#server/modules/orders/deliveries/deliver.ts';
import type { Steps } from '#server/modules/orders/steps/steps.ts';
import type { ReportInput, ReportOutcome } from '#server/modules/orders/payments/report-store.ts';

export type BookDeps = {
  readonly log: Log;
  readonly steps: Pick<Steps, 'receiveReport'>;
  /** Room to call the game from this process; null: none, or another process delivers. */
  readonly reserve: () => Slot | null;
  /** Called when a delivery was queued. */
  readonly onPaid: () => void;
  /** Called when a payment was approved: the provider is to be asked at once. */
  readonly onApproved: () => void;
  /** Is true when other processes must hear of it as well. */
  readonly mustNotify: boolean;
};

export async function bookReport(
  deps: BookDeps,
  input: Omit<ReportInput, 'leaseSeconds' | 'mustNotify'>,
): Promise<ReportOutcome> {
  const slot = input.report.status === 'paid' ? deps.reserve() : null;
  const { mustNotify } = deps;
  let leased: ReportOutcome['delivery'];
  try {
    const leaseSeconds = slot?.leaseSeconds ?? null;
    const outcome = await deps.steps.receiveReport({ ...input, mustNotify, leaseSeconds });
    leased = outcome.delivery;
    measure(outcome, input);
    announce(deps, outcome, input.provider);
    return outcome;
  } finally {
    slot?.fill(leased ?? null);
  }
}

function measure(
  { billing_no, outcome }: ReportOutcome,
  { callback, provider }: Pick<ReportInput, 'callback' | 'provider'>,
) {
  countEvent('reports', { provider, source: callback ? 'callback' : 'answer', outcome });
  // The number of an order holds the moment at which it was placed.
  if (billing_no && isBillingNo(billing_no) && (outcome === 'paid' || outcome === 'late_paid'))
    observe('timeToPaid', { provider }, Math.max(0, Date.now() - decodeTime(billing_no)) / 1000);
}

const MANUAL_REVIEW: ReadonlySet<ReportOutcome['outcome']> = new Set([
  'mismatch',
  'foreign_merchant',
  'unreadable',
  'overpayment',
  'late_refused',
  'partial_refund',
  'refund_failed',
  'chargeback',
]);

/** Wakes delivery or payment status polling, and alerts about what no machine may decide. */
function announce(deps: BookDeps, { outcome, delivery, billing_no }: ReportOutcome, provider: string): void {
  if ((outcome === 'paid' || outcome === 'late_paid') && !delivery) deps.onPaid();
  if (outcome === 'approved') deps.onApproved();
  if (MANUAL_REVIEW.has(outcome))
    deps.log.error({ alert: outcome, billing_no, provider }, 'payment needs manual review');
}
