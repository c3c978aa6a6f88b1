// Takes in what a provider says of a payment (sql/receive_report.sql), by way of steps/steps.ts, which decides whether
// it shares a transaction.
import type { BillingNo, GameId, PlayerId } from '#kernel/ids.ts';
import type { Currency } from '#kernel/money.ts';
import type { PaymentReport } from '#server/modules/payments/provider.ts';
import type { Queryable } from '#server/platform/database/db.ts';
import type { RecoveryFacts } from '#server/modules/orders/recovery/recovery-store.ts';
import type { SoldProduct } from '#server/modules/orders/store.ts';
import { type Step, runStep } from '#server/modules/orders/steps/step-store.ts';

export type LeasedDelivery = {
  readonly player_id: PlayerId;
  readonly billing_no: BillingNo;
  readonly game_id: GameId;
  readonly tries: number;
  readonly client_id: string;
  readonly suid: string;
  readonly server_id: string;
  readonly area_id: string;
  readonly role_id: string;
  readonly product_id: string;
  readonly product: SoldProduct;
  readonly amount_minor: number;
  readonly currency: Currency;
  /**
   * The order is rebuilt from these facts after a restored backup (recovery-text.ts); null: a version before leased it.
   */
  readonly facts?: RecoveryFacts | null;
};

export type ReportOutcome = {
  readonly outcome:
    | 'duplicate'
    | 'unknown_order'
    | 'paid'
    | 'late_paid'
    | 'late_refused'
    | 'overpayment'
    | 'mismatch'
    | 'foreign_merchant'
    | 'unreadable'
    | 'approved'
    | 'declined'
    | 'partial_refund'
    | 'closed'
    | 'refunded'
    | 'refund_failed'
    | 'chargeback'
    | 'noted';
  readonly player_id?: PlayerId;
  readonly billing_no?: BillingNo;
  readonly attempt_no?: number;
  readonly game_id?: GameId;
  /** Leased in the same step: the game may be called now. */
  readonly delivery?: LeasedDelivery;
};

/** `callback`: null for the answer to our own question; else it is kept in the same step. */
export type ReportInput = {
  readonly provider: string;
  readonly report: PaymentReport;
  readonly billingNo: BillingNo | null;
  readonly attemptNo: number | null;
  /** The answer names our merchant account; null when that is not known, and then nothing is booked. */
  readonly isOurMerchant: boolean | null;
  readonly callback: {
    readonly dedupKey: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  } | null;
  readonly exchange?: unknown;
  readonly mustNotify: boolean;
  /** Given by a process with room to call the game: a payment leases its delivery at once, for so long. */
  readonly leaseSeconds?: number | null;
};

export function receiveReportStep(input: ReportInput): Step<ReportOutcome> {
  const { report, callback, isOurMerchant } = input;
  const values = {
    billing_no: input.billingNo,
    attempt_no: input.attemptNo,
    provider: input.provider,
    status: report.status,
    is_our_merchant: isOurMerchant,
    provider_ref: report.providerRef,
    capture_ref: report.captureRef,
    amount_minor: report.amount?.amountMinor ?? null,
    currency: report.amount?.currency ?? null,
    reason: report.reason,
    exchange: input.exchange ?? null,
    callback: callback && {
      dedup_key: callback.dedupKey,
      reference: report.reference,
      report: { ...report, isOurMerchant },
      headers: callback.headers,
      body: callback.body,
    },
    lease_seconds: input.leaseSeconds ?? null,
    must_notify: input.mustNotify,
  };
  return { name: 'receive_report', values, owner: input.billingNo ?? '' };
}

export const receiveReport = (db: Queryable, input: ReportInput): Promise<ReportOutcome> =>
  runStep(db, receiveReportStep(input));
