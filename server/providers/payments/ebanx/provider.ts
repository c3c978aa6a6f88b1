// EBANX hosted checkout: the verbs of the payment port. Notifications only say whom to ask
// about; ws/query is the truth.
import { DAY_SECONDS } from '#kernel/time.ts';
import type {
  CallbackAnswer,
  CallbackEvent,
  CheckOutcome,
  CreateOutcome,
  CreatePayment,
  KnownPayment,
  PaymentProvider,
  PaymentReport,
  ProviderContext,
  RefundOutcome,
} from '#server/modules/payments/provider.ts';
import { OutboundError } from '#server/platform/outbound/outbound.ts';
import { canBelieveCode } from '#server/providers/payments/kit/certainty.ts';
import { isPayLink } from '#kernel/pay-link.ts';
import { asRead, pendingReport, unreadableReport } from '#server/providers/payments/kit/report.ts';
import { wordAt } from '#server/providers/payments/kit/json.ts';
import { failRefund, refuse, supportsCurrency, writeAmount } from './amounts.ts';
import { ask, type Asked, post } from './client.ts';
import { apiHosts, certificates, checkoutUrl, payerEmail, payHosts, settings } from './settings.ts';
import { isSigned, readNotification } from './webhook.ts';
import {
  countryOf,
  DUPLICATE,
  isNotFound,
  paymentStatus,
  type Payment,
  readFault,
  readQueried,
  readRefund,
  readRequested,
  reportPayment,
  reportRefund,
  tellRefunds,
  writeRequest,
} from './wire.ts';

/**
 * A voucher is paid in a shop or bank days later. @source docs.ebanx.com: boleto is due in three days;
 * one more for its confirmation
 */
const PAYABLE_SECONDS = 4 * DAY_SECONDS;

/** @source developer.ebanx.com, "Payments Notification": 200 with any text */
const OK: CallbackAnswer = { status: 200, contentType: 'text/plain', body: 'OK' };
const NOT_BELIEVED: CallbackAnswer = { status: 401, contentType: 'text/plain', body: '' };

export const ebanx: PaymentProvider = {
  name: 'ebanx',
  settings,
  amountForm: 'decimal-text',
  supportsCurrency,
  accountOf: () => null,
  apiHosts,
  payHosts,
  payableForSeconds: PAYABLE_SECONDS,
  // Of its flat forms. @source developers.ebanx.com, Checkout: name of the customer
  personalFields: ['name'],
  signedHeaders: [
    'x-signature-type',
    'x-signaturetype',
    'x-signature-fingerprint',
    'x-signaturefingerprint',
    'x-signature-content',
    'x-signaturecontent',
  ],

  async create(context, input): Promise<CreateOutcome> {
    const amount = writeAmount(input.amount);
    const country = countryOf(input);
    if (amount === null) return refuse(input.amount);
    if (country === null) return { kind: 'refused', reason: `EBANX does not sell in "${input.country}"` };
    const integrationKey = context.settings['INTEGRATION_KEY'] ?? '';
    const payer = { integrationKey, email: payerEmail(context.settings, input.playerRef), country };
    try {
      const { status, text } = await post(context, 'ws/request', { json: writeRequest(input, amount, payer) });
      const fault = readFault(text);
      if (fault?.code === DUPLICATE) return await takeUp(context, input);
      if (fault && canBelieveCode(status)) return { kind: 'refused', reason: fault.reason };
      const made = status === 200 ? readRequested(text) : null;
      if (!made) return { kind: 'unknown', reason: `EBANX answered ${status} without a payment` };
      return linkTo(context, made.redirect_url ?? '', made.payment.hash);
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return { kind: error.wasSent ? 'unknown' : 'refused', reason: error.message };
    }
  },

  query: async (context, payment) => reportAsked(payment, await ask(context, keyOf(payment))),

  async readCallback(context, raw) {
    const invalid = (reason: string) => ({ kind: 'invalid', reason, answer: NOT_BELIEVED }) as const;
    if (!isSigned(raw, certificates(context.settings))) return invalid('the signature does not fit the body');
    const notification = readNotification(raw.body.toString('utf8'));
    if (!notification) return invalid('the body is no notification');
    if (!notification.isOfInterest)
      return { kind: 'ignored', reason: `${notification.kind} is of no interest`, answer: OK };
    const events: CallbackEvent[] = [];
    for (const hash of notification.hashes) {
      const asked = await ask(context, { hash }).catch((error: unknown) => {
        if (error instanceof OutboundError) return null;
        throw error;
      });
      if (!asked?.report) return { kind: 'unavailable', reason: `EBANX did not say how ${hash.slice(0, 40)} stands` };
      events.push(
        ...eventsOf(notification.kind, hash, asked.stamp, tellBy(notification.kind, asked.report), asked.payment),
      );
    }
    return { kind: 'events', events, answer: OK };
  },

  async cancel(context, payment) {
    try {
      const report = reportAsked(payment, await ask(context, keyOf(payment)));
      // A voucher in the player's hand (PE) can be paid until its day: only a page that nobody finished is closed.
      if (report.status !== 'pending' || report.reason !== 'OP' || report.providerRef === null) return report;
      const { text } = await post(context, 'ws/cancel', { form: { hash: report.providerRef } });
      const cancelled = readQueried(text);
      if (cancelled) return asRead(reportPayment(cancelled.payment), text);
      return reportAsked(payment, await ask(context, keyOf(payment)));
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return pendingReport(payment, error.message);
    }
  },

  async refund(context, payment, refundRef): Promise<RefundOutcome> {
    const amount = writeAmount(payment.amount);
    const outcome = (status: 'failed' | 'unknown', reason: string) =>
      ({ status, refundProviderRef: null, reason }) as const;
    const hash = payment.captureRef ?? payment.providerRef;
    if (amount === null) return failRefund(payment.amount);
    if (hash === null) return outcome('failed', 'the hash of the payment is not known');
    const form = {
      operation: 'request',
      hash,
      amount,
      description: 'Refund of the order',
      merchant_refund_code: refundRef,
    };
    try {
      const { status, text } = await post(context, 'ws/refund', { form });
      const refund = readRefund(text, payment.amount);
      if (refund) return refund;
      const fault = readFault(text);
      if (!fault || status >= 500) return outcome('unknown', `EBANX answered ${status} to the refund`);
      // A refusal is no proof: a repeat finds nothing left to give back, and the first one stands among the refunds.
      const { payment: found } = await ask(context, { hash });
      const known = found?.refunds?.find((one) => one.merchant_refund_code === refundRef);
      if (known) return reportRefund(known, payment.amount);
      return outcome(found ? 'failed' : 'unknown', fault.reason);
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return outcome('unknown', error.message);
    }
  },

  /**
   * A payment that is not there. UNSURE: which code says so; every one but those about the key is
   * told to a merchant who is known.
   * @source docs.ebanx.com, error codes: what is wrong with the key names integration_key
   */
  async check(context): Promise<CheckOutcome> {
    const { status, text } = await post(context, 'ws/query', { form: { merchant_payment_code: 'refill-check' } });
    const fault = readFault(text);
    const reason = `EBANX answered ${status}: ${fault?.reason ?? 'nothing readable'}`;
    if (fault && (fault.code.startsWith('BP-SA') || /integration.?key/i.test(fault.reason)))
      return { kind: 'refused', reason, lookAt: ['INTEGRATION_KEY'] };
    const isAnswer = status < 500 && status !== 429 && (fault !== null || readQueried(text) !== null);
    return isAnswer ? { kind: 'ok', said: reason, proven: ['INTEGRATION_KEY'] } : { kind: 'unreachable', reason };
  },
};

/** The kind of a signed notification adds this to a payment: a dispute that the query does not show yet. */
function tellBy(kind: string, report: PaymentReport): PaymentReport {
  const hasMoney = report.status === 'paid' || report.status === 'refunded';
  return kind === 'chargeback' && hasMoney ? { ...report, status: 'chargeback', amount: null } : report;
}

/**
 * Each refund of the payment is told by itself, under its own name: a query tells the sum of them. One that came to
 * nothing is told when a notification about refunds comes.
 */
function eventsOf(
  kind: string,
  hash: string,
  stamp: string,
  report: PaymentReport,
  payment: Payment | null,
): readonly CallbackEvent[] {
  const isOfRefunds = report.status === 'refunded' || (report.status === 'paid' && kind === 'refund');
  const events = isOfRefunds && payment ? tellRefunds(payment, kind === 'refund') : [];
  if (events.length === 0) return [{ dedupKey: `${kind}:${hash}:${stamp}`, report }];
  return events.map(({ name, status, amount, reason }) => ({
    dedupKey: `${status}:${hash}:${name}`.slice(0, 300),
    report: { ...report, status, amount, reason },
  }));
}

/** Reports the answer to a question: the payment, none of this code, or an answer that says too little. */
function reportAsked(payment: KnownPayment, { report, status, text }: Asked): PaymentReport {
  if (report) return report;
  const fault = readFault(text);
  if (fault && isNotFound(fault)) return pendingReport(payment, fault.reason);
  const said = status === 200 ? paymentStatus(wordAt(text, 'payment', 'status')) : 'unknown';
  return unreadableReport(payment, said, `EBANX answered ${status} to the query`, text);
}

function keyOf({ providerRef, reference }: KnownPayment): Record<string, string> {
  return providerRef === null ? { merchant_payment_code: reference } : { hash: providerRef };
}

/** The payment of a call whose answer was lost: the same code cannot be used twice. */
async function takeUp(context: ProviderContext, input: CreatePayment): Promise<CreateOutcome> {
  const { report, payment } = await ask(context, { merchant_payment_code: input.reference });
  if (!report || !payment)
    return { kind: 'unknown', reason: 'a payment of this code exists, and EBANX does not show it' };
  if (report.status === 'paid' || report.status === 'paid_unreadable') return { kind: 'paid', report };
  if (report.status === 'unknown') return { kind: 'unknown', reason: report.reason ?? 'not understood' };
  if (report.status === 'failed') return { kind: 'refused', reason: 'a payment of this code was cancelled' };
  const isSame =
    report.amount?.amountMinor === input.amount.amountMinor && report.amount.currency === input.amount.currency;
  if (!isSame) return { kind: 'unknown', reason: 'a payment of this code has another amount' };
  return linkTo(context, checkoutUrl(context.settings, context.environment, payment.hash), payment.hash);
}

function linkTo({ settings: given, environment }: ProviderContext, url: string, hash: string): CreateOutcome {
  if (!isPayLink(url, payHosts(given, environment), environment))
    return { kind: 'unknown', reason: 'the pay link is missing or points elsewhere' };
  return { kind: 'redirect', url, providerRef: hash };
}
