// Xsolla's token and transaction reports on the wire: shapes, and what they mean to us. Pure: no calls, no clock. Webhooks are in webhook.ts.
import Type, { type Static, type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { CreatePayment, PaymentReport, PaymentStatus } from '#server/modules/payments/provider.ts';
import { readAmount } from './amounts.ts';

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
  project: Project,
});
export const Parameters = Type.Optional(Type.Object({ reference: Text }));

/** @source github.com/xsolla/xsolla-sdk-php resource list; UNSURE: the shape of a found transaction is inferred from the webhook */
const Found = Type.Array(Type.Object({ transaction: Transaction, purchase: Purchase, custom_parameters: Parameters }));

/** A reader of JSON text: null when it is no JSON or not of this shape. */
export function reader<Schema extends TSchema>(schema: Schema): (text: string) => Static<Schema> | null {
  const validator = Compile(schema);
  return (text) => {
    const value = parse(text);
    return validator.Check(value) ? (value as Static<Schema>) : null;
  };
}

/** JSON with nulls left out and every number as the text it was written in: 4.90 stays "4.90", a long id keeps all digits. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) => {
      if (value === null) return undefined;
      return typeof value === 'number' ? (context?.source ?? String(value)) : value;
    });
  } catch {
    return undefined;
  }
}

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

/** Never more than 200 characters of somebody else's text. */
export function capped(text: string): string {
  return text.slice(0, 200);
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

/** A JSON number in exactly these characters. Node 24 has it; the compiler's library does not know it yet. */
function rawNumber(text: string): unknown {
  return (JSON as unknown as { rawJSON(json: string): unknown }).rawJSON(text);
}

/**
 * Status of one try to pay. A try that ended leaves the page open for another, so only the age of the token ends it for good.
 * UNSURE: the whole list is from memory.
 */
const TRANSACTION_STATUS: Readonly<Record<string, PaymentStatus>> = {
  done: 'paid',
  refunded: 'refunded',
  partial_refunded: 'refunded',
  created: 'pending',
  processing: 'pending',
  review: 'pending',
  awaiting: 'pending',
  authorized: 'pending',
  canceled: 'failed',
  error: 'failed',
  lost: 'failed',
};

// The most telling try decides: money that moved, then one still open, then one that ended.
const WEIGHT: readonly PaymentStatus[] = ['paid', 'refunded', 'pending', 'failed'];

/**
 * What the found transactions of one reference say.
 * @param isTokenOver true when the token is so old that nobody can pay with it any more: then what ended stays ended
 */
export function reportFound(found: Static<typeof Found>, reference: string, isTokenOver: boolean): PaymentReport {
  const ours = found.filter(({ transaction }) => transaction.external_id === reference);
  const telling = WEIGHT.map((status) => ours.find((one) => transactionStatus(one.transaction) === status)).find(
    Boolean,
  );
  // A transaction that names no reference could be ours: then nothing is certain.
  const isClear = found.every(({ transaction }) => transaction.external_id !== undefined);
  if (!telling) return nothing(reference, isTokenOver && isClear ? 'expired' : 'pending', 'no transaction is known');
  const { transaction, purchase } = telling;
  const status = transactionStatus(transaction);
  const price = purchase?.checkout ?? purchase?.total;
  const amount = transaction.status === 'partial_refunded' ? null : readAmount(price?.amount, price?.currency);
  const report: PaymentReport = {
    status,
    reference,
    providerRef: null,
    captureRef: transaction.id,
    amount,
    merchantAccount: transaction.project?.id ?? null,
    reason: capped(transaction.status ?? 'no status'),
  };
  // The webhook tells the price for certain; a report without one proves nothing yet.
  if (status === 'paid' && amount === null)
    return { ...report, status: 'pending', reason: 'paid, but no price was told' };
  if (status === 'failed' && !isTokenOver) return { ...report, status: 'declined' };
  return report;
}

function transactionStatus(transaction: Static<typeof Transaction>): PaymentStatus {
  return TRANSACTION_STATUS[transaction.status ?? ''] ?? 'pending';
}

export function nothing(reference: string, status: PaymentStatus, reason: string): PaymentReport {
  return { status, reference, providerRef: null, captureRef: null, amount: null, merchantAccount: null, reason };
}
