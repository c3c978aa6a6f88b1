// EBANX payments on the wire: shapes, statuses, and what they mean to us. Pure: no calls, no clock.
// Notifications are in webhook.ts.
import Type, { type Static } from 'typebox';
import { type Money, money } from '#kernel/money.ts';
import type { CreatePayment, PaymentReport, PaymentStatus, RefundOutcome } from '#server/modules/payments/provider.ts';
import { reader } from '#server/providers/payments/kit/json.ts';
import { refundOfAmount } from '#server/providers/payments/kit/refund.ts';
import { statusIn } from '#server/providers/payments/kit/report.ts';
import { readAmount } from './amounts.ts';

const Text = Type.Optional(Type.String());
const Id = Type.String({ minLength: 1, maxLength: 256 });

/** UNSURE: the keys of a refund; seen in a public schema of the API, not in the guide. */
const Refund = Type.Object({ id: Text, merchant_refund_code: Text, status: Text, amount_ext: Text });
export type Refund = Static<typeof Refund>;

/** @source docs.ebanx.com, payments report; recorded answers of github.com/ebanx/benjamin */
const Payment = Type.Object({
  hash: Id,
  merchant_payment_code: Text,
  status: Text,
  amount_ext: Text,
  currency_ext: Text,
  refunds: Type.Optional(Type.Array(Refund)),
  chargeback: Type.Optional(Type.Unknown()),
});
export type Payment = Static<typeof Payment>;

const Success = Type.Literal('SUCCESS');
/** @source github.com/ebanx/benjamin, recorded answers: redirect_url stands beside the payment */
const Requested = Type.Object({ status: Success, redirect_url: Text, payment: Payment });
const Queried = Type.Object({ status: Success, payment: Payment });
const Refunded = Type.Object({ status: Success, refund: Refund });
/** @source docs.ebanx.com, error codes */
const Fault = Type.Object({ status: Type.Literal('ERROR'), status_code: Text, status_message: Text });

export const readRequested = reader(Requested);
export const readQueried = reader(Queried);
const readRefunded = reader(Refunded);
const readFaultBody = reader(Fault);

/** No payment of this code or hash. UNSURE: the code is from memory; its words decide as well */
export function isNotFound({ code, reason }: { code: string; reason: string }): boolean {
  return code === 'BP-QR-3' || (/payment/i.test(reason) && /not found/i.test(reason));
}

/** The merchant_payment_code exists already. @source docs.ebanx.com, error codes */
export const DUPLICATE = 'BP-DR-0';

/** Code and one sentence of an error, which EBANX usually answers with 200; null when it is none. */
export function readFault(text: string): { code: string; reason: string } | null {
  const fault = readFaultBody(text);
  if (!fault) return null;
  const code = fault.status_code ?? '';
  return { code, reason: `${code} ${fault.status_message ?? ''}`.trim().slice(0, 200) };
}

/**
 * Countries EBANX sells in.
 * @source github.com/ebanx/benjamin, Country. UNSURE: the list grows; a country that is missing is
 *   refused before anything is called
 */
const COUNTRIES: ReadonlySet<string> = new Set(['AR', 'BO', 'BR', 'CL', 'CO', 'EC', 'GT', 'MX', 'PE', 'PY', 'UY']);

/** The country of a currency that only one has, for a player whose country is not known. */
const HOME: Readonly<Record<string, string>> = { BRL: 'BR' };

/** Null when EBANX does not sell there. */
export function countryOf({ country, amount }: CreatePayment): string | null {
  const code = country === '' ? (HOME[amount.currency] ?? '') : country;
  return COUNTRIES.has(code) ? code.toLowerCase() : null;
}

/**
 * Body of ws/request.
 * @param payer key, mail address and country, which the payment does not have by itself
 * @source docs.ebanx.com, ws/request; github.com/ebanx/benjamin
 */
export function writeRequest(
  input: CreatePayment,
  amount: string,
  payer: { readonly integrationKey: string; readonly email: string; readonly country: string },
): string {
  return JSON.stringify({
    integration_key: payer.integrationKey,
    name: input.playerName.trim() === '' ? 'Player' : input.playerName.slice(0, 100),
    email: payer.email,
    country: payer.country,
    currency_code: input.amount.currency,
    amount,
    merchant_payment_code: input.reference,
    order_number: input.reference,
    payment_type_code: input.channelId === '' ? '_all' : input.channelId,
    instalments: '1-1',
    redirect_url: input.returnUrl,
    notification_url: input.notifyUrl,
    due_date: dayOf(input.expiresAt),
    ...(input.device.ip === '' ? {} : { customer_ip: input.device.ip }),
  });
}

/** dd/mm/yyyy. UNSURE: the time zone of due_date; a day more or less only moves the end of a voucher */
function dayOf(ms: number): string {
  const [year = '', month = '', day = ''] = new Date(ms).toISOString().slice(0, 10).split('-');
  return `${day}/${month}/${year}`;
}

/** @source docs.ebanx.com, payment status: open, pending, confirmed, cancelled (also expired and declined) */
const STATUS: Readonly<Record<string, PaymentStatus>> = { OP: 'pending', PE: 'pending', CO: 'paid', CA: 'failed' };

export const paymentStatus = (word: string | undefined): PaymentStatus => statusIn(STATUS, word);

/**
 * Reports a payment. Money that went back, or is disputed, says so beside a status that stays CO. UNSURE: the form of
 * `chargeback`; anything in it counts
 */
export function reportPayment(payment: Payment): PaymentReport {
  const word = payment.status ?? '';
  const status = paymentStatus(payment.status);
  const amount = readAmount(payment.amount_ext, payment.currency_ext);
  const report = {
    reference: payment.merchant_payment_code ?? null,
    providerRef: payment.hash,
    captureRef: status === 'paid' ? payment.hash : null,
    amount,
    merchantAccount: null,
    reason: word.slice(0, 200),
  };
  if (status !== 'paid') return { ...report, status };
  // How much of the payment is disputed is not told.
  if (isDisputed(payment.chargeback)) return { ...report, status: 'chargeback', amount: null };
  const back = sumBack(payment);
  return back === 'none' ? { ...report, status } : { ...report, status: 'refunded', amount: back };
}

function isDisputed(chargeback: unknown): boolean {
  return typeof chargeback === 'object' && chargeback !== null && Object.keys(chargeback).length > 0;
}

/** Sums the confirmed refunds; null when one of them does not say its amount. */
function sumBack({ refunds, currency_ext }: Payment): Money | null | 'none' {
  const confirmed = (refunds ?? []).filter(({ status }) => status === 'CO');
  if (confirmed.length === 0) return 'none';
  const amounts = confirmed.map((one) => readAmount(one.amount_ext, currency_ext));
  const [first] = amounts;
  if (!first || amounts.includes(null)) return null;
  return money(
    amounts.reduce((sum, one) => sum + (one?.amountMinor ?? 0), 0),
    first.currency,
  );
}

/**
 * Refunds that were carried out, each with its own amount, and those that came to nothing.
 * UNSURE: that each has an `id` or our `merchant_refund_code`; without them its place in the list names it.
 */
export function tellRefunds({ refunds, currency_ext }: Payment, withLost: boolean): readonly NamedRefund[] {
  return (refunds ?? []).flatMap((one, index) => {
    const status = one.status === 'CO' ? 'refunded' : one.status === 'CA' && withLost ? 'refund_failed' : null;
    if (status === null) return [];
    const name = one.id ?? one.merchant_refund_code ?? `${index}:${one.amount_ext ?? ''}`;
    return [{ name, status, amount: readAmount(one.amount_ext, currency_ext), reason: `refund ${one.status}` }];
  });
}

type NamedRefund = {
  readonly name: string;
  readonly status: 'refunded' | 'refund_failed';
  readonly amount: Money | null;
  readonly reason: string;
};

/** @source public schema of the API: requested, pending, confirmed, cancelled */
const REFUND_STATUS: Readonly<Record<string, RefundOutcome['status']>> = {
  RE: 'pending',
  PE: 'pending',
  CO: 'done',
  CA: 'failed',
};

/** Amounts of refunds are in the currency of the payment. */
export function reportRefund(refund: Refund, asked: Money): RefundOutcome {
  const word = refund.status ?? '';
  const status = Object.hasOwn(REFUND_STATUS, word) ? (REFUND_STATUS[word] ?? 'unknown') : 'unknown';
  const outcome = { status, refundProviderRef: refund.id ?? null, reason: `refund ${word}`.slice(0, 200) };
  return refundOfAmount(outcome, readAmount(refund.amount_ext, asked.currency), asked);
}

/** Reads the answer of ws/refund; null when it made no refund. */
export function readRefund(text: string, asked: Money): RefundOutcome | null {
  const answer = readRefunded(text);
  return answer && reportRefund(answer.refund, asked);
}
