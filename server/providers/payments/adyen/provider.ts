// Adyen payment links (Checkout v72): the verbs of the payment port. Shapes and meanings are in wire.ts and webhook.ts.
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
import { isPayLink } from '#kernel/pay-link.ts';
import { isCertainRefusal } from '#server/providers/payments/kit/certainty.ts';
import { asRead, pendingReport, unreadableReport } from '#server/providers/payments/kit/report.ts';
import { wordAt } from '#server/providers/payments/kit/json.ts';
import { failRefund, refuse, supportsCurrency, writeAmount } from './amounts.ts';
import { readSettlement } from './settlement.ts';
import { apiBase, apiHosts, hmacKeys, payHosts, settings } from './settings.ts';
import { isSigned, readWebhook, reportItem } from './webhook.ts';
import { linkStatus, readFault, readLink, readRefund, reportLink, writeLink, writeRefund } from './wire.ts';

/** Our choice: a link closes when we say; an hour for what a player began in its last minute. */
const PAYABLE_SECONDS = HOUR_SECONDS;

/** @source docs.adyen.com handle webhook events: 2xx is enough today, the older contract wants this very text */
const ACCEPTED: CallbackAnswer = { status: 200, contentType: 'text/plain', body: '[accepted]' };
const NOT_BELIEVED: CallbackAnswer = { status: 401, contentType: 'text/plain', body: '' };

export const adyen: PaymentProvider = {
  name: 'adyen',
  settings,
  amountForm: 'minor-units',
  supportsCurrency,
  accountOf: (given) => given['MERCHANT_ACCOUNT'] ?? null,
  apiHosts,
  payHosts,
  // Whatever the prefix of the account is: `<prefix>-checkout-live.adyenpayments.com`; test accounts are at adyen.com.
  officialHosts: ['*.adyenpayments.com'],
  payableForSeconds: PAYABLE_SECONDS,
  /** @source docs.adyen.com, development-resources/webhooks/troubleshoot, "Retry queue": 30 days */
  repeatsCallbacksForSeconds: 2_592_000,
  signedHeaders: [],

  async create(context, input): Promise<CreateOutcome> {
    const amount = writeAmount(input.amount);
    if (!amount) return refuse(input.amount);
    try {
      const body = writeLink(input, context.settings['MERCHANT_ACCOUNT'] ?? '', amount, context.now());
      return readCreated(context, await call(context, 'POST', '/paymentLinks', body, input.reference));
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return { kind: error.wasSent ? 'unknown' : 'refused', reason: error.message };
    }
  },

  query: queryLink,

  async readCallback(context, raw) {
    const invalid = (reason: string) => ({ kind: 'invalid', reason, answer: NOT_BELIEVED }) as const;
    const webhook = readWebhook(raw.body.toString('utf8'));
    if (!webhook) return invalid('the body is no webhook');
    const keys = hmacKeys(context.settings);
    // One bad item spoils the batch: Adyen sends all of it again, and nothing is lost.
    if (!webhook.items.every((item) => isSigned(item, keys))) return invalid('a signature does not fit its item');
    if (webhook.isLive !== (context.environment === 'live'))
      return invalid('the webhook is of the other side, test or live');
    const text = raw.body.toString('utf8');
    const events = webhook.items
      .map(reportItem)
      .filter((event) => event !== null)
      .map((event) => ({ ...event, report: asRead(event.report, text) }));
    if (events.length > 0) return { kind: 'events', events, answer: ACCEPTED };
    const codes = webhook.items.map(({ eventCode }) => eventCode).join(' ');
    return { kind: 'ignored', reason: `${codes} is of no interest`.slice(0, 200), answer: ACCEPTED };
  },

  async cancel(context, payment) {
    if (payment.providerRef === null) return pendingReport(payment, 'no payment link is known');
    try {
      const path = `/paymentLinks/${encodeURIComponent(payment.providerRef)}`;
      const answer = await call(context, 'PATCH', path, '{"status":"expired"}');
      const link = answer.status === 200 ? readLink(answer.text) : null;
      // Adyen refuses to close a link that was paid: then the link itself says how it stands.
      return link ? asRead(reportLink(link), answer.text) : await queryLink(context, payment);
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return pendingReport(payment, error.message);
    }
  },

  async refund(context, payment, refundRef) {
    const amount = writeAmount(payment.amount);
    if (!amount) return failRefund(payment.amount);
    const unknown = (reason: string) => ({ status: 'unknown', refundProviderRef: null, reason }) as const;
    if (payment.captureRef === null) return unknown('the PSP reference has not come by webhook yet');
    try {
      const path = `/payments/${encodeURIComponent(payment.captureRef)}/refunds`;
      const body = writeRefund(payment.reference, context.settings['MERCHANT_ACCOUNT'] ?? '', amount);
      const answer = await call(context, 'POST', path, body, refundRef);
      return readRefund(answer.status, answer.text);
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return unknown(error.message);
    }
  },

  /**
   * A list of payment methods: the call that needs key and merchant account and makes nothing.
   * @source CheckoutService-v72.json, /paymentMethods: only merchantAccount is required
   */
  async check(context): Promise<CheckOutcome> {
    const body = JSON.stringify({ merchantAccount: context.settings['MERCHANT_ACCOUNT'] ?? '' });
    const { status, text } = await call(context, 'POST', '/paymentMethods', body);
    const said = `Adyen answered ${status}`;
    if (status === 200 && text.trimStart().startsWith('{'))
      return {
        kind: 'ok',
        said: `${said} with the account's payment methods`,
        proven: ['API_KEY', 'MERCHANT_ACCOUNT'],
      };
    const fault = readFault(text);
    if (status === 401) return { kind: 'refused', reason: `${said}: ${fault ?? 'no reason'}`, lookAt: ['API_KEY'] };
    if (fault === null || !isCertainRefusal(status)) return { kind: 'unreachable', reason: said };
    return { kind: 'refused', reason: `${said}: ${fault}`, lookAt: ['MERCHANT_ACCOUNT', 'API_KEY'] };
  },

  readSettlement,
};

/**
 * @param idempotencyKey makes a POST safe to repeat. UNSURE: the limit of 64 characters is from
 *   memory; our references are shorter
 */
function call(
  context: ProviderContext,
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  body?: string,
  idempotencyKey?: string,
): Promise<OutboundAnswer> {
  return context.outbound(`${apiBase(context.settings, context.environment)}${path}`, {
    method,
    headers: {
      'x-api-key': context.settings['API_KEY'] ?? '',
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey.slice(0, 64) }),
    },
    ...(body === undefined ? {} : { body }),
  });
}

async function queryLink(context: ProviderContext, payment: KnownPayment): Promise<PaymentReport> {
  if (payment.providerRef === null) return pendingReport(payment, 'no payment link is known');
  const { status, text } = await call(context, 'GET', `/paymentLinks/${encodeURIComponent(payment.providerRef)}`);
  const link = status === 200 ? readLink(text) : null;
  if (link) return asRead(reportLink(link), text);
  const said = status === 200 ? linkStatus(wordAt(text, 'status')) : 'unknown';
  return unreadableReport(payment, said, `Adyen answered ${status} to the query`, text);
}

function readCreated(context: ProviderContext, { status, text }: OutboundAnswer): CreateOutcome {
  if (isCertainRefusal(status)) {
    const reason = readFault(text);
    if (reason !== null) return { kind: 'refused', reason: `Adyen answered ${status}: ${reason}` };
  }
  const link = status === 200 || status === 201 ? readLink(text) : null;
  if (!link) return { kind: 'unknown', reason: `Adyen answered ${status} without a payment link` };
  if (!isPayLink(link.url, payHosts(context.settings, context.environment), context.environment)) {
    return { kind: 'unknown', reason: 'the payment link is missing or points elsewhere' };
  }
  return { kind: 'redirect', url: link.url, providerRef: link.id };
}
