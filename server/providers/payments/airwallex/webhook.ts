// Airwallex's webhooks on the wire: what is signed, and what each event means to us. Pure:
// no calls; time is a parameter.
import { createHmac, timingSafeEqual } from 'node:crypto';
import Type, { type Static } from 'typebox';
import type { CallbackEvent, PaymentReport, PaymentStatus } from '#server/modules/payments/provider.ts';
import { capped, reader, wordAt } from '#server/providers/payments/kit/json.ts';
import { asRead, statusIn, unreadableEvent } from '#server/providers/payments/kit/report.ts';
import { readAmount } from './amounts.ts';
import { Refund } from './refund.ts';
import { Intent, reportIntent } from './wire.ts';

const Text = Type.Optional(Type.String());

/**
 * @source airwallex.com/docs webhook payload examples: `account_id` in newer API versions, `accountId` in older ones
 */
const Event = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 128 }),
  name: Type.String({ minLength: 1, maxLength: 128 }),
  account_id: Text,
  accountId: Text,
  data: Type.Object({ object: Type.Object({ id: Text }) }),
});
type Event = Static<typeof Event>;

/** @source npm @airwallex/node-sdk 2.1.0-beta.5, PaymentAcceptancePaymentDispute */
const Dispute = Type.Object({
  id: Type.String(),
  payment_intent_id: Text,
  merchant_order_id: Text,
  amount: Text,
  currency: Text,
  stage: Text,
  status: Text,
});

const about = <Shape extends Type.TSchema>(shape: Shape) =>
  reader(Type.Object({ data: Type.Object({ object: shape }) }));
const readEvent = reader(Event);
const readIntentEvent = about(Intent);
const readRefundEvent = about(Refund);
const readDisputeEvent = about(Dispute);

/**
 * Lower-case hex HMAC-SHA256 over the time and the raw body, nothing between them.
 * @param timestamp the header `x-timestamp` as it came, Unix milliseconds
 * @source airwallex.com/docs webhooks, "Check webhook signatures"
 */
export function sign(timestamp: string, body: Buffer, secret: string): string {
  return createHmac('sha256', secret).update(timestamp, 'utf8').update(body).digest('hex');
}

/** Returns true when `signature` fits under one of the secrets, in constant time. No secret, no belief. */
export function isSignature(
  signature: string | undefined,
  timestamp: string,
  body: Buffer,
  secrets: readonly string[],
): boolean {
  const given = Buffer.from(signature ?? '', 'utf8');
  // Every secret is tried, so that the time taken does not tell which one fitted.
  const fits = secrets.filter((secret) => {
    const wanted = Buffer.from(sign(timestamp, body, secret), 'utf8');
    return wanted.length === given.length && timingSafeEqual(wanted, given);
  });
  return fits.length > 0;
}

/** Returns true when the signed time is near ours, either way. @param now epoch milliseconds */
export function isFresh(timestamp: string, now: number, maxAgeMs: number): boolean {
  return /^\d{1,15}$/.test(timestamp) && Math.abs(now - Number(timestamp)) <= maxAgeMs;
}

/**
 * Events of an intent that say something about the money. `requires_payment_method` also comes when an intent is new:
 * it is a refusal only after an attempt.
 * @source airwallex.com/docs webhooks, event types. UNSURE: the list is partly from memory;
 *   names nobody knows are ignored
 */
const INTENT_EVENTS: Readonly<Record<string, PaymentStatus>> = {
  'payment_intent.requires_payment_method': 'declined',
  'payment_intent.succeeded': 'paid',
  'payment_intent.cancelled': 'failed',
};

const REFUND_EVENTS: Readonly<Record<string, PaymentStatus>> = {
  'refund.settled': 'refunded',
  'refund.succeeded': 'refunded',
  'refund.failed': 'refund_failed',
};

/**
 * A dispute that is only a question of the bank has taken no money yet, and one that ended for us gives it
 * back. UNSURE: words from memory
 */
const HARMLESS_STAGES: ReadonlySet<string> = new Set(['RFI', 'PRE_CHARGEBACK']);
const HARMLESS_ENDS = /\.(?:won|reversed|challenged|closed|cancelled)$/;

/** A verified event; null when the body is none. `event` null: of no interest. */
export function readWebhook(body: Buffer): { name: string; event: CallbackEvent | null } | null {
  const text = body.toString('utf8');
  const event = readEvent(text);
  if (!event) return null;
  const report = reportEvent(event, text);
  if (report === 'unreadable') return { name: event.name, event: unreadableWebhook(event, body) };
  if (!report) return { name: event.name, event: null };
  const dedupKey = keyOf(event, report.status);
  const merchantAccount = event.account_id ?? event.accountId ?? null;
  const reason = capped([event.name, report.reason].filter(Boolean).join(' '));
  return { name: event.name, event: { dedupKey, report: asRead({ ...report, merchantAccount, reason }, text) } };
}

/**
 * A dispute comes back at every step of its life, yet its money is taken once. So does a refund: `refund.succeeded` of
 * older versions and `refund.settled` are one refund, and each part of a payment is a refund with an id of its own.
 * One that failed after all is told beside it.
 */
function keyOf({ id, name, data }: Event, status: PaymentStatus): string {
  const objectId = data.object.id ?? id;
  if (status === 'chargeback') return `dispute:${objectId}`;
  return Object.hasOwn(REFUND_EVENTS, name) ? `refund:${objectId}:${status}` : id;
}

/** An event about money whose object has not the shape it must have: what it names is told all the same. */
function unreadableWebhook({ name }: Event, body: Buffer): CallbackEvent | null {
  const word = (key: string) => wordAt(body.toString('utf8'), 'data', 'object', key) ?? null;
  const known = {
    reference: word('merchant_order_id'),
    providerRef: name.startsWith('payment_intent.') ? word('id') : word('payment_intent_id'),
  };
  const said = statusIn({ ...INTENT_EVENTS, ...REFUND_EVENTS }, name);
  const status = name.startsWith('payment_dispute.') ? 'chargeback' : said;
  return unreadableEvent(known, status, `Airwallex sent ${name}`, body);
}

function reportEvent({ name }: Event, text: string): PaymentReport | 'unreadable' | null {
  if (Object.hasOwn(INTENT_EVENTS, name)) return reportIntentEvent(INTENT_EVENTS[name] ?? 'unknown', text);
  if (Object.hasOwn(REFUND_EVENTS, name)) return reportRefundEvent(REFUND_EVENTS[name] ?? 'unknown', text);
  return name.startsWith('payment_dispute.') && !HARMLESS_ENDS.test(name) ? reportDispute(name, text) : null;
}

/** Name and status must agree: the object is the intent as it is, the name is what happened to it. */
function reportIntentEvent(meant: PaymentStatus, text: string): PaymentReport | 'unreadable' | null {
  const intent = readIntentEvent(text)?.data.object;
  if (!intent) return 'unreadable';
  const report = reportIntent(intent);
  if (meant === 'declined')
    return intent.latest_payment_attempt ? { ...report, status: 'declined', captureRef: null } : null;
  if (report.status === meant) return report;
  // "Succeeded" beside a word that nobody knows is money; beside a known other word it is a contradiction.
  const isPaid = meant === 'paid' && report.status === 'unknown';
  return { ...report, status: isPaid ? 'paid_unreadable' : 'unknown', captureRef: isPaid ? intent.id : null };
}

function reportRefundEvent(status: PaymentStatus, text: string): PaymentReport | 'unreadable' {
  const refund = readRefundEvent(text)?.data.object;
  if (!refund) return 'unreadable';
  return {
    status,
    reference: refund.metadata?.reference ?? null,
    providerRef: refund.payment_intent_id ?? null,
    captureRef: refund.payment_intent_id ?? null,
    amount: readAmount(refund.amount, refund.currency),
    merchantAccount: null,
    reason: refund.status ?? null,
  };
}

function reportDispute(name: string, text: string): PaymentReport | 'unreadable' | null {
  const dispute = readDisputeEvent(text)?.data.object;
  if (!dispute) return 'unreadable';
  // A pre-chargeback that was accepted has paid the money back; every other early stage has moved none.
  const isAccepted = dispute.stage === 'PRE_CHARGEBACK' && name.endsWith('.accepted');
  if (HARMLESS_STAGES.has(dispute.stage ?? '') && !isAccepted) return null;
  return {
    status: 'chargeback',
    reference: dispute.merchant_order_id ?? null,
    providerRef: dispute.payment_intent_id ?? null,
    captureRef: dispute.payment_intent_id ?? null,
    amount: readAmount(dispute.amount, dispute.currency),
    merchantAccount: null,
    reason: [dispute.stage, dispute.status].filter(Boolean).join(' '),
  };
}
