// Reports on answers that say too little: nothing yet, nothing that could be understood, or
// money that could not be read.
import { createHash } from 'node:crypto';
import type { CallbackEvent, PaymentReport, PaymentStatus } from '#server/modules/payments/provider.ts';
import { maskedText } from '#server/platform/outbound/outbound-record.ts';
import { capped } from './json.ts';

/** As much of a payment as can be told when the provider's answer tells nothing. */
export type About = {
  readonly reference: string | null;
  readonly providerRef?: string | null;
  readonly captureRef?: string | null;
};

/** Our choice: enough for a person to see what came, little enough for a row. */
const MAX_RAW = 4000;

export function bareReport(payment: About, status: PaymentStatus, reason: string): PaymentReport {
  return {
    status,
    reference: payment.reference,
    providerRef: payment.providerRef ?? null,
    captureRef: payment.captureRef ?? null,
    amount: null,
    merchantAccount: null,
    reason: capped(reason),
  };
}

/** A documented unfinished state, or a payment that nobody could be asked about. */
export function pendingReport(payment: About, reason: string): PaymentReport {
  return bareReport(payment, 'pending', reason);
}

/** An answer that could not be understood. @param raw its text */
export function unknownReport(payment: About, reason: string, raw: string): PaymentReport {
  return withRaw(bareReport(payment, 'unknown', reason), raw);
}

/** Statuses that mean: there is, or was, money for this reference. */
const MONEY: ReadonlySet<PaymentStatus> = new Set<PaymentStatus>([
  'paid',
  'paid_unreadable',
  'refunded',
  'refund_failed',
  'chargeback',
]);

/**
 * An answer whose shape does not fit, judged by its status word alone: money that cannot be read, or
 * nothing that was understood.
 * @param status what the word means; `unknown` when there is none
 * @param what came: "Adyen answered 200 to the query"
 * @param raw the answer's text
 */
export function unreadableReport(payment: About, status: PaymentStatus, what: string, raw: string): PaymentReport {
  return MONEY.has(status)
    ? withRaw(bareReport(payment, 'paid_unreadable', `${what}: ${status}, in a shape that could not be read`), raw)
    : unknownReport(payment, `${what}, which could not be understood`, raw);
}

/**
 * A verified callback whose shape does not fit; null when it names neither money nor a payment.
 * Equal bodies have equal keys.
 */
export function unreadableEvent(
  payment: About,
  status: PaymentStatus,
  what: string,
  body: Buffer,
): CallbackEvent | null {
  const isNamed = payment.reference !== null || (payment.providerRef ?? null) !== null;
  if (!isNamed && !MONEY.has(status)) return null;
  return {
    dedupKey: `unreadable:${createHash('sha256').update(body).digest('hex')}`,
    report: unreadableReport(payment, status, what, body.toString('utf8')),
  };
}

/** The meaning of a word of the provider's; `unknown` for one that the table does not have. */
export function statusIn(table: Readonly<Record<string, PaymentStatus>>, word: string | undefined): PaymentStatus {
  return word !== undefined && Object.hasOwn(table, word) ? (table[word] ?? 'unknown') : 'unknown';
}

/**
 * A report as the port wants it: paid without an amount is `paid_unreadable`, and what was not
 * understood carries its text.
 * @param raw the answer or callback it was read from
 */
export function asRead(report: PaymentReport, raw: string): PaymentReport {
  if (report.status === 'paid' && report.amount === null) {
    const reason = capped(`paid, but its amount could not be read: ${report.reason ?? 'no status'}`);
    return withRaw({ ...report, status: 'paid_unreadable', reason }, raw);
  }
  if (report.status === 'paid_unreadable') return withRaw(report, raw);
  if (report.status !== 'unknown') return report;
  return withRaw({ ...report, reason: capped(`not a known status: ${report.reason ?? 'none'}`) }, raw);
}

function withRaw(report: PaymentReport, raw: string): PaymentReport {
  return { ...report, raw: maskedText(raw, MAX_RAW) };
}
