// What a provider says of a payment is booked, and what follows from it begins: the delivery, or a person's look.
import type { Queryable } from '#server/platform/database/db.ts';
import type { Log } from '#server/platform/log.ts';
import type { Slot } from '#server/modules/orders/deliveries/deliver.ts';
import type { Steps } from '#server/modules/orders/steps/step-store.ts';
import { type ReportOutcome, applyReport } from '#server/modules/orders/store.ts';

export type BookDeps = {
  readonly log: Log;
  /** Room to call the game from this process; null: none, or another process delivers. */
  readonly reserve: () => Slot | null;
  /** Hears that a delivery was queued. */
  readonly onPaid: () => void;
  /** Hears that a payment was approved: the provider is to be asked at once. */
  readonly onApproved: () => void;
};

/** @param on where it is booked: with other steps, or on the connection of a transaction */
export async function bookReport(
  deps: BookDeps,
  on: Queryable | Steps,
  input: Parameters<typeof applyReport>[1],
): Promise<ReportOutcome> {
  const slot = input.report.status === 'paid' ? deps.reserve() : null;
  let outcome: ReportOutcome | undefined;
  try {
    outcome = await applyReport(on, { ...input, leaseSeconds: slot?.leaseSeconds ?? null });
  } finally {
    slot?.fill(outcome?.delivery ?? null);
  }
  announce(deps, outcome, input.provider);
  return outcome;
}

/** Wakes delivery or payment status polling, and tells a person about what no machine may decide. */
function announce(deps: Omit<BookDeps, 'reserve'>, outcome: ReportOutcome, provider: string): void {
  if ((outcome.outcome === 'paid' || outcome.outcome === 'late_paid') && !outcome.delivery) deps.onPaid();
  if (outcome.outcome === 'approved') deps.onApproved();
  if (
    outcome.outcome === 'mismatch' ||
    outcome.outcome === 'surplus' ||
    outcome.outcome === 'late_refused' ||
    outcome.outcome === 'partial_refund' ||
    outcome.outcome === 'chargeback'
  ) {
    deps.log.error({ alert: outcome.outcome, billing_no: outcome.billing_no, provider }, 'a payment needs a person');
  }
}
