// Xsolla's token and transaction reports on the wire: shapes, and what they mean to us. Pure: no calls, no
// clock. Webhooks are in webhook.ts.
import Type, { type Static } from 'typebox';
import type {
  CreatePayment,
  PaymentReport,
  PaymentStatus,
  RefundedPayment,
} from '#server/modules/payments/provider.ts';
import { capped, listAt, reader, wordAt } from '#server/providers/payments/kit/json.ts';
import { isOfRest, paidOf } from '#server/providers/payments/kit/refund.ts';
import { bareReport, statusIn } from '#server/providers/payments/kit/report.ts';
import { readAmount, writeAmount } from './amounts.ts';

// Numbers arrive as the text they were written in (see parse), so ids and amounts are text throughout.
export const Id = Type.String({ minLength: 1, maxLength: 256 });
export const Text = Type.Optional(Type.String());
const Price = Type.Optional(Type.Object({ amount: Text, currency: Text }));
export const Purchase = Type.Optional(Type.Object({ checkout: Price, total: Price }));
const Project = Type.Optional(Type.Object({ id: Text }));
export const Transaction = Type.Object({
  id: Id,
  external_id: Text,
  status: Text,
  dry_run: Type.Optional(Type.Union([Type.String(), Type.Boolean()])),
  create_date: Text,
  transfer_date: Text,
  project: Project,
});
export const Parameters = Type.Optional(Type.Object({ reference: Text }));

/**
 * Not the shape of the webhooks: the price stands in `simple_checkout`, and there are no custom parameters.
 * @source developers.xsolla.com, Pay Station API, "Find transactions", response sample
 */
const Found = Type.Array(
  Type.Object({
    transaction: Transaction,
    purchase: Type.Optional(Type.Object({ simple_checkout: Price })),
  }),
);

export const readFound = reader(Found);
export const readToken = reader(Type.Object({ token: Id }));
const readFaultBody = reader(
  Type.Object({ message: Text, extended_message: Type.Optional(Type.Unknown()), http_status_code: Text }),
);

/** One sentence of an error answer; null when the body is not Xsolla's. */
export function readFault(text: string): string | null {
  const body = readFaultBody(text);
  return body ? capped(body.message ?? 'no reason') : null;
}

/**
 * Xsolla's own language codes where they are not the BCP 47 ones.
 * UNSURE: both the codes and the list of languages are from memory; a language outside it is left to Xsolla.
 */
const LANGUAGES = new Set('ar bg cn cs de en es fr he id it ja ko ms my pl pt ro ru th tr tw vi'.split(' '));

function writeLanguage(locale: string): string | null {
  const [language = '', ...rest] = locale.toLowerCase().split('-');
  if (language === 'zh') return rest.some((part) => ['hant', 'tw', 'hk', 'mo'].includes(part)) ? 'tw' : 'cn';
  return LANGUAGES.has(language) && language !== 'cn' && language !== 'tw' ? language : null;
}

/**
 * Body of POST /merchant/v2/merchants/{merchant}/token.
 * @param amount decimal text, put into the body as a JSON number exactly as it is written
 * @source github.com/xsolla/xsolla-sdk-php, TokenRequest
 */
export function writeToken(input: CreatePayment, projectId: string, amount: string, isSandbox: boolean): string {
  const language = writeLanguage(input.locale);
  const isMethod = /^\d{1,9}$/.test(input.channelId);
  return JSON.stringify({
    user: {
      id: { value: input.playerRef },
      name: { value: input.playerName },
      ...(input.country === '' ? {} : { country: { value: input.country, allow_modify: true } }),
    },
    settings: {
      project_id: Number(projectId),
      external_id: input.reference,
      currency: input.amount.currency,
      return_url: input.returnUrl,
      ...(language === null ? {} : { language }),
      ...(isMethod ? { payment_method: Number(input.channelId) } : {}),
      ...(isSandbox ? { mode: 'sandbox' } : {}),
    },
    purchase: {
      checkout: { currency: input.amount.currency, amount: rawNumber(amount) },
      description: { value: input.productName },
    },
    // Comes back in every webhook; those about orders do not always carry external_id.
    custom_parameters: { reference: input.reference },
  });
}

/**
 * Body of PUT .../transactions/{id}/refund, or of .../partial_refund for what is left after parts went back; null when
 * Xsolla cannot express the amount.
 * @source developers.xsolla.com, Pay Station API, "Request refund", "Request partial refund": `refund_amount` is a
 *   number in the purchase currency
 */
export function writeRefund(payment: RefundedPayment, refundRef: string): string | null {
  const description = `Refund ${refundRef}`;
  if (!isOfRest(payment)) return JSON.stringify({ description });
  const amount = payment.amount.currency === paidOf(payment).currency ? writeAmount(payment.amount) : null;
  return amount === null ? null : JSON.stringify({ description, refund_amount: rawNumber(amount) });
}

/** A JSON number in exactly these characters. Node 24 has it; the compiler's library does not know it yet. */
function rawNumber(text: string): unknown {
  return (JSON as unknown as { rawJSON(json: string): unknown }).rawJSON(text);
}

/** Of a transaction whose refund was accepted and is not carried out yet. */
export const AWAITS_REFUND = 'awaitingRefund';

/**
 * Status of one try to pay. A try that ended leaves the page open for another, so only the age
 * of the token ends it for good.
 * Of a payment that waits for its refund the money came and is about to go: a person decides.
 * @source developers.xsolla.com, Pay Station API, "Find transactions", parameter `status`. UNSURE:
 *   partial_refunded is from memory
 */
const TRANSACTION_STATUS: Readonly<Record<string, PaymentStatus>> = {
  done: 'paid',
  [AWAITS_REFUND]: 'paid_unreadable',
  refunded: 'refunded',
  partial_refunded: 'refunded',
  created: 'pending',
  processing: 'pending',
  review: 'pending',
  canceled: 'failed',
  error: 'failed',
};

// The most telling try decides: money that moved, then a word nobody knows, then one still open, then one that ended.
const WEIGHT: readonly PaymentStatus[] = ['paid', 'paid_unreadable', 'refunded', 'unknown', 'pending', 'failed'];

/**
 * Reports the found transactions of one reference.
 * @param isTokenOver true when the token is so old that nobody can pay with it any more: then what ended stays ended
 */
export function reportFound(
  found: Static<typeof Found>,
  payment: { readonly reference: string },
  isTokenOver: boolean,
): PaymentReport {
  const ours = found.filter(({ transaction }) => transaction.external_id === payment.reference);
  const decisive = WEIGHT.map((status) =>
    ours.find((one) => transactionStatus(one.transaction.status) === status),
  ).find(Boolean);
  if (!decisive) return reportNone(found, payment, isTokenOver);
  const { transaction, purchase } = decisive;
  const status = transactionStatus(transaction.status);
  const price = purchase?.simple_checkout;
  return {
    status: status === 'failed' && !isTokenOver ? 'declined' : status,
    reference: payment.reference,
    providerRef: null,
    captureRef: transaction.id,
    amount: transaction.status === 'partial_refunded' ? null : readAmount(price?.amount, price?.currency),
    merchantAccount: transaction.project?.id ?? null,
    reason: capped(transaction.status ?? 'no status'),
  };
}

/**
 * No transaction names our reference. Xsolla found the others by it, so one that names none may be ours, and one that
 * names another was not understood: only an empty list says that there is nothing.
 */
function reportNone(
  found: Static<typeof Found>,
  payment: { readonly reference: string },
  isTokenOver: boolean,
): PaymentReport {
  if (found.length === 0) return bareReport(payment, isTokenOver ? 'expired' : 'pending', 'no transaction is known');
  const isPaid = found.some(
    ({ transaction }) => transaction.external_id === undefined && transactionStatus(transaction.status) === 'paid',
  );
  return bareReport(payment, isPaid ? 'paid_unreadable' : 'unknown', 'transactions without our external_id');
}

export const transactionStatus = (word: string | undefined): PaymentStatus => statusIn(TRANSACTION_STATUS, word);

/** Of a list whose shape does not fit: what the transactions that may be ours say by their status alone. */
export function statusOfTorn(text: string, reference: string): PaymentStatus {
  const ours = listAt(text).filter((one) => {
    const named = wordAt(one, 'transaction', 'external_id');
    return named === undefined || named === reference;
  });
  const said = ours.map((one) => transactionStatus(wordAt(one, 'transaction', 'status')));
  return WEIGHT.find((status) => said.includes(status)) ?? 'unknown';
}
