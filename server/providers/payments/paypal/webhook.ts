// PayPal's webhooks on the wire: what is signed, and what each event type means to us. Pure: no calls, no clock.
import { verify, type X509Certificate } from 'node:crypto';
import { crc32 } from 'node:zlib';
import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import type { PaymentReport, PaymentStatus } from '#server/modules/payments/provider.ts';
import { capped, wordAt } from '#server/providers/payments/kit/json.ts';
import { asRead, statusIn, unreadableReport } from '#server/providers/payments/kit/report.ts';
import { readAmount } from './amounts.ts';
import { Capture, captureStatus, Order, reader, referenceOf, reportCapture, reportOrder } from './wire.ts';

/** The five headers of a signed message; `authAlgo` is always SHA256withRSA. */
export type Transmission = { id: string; time: string; signature: string; certificateUrl: string };

/**
 * Null when a header is missing or names another algorithm.
 * @source github.com/paypal/paypal-rest-api-specifications notifications_webhooks_v1.json;
 *   lower-case names as Node gives them
 */
export function readTransmission(headers: Readonly<Record<string, string>>): Transmission | null {
  const id = headers['paypal-transmission-id'];
  const time = headers['paypal-transmission-time'];
  const signature = headers['paypal-transmission-sig'];
  const certificateUrl = headers['paypal-cert-url'];
  if (!id || !time || !signature || !certificateUrl) return null;
  if (headers['paypal-auth-algo'] !== 'SHA256withRSA') return null;
  return { id, time, signature, certificateUrl };
}

/**
 * PayPal signs this text. The body enters as the CRC-32 of its raw bytes, as an unsigned decimal number.
 * @source PayPal-Python-SDK and PayPal-Java-SDK, webhook event verification
 */
export function signedMessage(transmission: Transmission, webhookId: string, body: Buffer): string {
  return [transmission.id, transmission.time, webhookId, crc32(body)].join('|');
}

/** RSA with SHA-256; a signature that is no base64 or of a wrong length is false, not an exception. */
export function isSignedBy(certificate: X509Certificate, message: string, signature: string): boolean {
  if (certificate.publicKey.asymmetricKeyType !== 'rsa') return false;
  return verify('sha256', Buffer.from(message), certificate.publicKey, Buffer.from(signature, 'base64'));
}

const Text = Type.Optional(Type.String());
const Envelope = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 256 }),
  event_type: Type.String(),
  resource_type: Text,
  resource: Type.Unknown(),
});

/** @source developer.paypal.com Customer Disputes API. UNSURE: field names are from memory */
const Dispute = Type.Object({
  dispute_life_cycle_stage: Text,
  dispute_amount: Type.Optional(Type.Object({ currency_code: Type.String(), value: Type.String() })),
  reason: Text,
  disputed_transactions: Type.Array(Type.Object({ seller_transaction_id: Text, custom: Text, invoice_number: Text }), {
    minItems: 1,
  }),
});

const order = Compile(Order);
const capture = Compile(Capture);
const dispute = Compile(Dispute);
const readEnvelope = reader(Envelope);

export type WebhookReading =
  | { readonly kind: 'event'; readonly dedupKey: string; readonly report: PaymentReport }
  | { readonly kind: 'ignored'; readonly reason: string };

/**
 * Reads a verified body. Null when it is no webhook of PayPal.
 * @source developer.paypal.com notification messages, event names; dedupe key is the event id
 */
export function readWebhook(body: Buffer): WebhookReading | null {
  const text = body.toString('utf8');
  const envelope = readEnvelope(text);
  if (!envelope) return null;
  const report = reportEvent(envelope);
  if (report === 'unreadable')
    return { kind: 'event', dedupKey: envelope.id, report: unreadableWebhook(envelope.event_type, text) };
  if (report) return { kind: 'event', dedupKey: envelope.id, report: asRead(report, text) };
  return { kind: 'ignored', reason: capped(`${envelope.event_type} is of no interest`) };
}

function reportEvent({
  event_type: type,
  resource,
  resource_type: resourceType,
}: Static<typeof Envelope>): PaymentReport | 'unreadable' | null {
  if (type.startsWith('CHECKOUT.ORDER.')) return order.Check(resource) ? reportOrder(resource) : 'unreadable';
  if (type.startsWith('CUSTOMER.DISPUTE.'))
    return dispute.Check(resource) ? reportDispute(type, resource) : 'unreadable';
  if (!type.startsWith('PAYMENT.CAPTURE.')) return null;
  if (!capture.Check(resource)) return 'unreadable';
  switch (type) {
    case 'PAYMENT.CAPTURE.COMPLETED':
    case 'PAYMENT.CAPTURE.PENDING':
      return reportCapture(resource);
    case 'PAYMENT.CAPTURE.DENIED':
      return reportCapture(resource, 'failed');
    case 'PAYMENT.CAPTURE.REFUNDED':
      return reportReturn(resource, resourceType, resourceType === 'refund' ? refundedBy(resource.status) : 'refunded');
    case 'PAYMENT.CAPTURE.REVERSED':
      return reportReturn(resource, resourceType, 'chargeback');
    case 'PAYMENT.CAPTURE.DECLINED':
      // The player may pay the same order with another card.
      return reportCapture(resource, 'pending');
    default:
      return reportCapture(resource, 'unknown');
  }
}

/** Maps an event type to a status, for a resource that has not the shape it must have. */
const EVENT_STATUS: Readonly<Record<string, PaymentStatus>> = {
  'CHECKOUT.ORDER.COMPLETED': 'paid',
  'PAYMENT.CAPTURE.COMPLETED': 'paid',
  'PAYMENT.CAPTURE.REFUNDED': 'refunded',
  'PAYMENT.CAPTURE.REVERSED': 'chargeback',
  'CUSTOMER.DISPUTE.CREATED': 'chargeback',
  'CUSTOMER.DISPUTE.UPDATED': 'chargeback',
};

function unreadableWebhook(type: string, text: string): PaymentReport {
  const word = (key: string) => wordAt(text, 'resource', key);
  const about = {
    reference: word('custom_id') ?? word('invoice_id') ?? null,
    captureRef: type.startsWith('PAYMENT.CAPTURE.') ? (word('id') ?? null) : null,
  };
  return unreadableReport(about, statusIn(EVENT_STATUS, type), `PayPal sent ${type}`, text);
}

/** The status of a refund, not of a capture. */
function refundedBy(status: string | undefined): PaymentStatus {
  if (status === 'FAILED' || status === 'CANCELLED') return 'refund_failed';
  if (status === 'COMPLETED' || captureStatus(status) === 'refunded') return 'refunded';
  return status === 'PENDING' ? 'pending' : 'unknown';
}

/**
 * Money that went back. PayPal sends either the capture or the refund as the resource; a refund names
 * its capture by the link `up`.
 * The amount is what went back, less than the payment when it was a part: that of a refund is its own, that of a capture
 * the payment's, which tells how much went back only where its status says all of it.
 * UNSURE: which of the two comes with REVERSED.
 */
function reportReturn(
  resource: Static<typeof Capture>,
  resourceType: string | undefined,
  status: PaymentStatus,
): PaymentReport {
  const up = resource.links?.find(({ rel }) => rel === 'up')?.href;
  const named = /\/payments\/captures\/([^/?#]+)$/.exec(up ?? '')?.[1];
  const captureRef = named ?? resource.supplementary_data?.related_ids?.capture_id ?? null;
  const isRefund = resourceType === 'refund' || captureRef !== null;
  return {
    ...reportCapture(resource, status),
    reference: referenceOf(resource),
    captureRef: isRefund ? captureRef : resource.id,
    amount: isRefund || resource.status === 'REFUNDED' ? readAmount(resource.amount) : null,
  };
}

/**
 * An inquiry is a talk between buyer and seller: no money has moved. From the chargeback stage on it counts.
 * What a closed dispute moved is told by PAYMENT.CAPTURE.REVERSED or REFUNDED, so RESOLVED is of no interest.
 */
function reportDispute(type: string, resource: Static<typeof Dispute>): PaymentReport | null {
  const stage = resource.dispute_life_cycle_stage;
  const isOpen = type === 'CUSTOMER.DISPUTE.CREATED' || type === 'CUSTOMER.DISPUTE.UPDATED';
  if (!isOpen || stage === 'INQUIRY' || (type === 'CUSTOMER.DISPUTE.UPDATED' && stage === undefined)) return null;
  const [transaction] = resource.disputed_transactions;
  return {
    status: 'chargeback',
    reference: transaction?.custom ?? transaction?.invoice_number ?? null,
    providerRef: null,
    captureRef: transaction?.seller_transaction_id ?? null,
    amount: readAmount(resource.dispute_amount),
    merchantAccount: null,
    reason: capped(['dispute', stage, resource.reason].filter(Boolean).join(' ')),
  };
}
