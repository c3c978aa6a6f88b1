// Codapay's hosted payment page: the verbs of the payment port. Shapes and meanings are in wire.ts and notice.ts.
import { DAY_SECONDS } from '#kernel/time.ts';
import type { Currency } from '#kernel/money.ts';
import type {
  CheckOutcome,
  CreateOutcome,
  PaymentProvider,
  PaymentReport,
  ProviderContext,
} from '#server/modules/payments/provider.ts';
import { type OutboundAnswer, OutboundError } from '#server/platform/outbound/outbound.ts';
import { capped, wordAt } from '#server/providers/payments/kit/json.ts';
import { isPayLink } from '#kernel/pay-link.ts';
import { asRead, pendingReport, unreadableReport } from '#server/providers/payments/kit/report.ts';
import { refuse, supportsCurrency, writePrice } from './amounts.ts';
import { ACCEPTED, NOT_BELIEVED, readNotice } from './notice.ts';
import { apiBase, apiHosts, isNotifyIp, pageUrl, payHosts, projectId, settings } from './settings.ts';
import {
  judgeStranger,
  payTypeOf,
  readInit,
  readOrderId,
  readResult,
  reportResult,
  writeInit,
  writeInquiry,
} from './wire.ts';

/**
 * A page that nobody opens dies after 15 minutes, and Coda says so when asked. UNSURE: codes to be paid at a counter
 * live longer; a day is our choice.
 * @source coda-payments.gitbook.io, result code 206
 */
const PAYABLE_SECONDS = DAY_SECONDS;

/** A transaction id that is none: nineteen digits as all of them. */
const NO_TRANSACTION = '1000000000000000001';

export const codapay: PaymentProvider = {
  name: 'codapay',
  settings,
  amountForm: 'decimal-number',
  supportsCurrency,
  // Answers are bound to our key, and name no merchant.
  accountOf: () => null,
  apiHosts,
  payHosts,
  payableForSeconds: PAYABLE_SECONDS,
  /** @source coda-payments.gitbook.io, transaction notification: three times, five minutes apart */
  repeatsCallbacksForSeconds: 900,
  signedHeaders: [],

  async create(context, input): Promise<CreateOutcome> {
    const price = writePrice(input.amount);
    const payType = payTypeOf(input.channelId);
    if (!price) return refuse(input.amount);
    if (payType === null) return { kind: 'refused', reason: 'the channel is no number of Codapay' };
    const { settings: given } = context;
    try {
      const body = writeInit(input, given['API_KEY'] ?? '', projectId(given), price, payType);
      return readCreated(context, await call(context, 'init.json', body));
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return { kind: error.wasSent ? 'unknown' : 'refused', reason: error.message };
    }
  },

  async query(context, payment) {
    const { providerRef, amount } = payment;
    if (providerRef === null) return pendingReport(payment, 'no transaction is known');
    const { report, status, text } = await inquire(context, providerRef, amount.currency);
    if (report) return report;
    const isPaid = status === 200 && wordAt(text, 'paymentResult', 'resultCode') === '0';
    return unreadableReport(payment, isPaid ? 'paid' : 'unknown', `Codapay answered ${status} to the inquiry`, text);
  },

  async readCallback(context, raw) {
    const invalid = (reason: string) => ({ kind: 'invalid', reason, answer: NOT_BELIEVED }) as const;
    if (!isNotifyIp(context.settings, raw.ip)) return invalid('the address is not on the list of addresses');
    const notice = readNotice(raw, context.settings['API_KEY'] ?? '');
    if (!notice) return invalid('the checksum does not fit');
    const order = readOrderId(notice.orderId);
    // The checksum leaves the price out, so the notification is only a reason to ask.
    const asked = await inquire(context, notice.txnId, order.currency ?? undefined).catch((error: unknown) => {
      if (!(error instanceof OutboundError)) throw error;
      return error.message;
    });
    if (typeof asked === 'string') return { kind: 'unavailable', reason: asked };
    const said = asked.report;
    if (!said) return { kind: 'unavailable', reason: `Codapay answered ${asked.status} to the inquiry` };
    if (said.reference !== null && said.reference !== order.reference)
      return invalid('the notification names another order than the inquiry');
    const isSuccess = notice.resultCode === '0';
    // Told paid before the inquiry knows it: Coda sends again, and the answer is another then.
    const isPaid = said.status === 'paid' || said.status === 'paid_unreadable';
    if (isSuccess && !isPaid) return { kind: 'unavailable', reason: 'the inquiry does not say paid yet' };
    const report: PaymentReport = {
      ...said,
      reference: order.reference,
      // A word of failure after the money came, or one that nobody knows, contradicts the inquiry: it is asked again.
      status: isSuccess || !isPaid ? said.status : 'unknown',
    };
    const dedupKey = `${notice.txnId}:${notice.resultCode}:${report.status}`;
    return { kind: 'events', events: [{ dedupKey, report }], answer: ACCEPTED };
  },

  async check(context): Promise<CheckOutcome> {
    const { settings: given } = context;
    const body = writeInquiry(NO_TRANSACTION, given['API_KEY'] ?? '', projectId(given), null);
    const { status, text } = await call(context, 'inquiryPaymentResult.json', body);
    const result = status === 200 ? readResult(text) : null;
    if (!result) return { kind: 'unreachable', reason: `Codapay answered ${status} to the inquiry` };
    const reason = capped(`Codapay answered ${result.resultCode} ${result.resultDesc ?? ''}`.trim());
    const kind = judgeStranger(result.resultCode);
    if (kind === 'unreachable') return { kind, reason };
    const names = projectId(given) === null ? ['API_KEY'] : ['API_KEY', 'PROJECT_ID'];
    return kind === 'ok' ? { kind, said: reason, proven: names } : { kind, reason, lookAt: names };
  },
};

function call(context: ProviderContext, verb: string, body: string): Promise<OutboundAnswer> {
  return context.outbound(`${apiBase(context.settings, context.environment)}/${verb}`, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body,
  });
}

/**
 * Asks Coda for a transaction; `report` null when its answer has not the shape it must have. Throws OutboundError when
 * it cannot be reached.
 */
async function inquire(
  context: ProviderContext,
  txnId: string,
  currency?: Currency,
): Promise<{ report: PaymentReport | null; status: number; text: string }> {
  const { settings: given } = context;
  const body = writeInquiry(txnId, given['API_KEY'] ?? '', projectId(given), currency ?? null);
  const { status, text } = await call(context, 'inquiryPaymentResult.json', body);
  const result = status === 200 ? readResult(text) : null;
  return { report: result && asRead(reportResult(result, txnId, currency), text), status, text };
}

/** A code other than 0 comes without a transaction: then there is nothing that anybody could pay. */
function readCreated(context: ProviderContext, { status, text }: OutboundAnswer): CreateOutcome {
  const made = status === 200 ? readInit(text) : null;
  if (!made) return { kind: 'unknown', reason: `Codapay answered ${status} without a result` };
  const txnId = /^[1-9]\d{0,24}$/.test(made.txnId ?? '') ? (made.txnId ?? '') : null;
  if (made.resultCode !== '0') {
    const reason = capped(`Codapay answered ${made.resultCode} ${made.resultDesc ?? ''}`.trim());
    return { kind: txnId === null ? 'refused' : 'unknown', reason };
  }
  if (txnId === null) return { kind: 'unknown', reason: 'Codapay answered without a transaction id' };
  const url = made.redirectUrl || pageUrl(context.settings, context.environment, txnId);
  if (!isPayLink(url, payHosts(context.settings, context.environment), context.environment))
    return { kind: 'unknown', reason: 'the payment page points elsewhere' };
  return { kind: 'redirect', url, providerRef: txnId };
}
