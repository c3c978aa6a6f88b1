// The messages of the family: what is sent, what a notice and an answer say. Pure: no calls, no clock, no chance.
// Nothing here is published by a provider; it is our own smallest plausible contract, and
// settings bend it to the real one.
import type { Money } from '#kernel/money.ts';
import type { CreatePayment, PaymentReport, PaymentStatus, RefundOutcome } from '#server/modules/payments/provider.ts';
import { capped } from '#server/providers/payments/kit/json.ts';
import { refundOfAmount } from '#server/providers/payments/kit/refund.ts';
import { amountsOf } from './amounts.ts';
import type { Options } from './options.ts';
import type { Field, Message } from './profile.ts';
import { isSignature, type Pairs, signedText, signText } from './signature.ts';

/** Time and chance of one message: seconds of the epoch and 16 hex digits. */
export type Stamp = { readonly timestamp: string; readonly nonce: string };

/** A message under their names, signed. */
export function writeMessage(
  options: Options,
  message: Message,
  stamp: Stamp,
  fields: Partial<Record<Field, string>>,
): Pairs {
  const all: Partial<Record<Field, string>> = {
    merchant_id: options.merchantId,
    ...fields,
    ...stamp,
    sign_type: options.signType,
  };
  const named = Object.entries(all).filter(([, value]) => value !== '' || !options.skipEmpty);
  const pairs = Object.fromEntries(named.map(([field, value]) => [options.names[field as Field], value]));
  return { ...pairs, [options.names.sign]: signText(options, signedText(options, message, pairs)) };
}

export function writeCreate(options: Options, stamp: Stamp, input: CreatePayment, amount: string): Pairs {
  return writeMessage(options, 'create', stamp, {
    order_no: input.reference,
    amount,
    currency: input.amount.currency,
    product_name: input.productName,
    user_id: input.playerRef,
    return_url: input.returnUrl,
    notify_url: input.notifyUrl,
  });
}

/** The body or query of a call, and its content type. */
export function encode(encoding: Options['encoding'], pairs: Pairs): { text: string; contentType: string } {
  return encoding === 'json'
    ? { text: JSON.stringify(pairs), contentType: 'application/json' }
    : { text: new URLSearchParams(pairs).toString(), contentType: 'application/x-www-form-urlencoded' };
}

/**
 * Fields of a flat JSON object, every number as the text it was written in, because that text is
 * signed; null when it is none.
 */
export function readJson(text: string): Pairs | null {
  try {
    const value = JSON.parse(text, (_key, one: unknown, context?: { source?: string }) =>
      typeof one === 'number' || typeof one === 'boolean' ? (context?.source ?? String(one)) : (one ?? ''),
    ) as unknown;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
    const entries = Object.entries(value);
    return entries.every(([, one]) => typeof one === 'string') ? Object.fromEntries(entries) : null;
  } catch {
    return null;
  }
}

/** Fields of a form; null when one comes twice, for nobody could say which of them was signed. */
export function readForm(text: string): Pairs | null {
  const form = new URLSearchParams(text);
  return new Set(form.keys()).size === form.size ? Object.fromEntries(form) : null;
}

/** Returns true when they signed a notice or the answer to a query, with the very algorithm of the contract. */
export function isNoticeSigned(options: Options, pairs: Pairs): boolean {
  const signType = pairs[options.names.sign_type];
  // Never let the message choose how it is proven.
  if (signType !== undefined && signType !== options.signType) return false;
  return isSignature(options, signedText(options, 'notify', pairs), pairs[options.names.sign]);
}

/** Reports a payment from a notice or the answer to a query. */
export function reportPayment(options: Options, pairs: Pairs): PaymentReport {
  const { names } = options;
  const word = pairs[names.status] ?? '';
  // A contract of one currency may leave it unsaid.
  const currency = pairs[names.currency] ?? (options.currencies.length === 1 ? (options.currencies[0] ?? '') : '');
  const status = options.statuses.get(word) ?? 'unknown';
  const isRefund = status === 'refunded';
  return {
    status,
    reference: pairs[names.order_no] || null,
    providerRef: null,
    captureRef: pairs[names.provider_order_no] || null,
    amount: amountsOf(options).read(pairs[names.amount], currency),
    // The contract wants the number of the refund; without it two parts of one amount look alike.
    ...(isRefund && !pairs[names.refund_no] ? { amountDoubt: 'part' as const } : {}),
    merchantAccount: pairs[names.merchant_id] ?? null,
    reason: capped(word === '' ? 'no status' : word),
  };
}

/**
 * Equal notices have equal keys; another status of the same payment has another one, and so has each refunded part.
 * UNSURE: that a notice names the refund, as the contract wants it.
 */
export function dedupKeyOf(options: Options, pairs: Pairs): string {
  const { names } = options;
  const isRefund = options.statuses.get(pairs[names.status] ?? '') === 'refunded';
  const part = isRefund ? [names.amount, ...(pairs[names.refund_no] ? [names.refund_no] : [])] : [];
  return [names.order_no, names.provider_order_no, names.status, ...part]
    .map((name) => pairs[name] ?? '')
    .join(':')
    .slice(0, 300);
}

/** Returns true when the provider's answer says that all went well. */
export function isOk(options: Options, pairs: Pairs): boolean {
  return pairs[options.names.code] === options.okCode;
}

/** One sentence of an answer that says no. */
export function reasonOf(options: Options, pairs: Pairs): string {
  const { names } = options;
  return capped([pairs[names.code], pairs[names.message]].filter(Boolean).join(' ') || 'no reason');
}

/**
 * Reads the answer to a refund. UNSURE: whether code alone says that the money went back; a status beside it is read
 * with STATUS_MAP, where paid or refunded means done.
 */
export function readRefund(options: Options, status: number, pairs: Pairs | null, asked: Money): RefundOutcome {
  const amount = amountsOf(options).read(
    pairs?.[options.names.amount],
    pairs?.[options.names.currency] ?? asked.currency,
  );
  const outcome = (kind: RefundOutcome['status'], reason: string): RefundOutcome =>
    refundOfAmount(
      { status: kind, refundProviderRef: pairs?.[options.names.provider_order_no] || null, reason },
      amount,
      asked,
    );
  if (!pairs || status >= 500 || pairs[options.names.code] === undefined)
    return outcome('unknown', `${options.title} answered ${status}`);
  const code = pairs[options.names.code] ?? '';
  if (options.duplicateCodes.includes(code)) return outcome('unknown', reasonOf(options, pairs));
  if (!isOk(options, pairs)) return outcome('failed', reasonOf(options, pairs));
  const word = pairs[options.names.status];
  const said: PaymentStatus = word === undefined ? 'refunded' : (options.statuses.get(word) ?? 'unknown');
  if (said === 'paid' || said === 'refunded') return outcome('done', word ?? code);
  if (said === 'unknown') return outcome('unknown', word ?? code);
  return outcome(said === 'failed' || said === 'declined' ? 'failed' : 'pending', word ?? code);
}
