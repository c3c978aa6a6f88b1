// Naver Pay, one-time payment: the verbs of the payment port. There is no webhook; the player brings a payment id,
// and only our apply takes money.
import { HOUR_SECONDS } from '#kernel/time.ts';
import type {
  CheckOutcome,
  CreateOutcome,
  KnownPayment,
  PaymentProvider,
  PaymentReport,
  ProviderContext,
  RefundOutcome,
} from '#server/modules/payments/provider.ts';
import { type OutboundAnswer, OutboundError } from '#server/platform/outbound/outbound.ts';
import { canBelieveCode } from '#server/providers/payments/kit/certainty.ts';
import { isSameMoney, paidOf } from '#server/providers/payments/kit/refund.ts';
import {
  asRead,
  bareReport,
  pendingReport,
  unknownReport,
  unreadableReport,
} from '#server/providers/payments/kit/report.ts';
import { wordAt } from '#server/providers/payments/kit/json.ts';
import { findMovements, type Unreadable } from './history.ts';
import { listMovements } from './list.ts';
import { type Call, post } from './client.ts';
import { apiHosts, payHosts, payPageUrl, settings } from './settings.ts';
import {
  failRefund,
  readApplied,
  readCancelled,
  readFault,
  readHistory,
  readReserved,
  refuse,
  reportMovements,
  supportsCurrency,
  writeAmount,
  writeCancel,
  writeHistoryWindow,
  writeReserve,
} from './wire.ts';

/** Our choice: nothing public says how long a reservation lives; an hour is longer than the page of any wallet. */
const PAYABLE_SECONDS = HOUR_SECONDS;

/** @source public integrations that quote docs.pay.naver.com: apply and cancel may take 60 s */
const SLOW_MS = 60_000;

/**
 * A code of apply after which this payment id can never be paid. @source developers.pay.naver.com,
 * apply: the time to approve is over
 */
const TOO_LATE = 'TimeExpired';

/** Codes of cancel that pass. UNSURE: CancelNotComplete is from memory, and so is that it means "again later". */
const PASSING: ReadonlySet<string> = new Set(['CancelNotComplete', 'PreCancelNotComplete', 'AlreadyOnGoing']);

export const naver: PaymentProvider = {
  name: 'naver',
  settings,
  amountForm: 'minor-units',
  supportsCurrency,
  accountOf: () => null,
  apiHosts,
  payHosts,
  payableForSeconds: PAYABLE_SECONDS,
  signedHeaders: [],

  async create(context, input): Promise<CreateOutcome> {
    const amount = writeAmount(input.amount);
    if (amount === null) return refuse(input.amount);
    try {
      return readCreated(context, await post(context, { path: 'v2/reserve', json: writeReserve(input, amount) }));
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return { kind: error.wasSent ? 'unknown' : 'refused', reason: error.message };
    }
  },

  async query(context, payment) {
    const paymentId = payment.captureRef ?? payment.approval;
    const isOver = context.now() - payment.createdAt > PAYABLE_SECONDS * 1000;
    // Only our apply takes money, and without a payment id there was none.
    if (paymentId === null) return open(payment, 'the player has not come back', isOver);
    const movements = await findMovements(context, payment, paymentId);
    if ('text' in movements) return unreadable(payment, movements);
    const text = JSON.stringify(movements);
    const report = reportMovements(movements);
    if (report && report.status !== 'declined') return asRead(report, text);
    // Movements of a kind nobody knows: neither the end nor a reason to take money.
    if (!report && movements.length > 0)
      return unknownReport(payment, 'Naver Pay names movements of an unknown kind', text);
    if (isOver) return open(payment, 'not approved in time', true);
    return report ?? bareReport(payment, 'approved', 'waits for our apply');
  },

  async readCallback() {
    const answer = { status: 404, contentType: 'text/plain', body: '' };
    return { kind: 'invalid', reason: 'Naver Pay sends no callbacks', answer };
  },

  readReturn: (_context, { query }) => ({
    approval: query['resultCode'] === 'Success' ? readPaymentId(query['paymentId']) : null,
    ...(/^usercancel$/i.test(query['resultCode'] ?? '') && { hasLeft: true }),
  }),

  async capture(context, payment) {
    const { approval } = payment;
    if (approval === null) return pendingReport(payment, 'nothing to apply');
    let fault: { code: string; reason: string };
    let taken: PaymentReport | null = null;
    try {
      // The payment id is the key: the same approval is applied once, another one is another payment.
      const { status, text } = await post(context, {
        path: 'v2.2/apply/payment',
        form: new URLSearchParams({ paymentId: approval }).toString(),
        key: approval,
        timeoutMs: SLOW_MS,
      });
      const failure = readFault(text);
      const movement = failure ? null : readApplied(text);
      const report = movement && reportMovements([movement]);
      if (report && (report.status !== 'paid' || report.amount !== null)) return report;
      // Taken, whatever is missing: the history may tell the rest.
      const isTaken = wordAt(text, 'body', 'detail', 'admissionState') === 'SUCCESS';
      const reason = 'Naver Pay applied the payment';
      taken = report ? asRead(report, text) : isTaken ? unreadableReport(payment, 'paid', reason, text) : null;
      fault = failure ?? { code: '', reason: `Naver Pay answered ${status} to the approval` };
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      fault = { code: '', reason: error.message };
    }
    // AlreadyComplete, AlreadyOnGoing and silence tell nothing; the history does.
    const movements = await findMovements(context, payment, approval);
    if ('text' in movements) return taken ?? unreadable(payment, movements);
    const text = JSON.stringify(movements);
    const report = reportMovements(movements);
    if (report && report.status !== 'paid') return report;
    if (report) return asRead(report, text);
    if (taken) return taken;
    if (movements.length > 0) return unknownReport(payment, 'Naver Pay names movements of an unknown kind', text);
    return bareReport(payment, fault.code === TOO_LATE ? 'declined' : 'pending', fault.reason);
  },

  async refund(context, payment, refundRef): Promise<RefundOutcome> {
    const amount = writeAmount(payment.amount);
    const outcome = (status: 'failed' | 'unknown', reason: string) =>
      ({ status, refundProviderRef: null, reason }) as const;
    if (amount === null) return failRefund(payment.amount);
    if (payment.captureRef === null) return outcome('failed', 'the payment id is not known');
    const call: Call = {
      path: 'v1/cancel',
      form: writeCancel(payment.captureRef, amount),
      key: refundRef,
      timeoutMs: SLOW_MS,
    };
    try {
      const { status, text } = await post(context, call);
      const fault = readFault(text);
      const cancelled = fault ? null : readCancelled(text);
      if (cancelled && status === 200)
        return { status: 'done', refundProviderRef: cancelled.body.payHistId ?? null, reason: null };
      if (!fault || status >= 500) return outcome('unknown', `Naver Pay answered ${status} to the cancellation`);
      // A refusal is no proof: a repeat finds nothing left to cancel.
      const movements = await findMovements(context, payment, payment.captureRef);
      const report = 'text' in movements ? null : reportMovements(movements);
      // Of parts and rest together: when all of the payment went back, so did this.
      if (report?.status === 'refunded' && isSameMoney(report.amount, paidOf(payment)))
        return { status: 'done', refundProviderRef: null, reason: 'cancelled before' };
      return outcome(report && canBelieveCode(status) && !PASSING.has(fault.code) ? 'failed' : 'unknown', fault.reason);
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return outcome('unknown', error.message);
    }
  },

  /** The movements of the last minute: asked with all three credentials, and whatever they are of no interest. */
  async check(context): Promise<CheckOutcome> {
    const json = writeHistoryWindow(context.now() - 60_000, context.now(), 1);
    const { status, text } = await post(context, { path: 'v2.2/list/history', json });
    const names = ['CLIENT_ID', 'CLIENT_SECRET', 'CHAIN_ID'];
    const fault = readFault(text);
    if (status === 200 && !fault && readHistory(text))
      return { kind: 'ok', said: 'Naver Pay told the movements of the last minute', proven: names };
    if (!fault || status >= 500 || status === 429)
      return { kind: 'unreachable', reason: `Naver Pay answered ${status} to the history` };
    return { kind: 'refused', reason: `Naver Pay answered ${status}: ${fault.reason}`, lookAt: names };
  },

  listPaymentsSince: listMovements,
};

/** UNSURE: letters and digits in every public example ("20170201NP1043587746"). */
function readPaymentId(given: string | undefined): string | null {
  return given !== undefined && /^[A-Za-z0-9_-]{1,50}$/.test(given) ? given : null;
}

function readCreated(context: ProviderContext, { status, text }: OutboundAnswer): CreateOutcome {
  const fault = readFault(text);
  if (fault && canBelieveCode(status))
    return { kind: 'refused', reason: `Naver Pay answered ${status}: ${fault.reason}` };
  const reserveId = status === 200 && !fault ? readReserved(text)?.body.reserveId : undefined;
  if (reserveId === undefined) return { kind: 'unknown', reason: `Naver Pay answered ${status} without a reservation` };
  return {
    kind: 'redirect',
    url: payPageUrl(context.settings, context.environment, reserveId),
    providerRef: reserveId,
  };
}

function unreadable(payment: KnownPayment, { isPaid, status, text }: Unreadable): PaymentReport {
  return unreadableReport(payment, isPaid ? 'paid' : 'unknown', `Naver Pay answered ${status} to the history`, text);
}

function open(payment: KnownPayment, reason: string, isOver: boolean): PaymentReport {
  return bareReport(payment, isOver ? 'expired' : 'pending', reason);
}
