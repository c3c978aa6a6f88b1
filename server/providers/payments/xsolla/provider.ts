// Xsolla Pay Station with a token of any amount: the verbs of the payment port. Shapes and meanings
// are in wire.ts and webhook.ts.
import { DAY_MS, DAY_SECONDS, HOUR_MS } from '#kernel/time.ts';
import type {
  CallbackAnswer,
  CheckOutcome,
  CreateOutcome,
  KnownPayment,
  PaymentProvider,
  PaymentReport,
  ProviderContext,
  RefundedPayment,
  RefundOutcome,
} from '#server/modules/payments/provider.ts';
import { type OutboundAnswer, OutboundError } from '#server/platform/outbound/outbound.ts';
import { isCertainRefusal } from '#server/providers/payments/kit/certainty.ts';
import { capped } from '#server/providers/payments/kit/json.ts';
import { isOfRest, isSameMoney, paidOf } from '#server/providers/payments/kit/refund.ts';
import { asRead, unreadableReport } from '#server/providers/payments/kit/report.ts';
import { failRefund, refuse, supportsCurrency, writeAmount } from './amounts.ts';
import { listTransactions } from './list.ts';
import { readSettlement } from './settlement.ts';
import { apiBase, apiHosts, payHosts, payStationUrl, settings, signingKeys } from './settings.ts';
import { isMoneyHook, isSigned, readKind, readMoneyHook, readUserHook, unreadableHook } from './webhook.ts';
import {
  AWAITS_REFUND,
  readFault,
  readFound,
  readToken,
  reportFound,
  statusOfTorn,
  writeRefund,
  writeToken,
} from './wire.ts';

/** Life of a token. UNSURE: 24 hours are from memory. */
const PAYABLE_SECONDS = DAY_SECONDS;
/**
 * Our choice: a bank's slow answer may end a try a little after its token, and the search knows it 5 to 10 minutes
 * later. @source developers.xsolla.com, "Find transactions"
 */
const AFTER_TOKEN_MS = HOUR_MS;

/** @source developer.xsolla.com webhooks listener: 204 with an empty body, errors as 400 with a code */
const ACCEPTED: CallbackAnswer = { status: 204, contentType: 'text/plain', body: '' };

function refusal(code: string, message: string): CallbackAnswer {
  return { status: 400, contentType: 'application/json', body: JSON.stringify({ error: { code, message } }) };
}

export const xsolla: PaymentProvider = {
  name: 'xsolla',
  settings,
  amountForm: 'decimal-number',
  supportsCurrency,
  accountOf: (given) => given['PROJECT_ID'] ?? null,
  apiHosts,
  payHosts,
  payableForSeconds: PAYABLE_SECONDS,
  /** @source developers.xsolla.com, order_paid: 2 x 5 min, 7 x 15 min, 10 x 60 min; refunds go on for 48 hours */
  repeatsCallbacksForSeconds: 42_900,
  signedHeaders: ['authorization'],

  // Xsolla offers no idempotency key here. A repeated call makes a second token of the same external_id.
  async create(context, input): Promise<CreateOutcome> {
    const amount = writeAmount(input.amount);
    if (amount === null) return refuse(input.amount);
    const projectId = context.settings['PROJECT_ID'] ?? '';
    try {
      const answer = await call(
        context,
        'POST',
        '/token',
        writeToken(input, projectId, amount, context.environment === 'demo'),
      );
      return readCreated(context, answer, input.reference);
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return { kind: error.wasSent ? 'unknown' : 'refused', reason: error.message };
    }
  },

  query: queryTransactions,

  async readCallback(context, raw) {
    const invalid = (code: string, reason: string) =>
      ({ kind: 'invalid', reason, answer: refusal(code, reason) }) as const;
    if (!isSigned(raw.headers['authorization'], raw.body, signingKeys(context.settings))) {
      return invalid('INVALID_SIGNATURE', 'the signature does not fit the body');
    }
    const text = raw.body.toString('utf8');
    const type = readKind(text)?.notification_type;
    if (type === undefined) return invalid('INVALID_PARAMETER', 'the body is no webhook');
    if (type === 'user_validation') {
      const playerRef = readUserHook(text)?.user.id;
      if (playerRef === undefined) return invalid('INVALID_USER', 'no user id was sent');
      return { kind: 'question', playerRef, yes: ACCEPTED, no: refusal('INVALID_USER', 'this player does not exist') };
    }
    if (!isMoneyHook(type)) {
      return { kind: 'ignored', reason: `${type} is of no interest`, answer: ACCEPTED };
    }
    const reading = readMoneyHook(type, text, context.environment === 'demo');
    // A 4xx may make Xsolla give the money back at once, and a repeat reads no better: manual review follows.
    if (!reading) {
      const event = unreadableHook(type, raw.body);
      return { kind: 'events', events: event ? [event] : [], answer: ACCEPTED };
    }
    if (reading.kind === 'test') return { kind: 'ignored', reason: reading.reason, answer: ACCEPTED };
    const { dedupKey, report } = reading;
    return { kind: 'events', events: [{ dedupKey, report: asRead(report, text) }], answer: ACCEPTED };
  },

  async refund(context, payment, refundRef) {
    const body = writeRefund(payment, refundRef);
    if (body === null) return failRefund(payment.amount);
    try {
      const captureRef = payment.captureRef ?? (await queryTransactions(context, payment)).captureRef;
      if (captureRef === null) return unknown('no transaction id is known');
      // A refund of the rest after parts is a part itself: the whole call takes no amount.
      const verb = isOfRest(payment) ? 'partial_refund' : 'refund';
      const path = `/reports/transactions/${encodeURIComponent(captureRef)}/${verb}`;
      const answer = await call(context, 'PUT', path, body);
      return await readRefunded(context, answer, { ...payment, captureRef });
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return unknown(error.message);
    }
  },

  /**
   * A search for what is not there: an empty list for the merchant, 401 or 403 for a stranger. The project only
   * narrows it, so it is not proven.
   */
  async check(context): Promise<CheckOutcome> {
    const search = new URLSearchParams({
      external_id: 'refill-check',
      project_id: context.settings['PROJECT_ID'] ?? '',
      datetime_from: new Date(context.now() - DAY_MS).toISOString(),
      datetime_to: new Date(context.now()).toISOString(),
    });
    const { status, text } = await call(context, 'GET', `/reports/transactions/search.json?${search.toString()}`);
    if (status === 200 && readFound(text))
      return { kind: 'ok', said: 'Xsolla let the transactions be searched', proven: ['MERCHANT_ID', 'API_KEY'] };
    const fault = isCertainRefusal(status) ? readFault(text) : null;
    if (fault === null) return { kind: 'unreachable', reason: `Xsolla answered ${status} to the search` };
    const lookAt = status === 401 ? ['API_KEY', 'MERCHANT_ID'] : ['MERCHANT_ID', 'PROJECT_ID', 'API_KEY'];
    return { kind: 'refused', reason: `Xsolla answered ${status}: ${fault}`, lookAt };
  },

  listPaymentsSince: (context, since) => listTransactions(context, since, (path) => call(context, 'GET', path)),
  readSettlement,
};

function call(
  context: ProviderContext,
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  body?: string,
): Promise<OutboundAnswer> {
  const { settings: given, environment } = context;
  const merchantId = given['MERCHANT_ID'] ?? '';
  const credentials = Buffer.from(`${merchantId}:${given['API_KEY']}`).toString('base64');
  return context.outbound(
    `${apiBase(given, environment)}/merchant/v2/merchants/${encodeURIComponent(merchantId)}${path}`,
    {
      method,
      headers: {
        authorization: `Basic ${credentials}`,
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body }),
    },
  );
}

function readCreated(context: ProviderContext, answer: OutboundAnswer, reference: string): CreateOutcome {
  const { status, text } = answer;
  if (isCertainRefusal(status)) {
    const reason = readFault(text);
    if (reason !== null) return { kind: 'refused', reason: `Xsolla answered ${status}: ${reason}` };
  }
  const token = status >= 200 && status < 300 ? readToken(text)?.token : undefined;
  if (token === undefined) return { kind: 'unknown', reason: `Xsolla answered ${status} without a token` };
  const url = payStationUrl(context.settings, context.environment, token);
  const { host, protocol } = new URL(url);
  const isProtocolFit = protocol === 'https:' || context.environment === 'demo';
  if (!isProtocolFit || !payHosts(context.settings, context.environment).includes(host)) {
    return { kind: 'unknown', reason: 'the pay page is not on the list of hosts players may be sent to' };
  }
  // There is no payment id before the player pays; reports are found by our own reference.
  return { kind: 'redirect', url, providerRef: reference };
}

async function queryTransactions(context: ProviderContext, payment: KnownPayment): Promise<PaymentReport> {
  const age = context.now() - payment.createdAt;
  const search = new URLSearchParams({
    external_id: payment.reference,
    project_id: context.settings['PROJECT_ID'] ?? '',
    datetime_from: new Date(payment.createdAt - DAY_MS).toISOString(),
    datetime_to: new Date(context.now() + DAY_MS).toISOString(),
    ...(context.environment === 'demo' ? { show_dry_run: '1' } : {}),
  });
  const answer = await call(context, 'GET', `/reports/transactions/search.json?${search.toString()}`);
  const { status, text } = answer;
  const found = status === 200 ? readFound(text) : null;
  if (found) return asRead(reportFound(found, payment, age > PAYABLE_SECONDS * 1000 + AFTER_TOKEN_MS), text);
  const said = status === 200 ? statusOfTorn(text, payment.reference) : 'unknown';
  return unreadableReport(payment, said, `Xsolla answered ${status} to the query`, text);
}

/**
 * A refund is asked for here; the webhook says when it is done. After a refusal only a transaction of which all went
 * back counts as done: of `partial_refunded` Xsolla does not say how much it was.
 */
async function readRefunded(
  context: ProviderContext,
  answer: OutboundAnswer,
  payment: RefundedPayment,
): Promise<RefundOutcome> {
  const { status, text } = answer;
  if (status === 200 || status === 202 || status === 204) {
    return { status: 'pending', refundProviderRef: payment.captureRef, reason: readFault(text) };
  }
  const reason = isCertainRefusal(status) ? readFault(text) : null;
  if (reason === null) return unknown(`Xsolla answered ${status}`);
  const now = await queryTransactions(context, payment);
  const isBack =
    now.status === 'refunded' && now.captureRef === payment.captureRef && isSameMoney(now.amount, paidOf(payment));
  const said = `${status}: ${reason}; the transaction is ${now.reason ?? now.status}`;
  const isOnItsWay = now.captureRef === payment.captureRef && now.reason === AWAITS_REFUND;
  const outcome = isBack ? 'done' : isOnItsWay ? 'pending' : 'failed';
  return { status: outcome, refundProviderRef: payment.captureRef, reason: capped(said) };
}

function unknown(reason: string): RefundOutcome {
  return { status: 'unknown', refundProviderRef: null, reason };
}
