// KakaoPay single payment: the verbs of the payment port. There is no webhook; the player brings a token, and
// only our approve takes money.
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
import { isPayLink } from '#kernel/pay-link.ts';
import { isCertainRefusal } from '#server/providers/payments/kit/certainty.ts';
import { isSameMoney, paidOf } from '#server/providers/payments/kit/refund.ts';
import { asRead, pendingReport, unreadableReport } from '#server/providers/payments/kit/report.ts';
import { wordAt } from '#server/providers/payments/kit/json.ts';
import { apiBase, apiHosts, payHosts, settings } from './settings.ts';
import {
  failRefund,
  isPassing,
  orderStatus,
  readApproval,
  readFault,
  readOrder,
  readReady,
  readRefund,
  refuse,
  reportApproval,
  reportOrder,
  supportsCurrency,
  writeAmount,
  writeApprove,
  writeCancel,
  writeReady,
} from './wire.ts';

/** The page lives 15 minutes; five more for an approve on its way. @source developers.kakaopay.com, "ready" */
const PAYABLE_SECONDS = 20 * 60;

/** KakaoPay itself gives up after 11 s. @source developers.kakaopay.com, time-outs */
const TIMEOUT_MS = 15_000;

/**
 * A tid of no payment. UNSURE: with which code it is refused; every one but those about key and
 * CID tells that both are known.
 */
const NO_TID = 'T0000000000000000000';

export const kakao: PaymentProvider = {
  name: 'kakao',
  settings,
  amountForm: 'minor-units',
  supportsCurrency,
  accountOf: (given) => given['CID'] ?? null,
  apiHosts,
  payHosts,
  payableForSeconds: PAYABLE_SECONDS,
  signedHeaders: [],

  async create(context, input): Promise<CreateOutcome> {
    const amount = writeAmount(input.amount);
    if (amount === null) return refuse(input.amount);
    const body = writeReady(input, cidOf(context), amount);
    if (body === null) return { kind: 'refused', reason: 'the return address is longer than KakaoPay takes' };
    try {
      return readCreated(context, await call(context, 'ready', body), input.device.isMobile);
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return { kind: error.wasSent ? 'unknown' : 'refused', reason: error.message };
    }
  },

  query: queryOrder,

  async readCallback() {
    const answer = { status: 404, contentType: 'text/plain', body: '' };
    return { kind: 'invalid', reason: 'KakaoPay sends no callbacks', answer };
  },

  readReturn: (_context, raw) => ({ approval: readToken(raw.query['pg_token']) }),

  async capture(context, payment) {
    const amount = writeAmount(payment.amount);
    const { providerRef, approval } = payment;
    if (providerRef === null || approval === null || amount === null)
      return pendingReport(payment, 'nothing to approve');
    let reason: string;
    let unreadable: PaymentReport | null = null;
    try {
      const body = writeApprove(payment, providerRef, cidOf(context), amount);
      const { status, text } = await call(context, 'approve', body);
      const approved = status === 200 ? readApproval(text) : null;
      const report = approved && asRead(reportApproval(approved), text);
      if (report?.status === 'paid') return report;
      reason = readFault(text) ?? `KakaoPay answered ${status} to the approval`;
      // Only an approval has an `aid`: the money was taken, whatever else is missing.
      const isTaken = status === 200 && wordAt(text, 'aid') !== undefined;
      unreadable = report ?? (isTaken ? unreadableReport(payment, 'paid', reason, text) : null);
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      reason = error.message;
    }
    // Neither a refusal (-702 is "approved before") nor silence tells; the payment itself does.
    const asked = await askOrder(context, payment, providerRef);
    if (asked.status === 'paid') return asked;
    return unreadable ?? (asked.status === 'pending' ? pendingReport(payment, reason) : asked);
  },

  async refund(context, payment): Promise<RefundOutcome> {
    const amount = writeAmount(payment.amount);
    const outcome = (status: 'failed' | 'unknown', reason: string) =>
      ({ status, refundProviderRef: null, reason }) as const;
    if (amount === null) return failRefund(payment.amount);
    const tid = payment.providerRef ?? payment.captureRef;
    if (tid === null) return outcome('failed', 'the tid of the payment is not known');
    try {
      const { status, text } = await call(context, 'cancel', writeCancel(tid, cidOf(context), amount));
      const done = readRefund(status, text, payment.amount);
      if (done) return done;
      const reason = readFault(text);
      if (status < 400 || status >= 500 || reason === null)
        return outcome('unknown', `KakaoPay answered ${status} to the cancellation`);
      // A refusal is no proof: a repeat finds nothing left to cancel.
      const order = await askOrder(context, payment, tid);
      // Of parts and rest together: when all of the payment went back, so did this.
      if (order.status === 'refunded' && isSameMoney(order.amount, paidOf(payment)))
        return { status: 'done', refundProviderRef: null, reason: 'cancelled before' };
      const isKnown = order.status !== 'pending' && order.status !== 'unknown';
      const isFinal = isKnown && isCertainRefusal(status) && !isPassing(reason);
      return outcome(isFinal ? 'failed' : 'unknown', reason);
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return outcome('unknown', error.message);
    }
  },

  async check(context): Promise<CheckOutcome> {
    const { status, text } = await call(context, 'order', JSON.stringify({ cid: cidOf(context), tid: NO_TID }));
    const fault = readFault(text);
    const reason = `KakaoPay answered ${status}: ${fault ?? 'nothing readable'}`;
    if (status === 401 || status === 403 || /^-40[013]\b/.test(fault ?? ''))
      return { kind: 'refused', reason, lookAt: ['SECRET_KEY'] };
    if (/^-731\b/.test(fault ?? '')) return { kind: 'refused', reason, lookAt: ['CID', 'SECRET_KEY'] };
    const isAnswer = readOrder(text) !== null || (fault !== null && status < 500 && !isPassing(fault));
    return isAnswer ? { kind: 'ok', said: reason, proven: ['SECRET_KEY', 'CID'] } : { kind: 'unreachable', reason };
  },
};

function call(
  context: ProviderContext,
  verb: 'ready' | 'approve' | 'order' | 'cancel',
  body: string,
): Promise<OutboundAnswer> {
  return context.outbound(`${apiBase(context.settings, context.environment)}/online/v1/payment/${verb}`, {
    method: 'POST',
    headers: {
      authorization: `SECRET_KEY ${context.settings['SECRET_KEY'] ?? ''}`,
      'content-type': 'application/json',
      accept: 'application/json',
    },
    body,
    timeoutMs: TIMEOUT_MS,
  });
}

function cidOf(context: ProviderContext): string {
  return context.settings['CID'] ?? '';
}

/**
 * A token of the return address: a capability, so it goes nowhere but into `approve`. UNSURE: its
 * length; 20 hex digits in the guide.
 */
function readToken(given: string | undefined): string | null {
  return given !== undefined && /^[A-Za-z0-9_-]{1,200}$/.test(given) ? given : null;
}

function readCreated(context: ProviderContext, { status, text }: OutboundAnswer, isMobile: boolean): CreateOutcome {
  const reason = isCertainRefusal(status) ? readFault(text) : null;
  if (reason !== null) return { kind: 'refused', reason: `KakaoPay answered ${status}: ${reason}` };
  const ready = status === 200 ? readReady(text) : null;
  const url = isMobile ? ready?.next_redirect_mobile_url : ready?.next_redirect_pc_url;
  if (!ready || url === undefined) return { kind: 'unknown', reason: `KakaoPay answered ${status} without a pay page` };
  if (!isPayLink(url, payHosts(context.settings), context.environment)) {
    return { kind: 'unknown', reason: 'the pay page points elsewhere' };
  }
  return { kind: 'redirect', url, providerRef: ready.tid };
}

async function askOrder(context: ProviderContext, payment: KnownPayment, tid: string): Promise<PaymentReport> {
  const { status, text } = await call(context, 'order', JSON.stringify({ cid: cidOf(context), tid }));
  const order = status === 200 ? readOrder(text) : null;
  if (order) return asRead(reportOrder(order), text);
  const said = status === 200 ? orderStatus(wordAt(text, 'status')) : 'unknown';
  return unreadableReport(payment, said, `KakaoPay answered ${status} to the query`, text);
}

async function queryOrder(context: ProviderContext, payment: KnownPayment): Promise<PaymentReport> {
  const { providerRef, approval } = payment;
  // Only we approve, and nobody can once the page has died, least of all without its tid.
  const isOver = context.now() - payment.createdAt > PAYABLE_SECONDS * 1000;
  const expired = (report: PaymentReport) =>
    ({ ...report, status: 'expired', reason: 'not approved in time' }) as const;
  if (providerRef === null) {
    const lost = pendingReport(payment, 'no tid is known');
    return isOver ? expired(lost) : lost;
  }
  const report = await askOrder(context, payment, providerRef);
  if (report.status !== 'pending') return report;
  if (isOver) return expired(report);
  return approval === null ? report : { ...report, status: 'approved' };
}
