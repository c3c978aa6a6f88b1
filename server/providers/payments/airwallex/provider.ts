// Airwallex payment intents: the verbs of the payment port. Shapes and meanings are in
// wire.ts, refund.ts and webhook.ts.
import { HOUR_SECONDS } from '#kernel/time.ts';
import type {
  CallbackAnswer,
  CheckOutcome,
  CreateOutcome,
  CreatePayment,
  KnownPayment,
  PaymentProvider,
  PaymentReport,
  PaymentStatus,
  ProviderContext,
} from '#server/modules/payments/provider.ts';
import { OutboundError } from '#server/platform/outbound/outbound.ts';
import { isPayLink } from '#kernel/pay-link.ts';
import { asRead, pendingReport, unreadableReport } from '#server/providers/payments/kit/report.ts';
import { listAt, wordAt } from '#server/providers/payments/kit/json.ts';
import { failRefund, refuse, supportsCurrency, writeAmount } from './amounts.ts';
import { askToken, callAirwallex, readToken } from './client.ts';
import { listIntents } from './list.ts';
import { writePage } from './page.ts';
import { findRefund, readRefund, writeRefund } from './refund.ts';
import { apiHosts, isWebhookIp, payHosts, settings, webhookMaxAgeMs, webhookSecrets } from './settings.ts';
import { isFresh, isSignature, readWebhook } from './webhook.ts';
import {
  findIntent,
  type Intent,
  intentStatus,
  isDuplicate,
  isRefusal,
  isWallet,
  readFault,
  readIntent,
  readIntents,
  reportIntent,
  writeCancel,
  writeConfirm,
  writeIntent,
} from './wire.ts';

/**
 * UNSURE: the client secret of the hosted page is said to live for 60 minutes; intents themselves
 * stay open until we cancel them.
 */
const PAYABLE_SECONDS = HOUR_SECONDS;

/** @source airwallex.com/docs webhooks: exactly 200, the body is ignored */
const ACCEPTED: CallbackAnswer = { status: 200, contentType: 'text/plain', body: '' };
const NOT_BELIEVED: CallbackAnswer = { status: 401, contentType: 'text/plain', body: '' };

export const airwallex: PaymentProvider = {
  name: 'airwallex',
  settings,
  amountForm: 'decimal-number',
  supportsCurrency,
  accountOf: (given) => given['ACCOUNT_ID'] ?? null,
  apiHosts,
  payHosts,
  payableForSeconds: PAYABLE_SECONDS,
  /** @source airwallex.com/docs, webhooks overview: about three days */
  repeatsCallbacksForSeconds: 259_200,
  signedHeaders: ['x-signature', 'x-timestamp'],

  async create(context, input): Promise<CreateOutcome> {
    const amount = writeAmount(input.amount);
    if (amount === null) return refuse(input.amount);
    try {
      const made = await openIntent(context, input, amount);
      if ('kind' in made) return made;
      return isWallet(input.channelId)
        ? await confirmWallet(context, input, made)
        : { kind: 'page', providerRef: made.id };
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return { kind: error.wasSent ? 'unknown' : 'refused', reason: error.message };
    }
  },

  async payPage(context, input, providerRef) {
    if (providerRef === null) return { kind: 'closed', reason: 'no payment intent is known' };
    try {
      const { status, text } = await callAirwallex(context, { method: 'GET', path: intentPath(providerRef) });
      const intent = status === 200 ? readIntent(text) : null;
      if (!intent) return { kind: 'closed', reason: `Airwallex answered ${status} to the question for the intent` };
      return writePage(intent, input, context.settings, context.environment);
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return { kind: 'closed', reason: error.message };
    }
  },

  query: queryIntent,

  async readCallback(context, raw) {
    const invalid = (reason: string) => ({ kind: 'invalid', reason, answer: NOT_BELIEVED }) as const;
    if (!isWebhookIp(context.settings, raw.ip)) return invalid('the address is not on the list of webhook addresses');
    const timestamp = raw.headers['x-timestamp'] ?? '';
    if (!isSignature(raw.headers['x-signature'], timestamp, raw.body, webhookSecrets(context.settings)))
      return invalid('the signature does not fit');
    // UNSURE: that a repeated webhook is signed with a time of its own. Were it not, a repeat after minutes would be
    // refused, and asking finds the payment.
    if (!isFresh(timestamp, context.now(), webhookMaxAgeMs(context.settings)))
      return invalid('the signed time is too old');
    const webhook = readWebhook(raw.body);
    if (!webhook) return invalid('the body is no webhook');
    if (webhook.event) return { kind: 'events', events: [webhook.event], answer: ACCEPTED };
    return { kind: 'ignored', reason: `${webhook.name} is of no interest`, answer: ACCEPTED };
  },

  async cancel(context, payment) {
    try {
      const id = payment.providerRef ?? (await findLost(context, payment))?.id;
      if (id === undefined) return pendingReport(payment, 'no payment intent is known');
      const path = `${intentPath(id)}/cancel`;
      const { status, text } = await callAirwallex(context, {
        method: 'POST',
        path,
        body: writeCancel(payment.reference),
      });
      const intent = status === 200 || status === 201 ? readIntent(text) : null;
      // Airwallex refuses to cancel what was paid: then the intent itself says how it stands.
      return intent ? asRead(reportIntent(intent), text) : await queryIntent(context, { ...payment, providerRef: id });
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return pendingReport(payment, error.message);
    }
  },

  async refund(context, payment, refundRef) {
    const unknown = (reason: string) => ({ status: 'unknown', refundProviderRef: null, reason }) as const;
    const amount = writeAmount(payment.amount);
    if (amount === null) return failRefund(payment.amount);
    const intentId = payment.captureRef ?? payment.providerRef;
    if (intentId === null) return unknown('no payment intent is known');
    try {
      const body = writeRefund(intentId, refundRef, payment.reference, amount);
      const { status, text } = await callAirwallex(context, { method: 'POST', path: '/refunds/create', body });
      if (!isDuplicate(text)) return readRefund(status, text, payment.amount);
      const path = `/refunds?payment_intent_id=${encodeURIComponent(intentId)}`;
      const list = await callAirwallex(context, { method: 'GET', path });
      return (
        findRefund(list.text, refundRef, payment.amount) ??
        unknown('the refund was asked for before and is not on the list')
      );
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return unknown(error.message);
    }
  },

  async check(context): Promise<CheckOutcome> {
    const { status, text } = await askToken(context);
    const names = ['CLIENT_ID', 'API_KEY'];
    if ((status === 200 || status === 201) && readToken(text))
      return { kind: 'ok', said: 'Airwallex gave an access token', proven: names };
    const fault = isRefusal(status, text) ? readFault(text) : null;
    if (fault === null) return { kind: 'unreachable', reason: `Airwallex answered ${status} without a token` };
    return { kind: 'refused', reason: `Airwallex answered ${status}: ${fault}`, lookAt: names };
  },

  listPaymentsSince: listIntents,
};

function intentPath(id: string): string {
  return `/payment_intents/${encodeURIComponent(id)}`;
}

/** Makes the intent, or finds the one that our key made before. */
async function openIntent(
  context: ProviderContext,
  input: CreatePayment,
  amount: number,
): Promise<Intent | CreateOutcome> {
  const body = writeIntent(input, amount);
  const { status, text } = await callAirwallex(context, { method: 'POST', path: '/payment_intents/create', body });
  const made = status === 200 || status === 201 ? readIntent(text) : null;
  const intent = made ?? (isDuplicate(text) ? await findLost(context, input) : null);
  if (intent) return intent;
  const reason = isRefusal(status, text) ? readFault(text) : null;
  if (reason !== null) return { kind: 'refused', reason: `Airwallex answered ${status}: ${reason}` };
  return { kind: 'unknown', reason: `Airwallex answered ${status} without a payment intent` };
}

/** A refused confirm leaves an intent that nobody can pay, for its secret never left us: certain enough to say so. */
async function confirmWallet(context: ProviderContext, input: CreatePayment, intent: Intent): Promise<CreateOutcome> {
  const path = `${intentPath(intent.id)}/confirm`;
  const asked = await callAirwallex(context, { method: 'POST', path, body: writeConfirm(input) });
  // Confirmed before, by a call whose answer never came: the intent still has the link.
  const isAgain = isDuplicate(asked.text);
  const { status, text } = isAgain
    ? await callAirwallex(context, { method: 'GET', path: intentPath(intent.id) })
    : asked;
  const fault = !isAgain && isRefusal(status, text) ? readFault(text) : null;
  if (fault !== null) return { kind: 'refused', reason: `Airwallex answered ${status}: ${fault}` };
  const next = status === 200 || status === 201 ? readIntent(text)?.next_action : undefined;
  const isLink = next?.type === 'redirect' && (next.method ?? 'GET') === 'GET';
  if (isLink && isPayLink(next.url, payHosts(context.settings, context.environment), context.environment))
    return { kind: 'redirect', url: next.url, providerRef: intent.id };
  return { kind: 'unknown', reason: `Airwallex answered ${status}; the wallet's link is missing or points elsewhere` };
}

async function queryIntent(context: ProviderContext, payment: KnownPayment): Promise<PaymentReport> {
  if (payment.providerRef === null) {
    const lost = await searchIntent(context, payment.reference);
    if (lost.intent) return asRead(reportIntent(lost.intent), lost.text);
    if (lost.isList) return pendingReport(payment, 'Airwallex knows no payment intent of this order');
    const said = firstStatus(listAt(lost.text, 'items'), payment.reference);
    return unreadableReport(payment, said, 'Airwallex answered the search for the intent', lost.text);
  }
  const { status, text } = await callAirwallex(context, { method: 'GET', path: intentPath(payment.providerRef) });
  const intent = status === 200 ? readIntent(text) : null;
  if (intent) return asRead(reportIntent(intent), text);
  const said = status === 200 ? intentStatus(wordAt(text, 'status')) : 'unknown';
  return unreadableReport(payment, said, `Airwallex answered ${status} to the query`, text);
}

/** The intent of our reference, for a create whose answer never came. */
async function findLost(context: ProviderContext, { reference }: { reference: string }): Promise<Intent | null> {
  return (await searchIntent(context, reference)).intent;
}

/** `isList` false: the answer was no list of intents. */
async function searchIntent(
  context: ProviderContext,
  reference: string,
): Promise<{ intent: Intent | null; isList: boolean; text: string }> {
  const path = `/payment_intents?merchant_order_id=${encodeURIComponent(reference)}`;
  const { status, text } = await callAirwallex(context, { method: 'GET', path });
  const intents = status === 200 ? readIntents(text) : null;
  return { intent: intents && findIntent(intents, reference), isList: intents !== null, text };
}

/** The status of a listed intent that may be ours, of a list whose shape does not fit; a paid one first. */
function firstStatus(items: readonly string[], reference: string): PaymentStatus {
  const ours = items.filter((item) => [reference, undefined].includes(wordAt(item, 'merchant_order_id')));
  const statuses = ours.map((item) => intentStatus(wordAt(item, 'status')));
  return statuses.includes('paid') ? 'paid' : 'unknown';
}
