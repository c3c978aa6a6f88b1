// PayPal, Orders v2 with redirect: the verbs of the payment port. Shapes and meanings are in wire.ts and webhook.ts.
import { HOUR_SECONDS } from '#kernel/time.ts';
import type {
  CallbackAnswer,
  CheckOutcome,
  CreateOutcome,
  KnownPayment,
  PaymentProvider,
  PaymentReport,
  ProviderContext,
} from '#server/modules/payments/provider.ts';
import { type OutboundAnswer, OutboundError } from '#server/platform/outbound/outbound.ts';
import { capped, wordAt } from '#server/providers/payments/kit/json.ts';
import { isPayLink } from '#kernel/pay-link.ts';
import { isCertainRefusal } from '#server/providers/payments/kit/certainty.ts';
import {
  asRead,
  bareReport,
  pendingReport,
  unknownReport,
  unreadableReport,
} from '#server/providers/payments/kit/report.ts';
import { failRefund, refuse, supportsCurrency, writeAmount } from './amounts.ts';
import { fetchCertificate } from './certificate.ts';
import { askToken, callPayPal, readToken, readTokenFault } from './client.ts';
import { readSettlement } from './settlement.ts';
import { apiHosts, payHosts, settings } from './settings.ts';
import { isSignedBy, readTransmission, readWebhook, signedMessage } from './webhook.ts';
import {
  approvalLink,
  captureIssue,
  orderStatus,
  readFault,
  readOrder,
  readRefund,
  reportOrder,
  writeOrder,
} from './wire.ts';

/** An order nobody approved is gone after this. UNSURE: from memory; no money moves without our capture anyway. */
const PAYABLE_SECONDS = 3 * HOUR_SECONDS;

/** PayPal reads nothing but the status; anything outside 2xx is sent again, 25 times over 3 days. */
const ACCEPTED: CallbackAnswer = { status: 200, contentType: 'text/plain', body: '' };
const NOT_BELIEVED: CallbackAnswer = { status: 401, contentType: 'text/plain', body: '' };

export const paypal: PaymentProvider = {
  name: 'paypal',
  settings,
  amountForm: 'decimal-text',
  supportsCurrency,
  // The token and the webhook id belong to one account, and PayPal's own id of it is no setting of ours.
  accountOf: () => null,
  apiHosts,
  payHosts,
  payableForSeconds: PAYABLE_SECONDS,
  /** @source developer.paypal.com, notification messages: up to 25 times in three days */
  repeatsCallbacksForSeconds: 259_200,
  signedHeaders: [
    'paypal-transmission-id',
    'paypal-transmission-time',
    'paypal-transmission-sig',
    'paypal-cert-url',
    'paypal-auth-algo',
  ],

  async create(context, input): Promise<CreateOutcome> {
    const amount = writeAmount(input.amount);
    if (!amount) return refuse(input.amount);
    try {
      const answer = await callPayPal(context, {
        method: 'POST',
        path: '/v2/checkout/orders',
        body: writeOrder(input, amount),
        requestId: input.reference,
      });
      return readCreated(context, answer.status, answer.text);
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return { kind: error.wasSent ? 'unknown' : 'refused', reason: error.message };
    }
  },

  query: queryOrder,

  async readCallback(context, raw) {
    const invalid = (reason: string) => ({ kind: 'invalid', reason, answer: NOT_BELIEVED }) as const;
    const transmission = readTransmission(raw.headers);
    const webhookId = context.settings['WEBHOOK_ID'];
    if (!transmission || !webhookId) return invalid('a signature header is missing');
    const found = await fetchCertificate(context, transmission.certificateUrl, raw.ip);
    if (found.kind === 'unavailable') return found;
    if (found.kind === 'untrusted') return invalid(found.reason);
    if (!isSignedBy(found.certificate, signedMessage(transmission, webhookId, raw.body), transmission.signature)) {
      return invalid('the signature does not fit the body');
    }
    const reading = readWebhook(raw.body);
    if (!reading) return invalid('the body is no webhook');
    if (reading.kind === 'ignored') return { ...reading, answer: ACCEPTED };
    return { kind: 'events', events: [{ dedupKey: reading.dedupKey, report: reading.report }], answer: ACCEPTED };
  },

  // No request id: an order can be captured once only, and a kept id would repeat a decline after
  // the player chose another card.
  async capture(context, payment) {
    if (payment.providerRef === null) return pendingReport(payment, 'no order id is known');
    const path = `/v2/checkout/orders/${encodeURIComponent(payment.providerRef)}/capture`;
    const answer = await callPayPal(context, { method: 'POST', path, body: '{}' });
    const order = answer.status === 200 || answer.status === 201 ? readOrder(answer.text) : null;
    if (order) return asRead(reportOrder(order), answer.text);
    const what = `PayPal answered ${answer.status} to the capture`;
    const fault = answer.status === 422 ? readFault(answer.text) : null;
    if (!fault) return unreadableReport(payment, statusOfAnswer(answer), what, answer.text);
    const status = captureIssue(fault);
    if (status === null) return queryOrder(context, payment);
    if (status === 'unknown') return unknownReport(payment, fault.reason, answer.text);
    return bareReport(payment, status, fault.reason);
  },

  async refund(context, payment, refundRef) {
    const unknown = (reason: string) => ({ status: 'unknown', refundProviderRef: null, reason }) as const;
    const amount = writeAmount(payment.amount);
    if (!amount) return failRefund(payment.amount);
    try {
      const captureRef = payment.captureRef ?? (await queryOrder(context, payment)).captureRef;
      if (captureRef === null) return unknown('no capture id is known');
      const answer = await callPayPal(context, {
        method: 'POST',
        path: `/v2/payments/captures/${encodeURIComponent(captureRef)}/refund`,
        // Told outright: "everything left" could be less or more than this payment.
        body: JSON.stringify({ amount, custom_id: payment.reference }),
        requestId: refundRef,
      });
      return readRefund(answer.status, answer.text, payment.amount);
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return unknown(error.message);
    }
  },

  async check(context): Promise<CheckOutcome> {
    const { status, text } = await askToken(context);
    const settingNames = ['CLIENT_ID', 'CLIENT_SECRET'];
    if (status === 200 && readToken(text))
      return { kind: 'ok', said: 'PayPal gave an access token', proven: settingNames };
    const fault = isCertainRefusal(status) ? readTokenFault(text) : null;
    if (!fault) return { kind: 'unreachable', reason: `PayPal answered ${status} without an access token` };
    const reason = capped([fault.error, fault.error_description].filter(Boolean).join(': '));
    return { kind: 'refused', reason: `PayPal answered ${status}: ${reason}`, lookAt: settingNames };
  },

  readSettlement,
};

async function queryOrder(context: ProviderContext, payment: KnownPayment): Promise<PaymentReport> {
  if (payment.providerRef === null) return pendingReport(payment, 'no order id is known');
  const path = `/v2/checkout/orders/${encodeURIComponent(payment.providerRef)}`;
  const answer = await callPayPal(context, { method: 'GET', path });
  const order = answer.status === 200 ? readOrder(answer.text) : null;
  if (order) return asRead(reportOrder(order), answer.text);
  // PayPal forgets orders that were never approved. UNSURE: inferred; the age guards against a wrong account's 404.
  const isOld = context.now() - payment.createdAt > PAYABLE_SECONDS * 1000;
  if (answer.status === 404 && isOld && readFault(answer.text)) {
    return bareReport(payment, 'expired', 'PayPal no longer knows the order');
  }
  const what = `PayPal answered ${answer.status} to the query`;
  return unreadableReport(payment, statusOfAnswer(answer), what, answer.text);
}

/** Of an order whose shape does not fit. */
function statusOfAnswer({ status, text }: OutboundAnswer): PaymentReport['status'] {
  return status === 200 || status === 201 ? orderStatus(wordAt(text, 'status')) : 'unknown';
}

function readCreated(context: ProviderContext, status: number, text: string): CreateOutcome {
  if (isCertainRefusal(status)) {
    const fault = readFault(text);
    // The number was used before, so a payment under it may exist.
    if (fault?.issues.includes('DUPLICATE_INVOICE_ID')) return { kind: 'unknown', reason: fault.reason };
    if (fault) return { kind: 'refused', reason: `PayPal answered ${status}: ${fault.reason}` };
  }
  const order = status === 200 || status === 201 ? readOrder(text) : null;
  if (!order) return { kind: 'unknown', reason: `PayPal answered ${status} without an order` };
  const url = approvalLink(order) ?? undefined;
  if (!isPayLink(url, payHosts(context.settings, context.environment), context.environment)) {
    return { kind: 'unknown', reason: 'the approval link is missing or points elsewhere' };
  }
  return { kind: 'redirect', url, providerRef: order.id };
}
