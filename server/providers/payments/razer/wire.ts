// Razer Gold's payment API v1 on the wire: fields, and what statuses and errors mean to us. Pure: no calls, no clock.
// @source manual v1.20 ("MOL Global API") and the Razer hosts of 2023 and 2025, as public
// integrations quote them; see README.md
import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { toDecimal } from '#kernel/money.ts';
import type { CreatePayment, PaymentReport, PaymentStatus } from '#server/modules/payments/provider.ts';
import { isCertainRefusal } from '#server/providers/payments/kit/certainty.ts';
import { statusIn } from '#server/providers/payments/kit/report.ts';
import { readAmount } from './amounts.ts';
import type { RazerChannel } from './settings.ts';
import type { Fields } from './signature.ts';

/** Flat JSON as texts, the way it was written, nulls left out: exactly that is signed. Null when it is no flat JSON. */
export function readAnswer(text: string): Fields | null {
  try {
    const value: unknown = JSON.parse(text, (_key, one: unknown, context?: { source?: string }) => {
      if (one === null) return undefined;
      return typeof one === 'number' || typeof one === 'boolean' ? (context?.source ?? String(one)) : one;
    });
    return Flat.Check(value) ? value : null;
  } catch {
    return null;
  }
}

/** Form or address fields as they came. */
export function readForm(text: string): Fields {
  return Object.fromEntries(new URLSearchParams(text));
}

const Flat = Compile(Type.Record(Type.String(), Type.String()));

const Created = Type.Object({
  applicationCode: Type.String(),
  referenceId: Type.String(),
  paymentId: Type.String({ minLength: 1, maxLength: 100 }),
  paymentUrl: Type.String({ maxLength: 4000 }),
});
const createdForm = Compile(Created);

/** A new payment's answer must have these, once its signature was found good. */
export function readCreated(fields: Fields): Static<typeof Created> | null {
  return createdForm.Check(fields) ? fields : null;
}

const Fault = Type.Object({ code: Type.String({ pattern: '^\\d{5}$' }), message: Type.Optional(Type.String()) });
const faultForm = Compile(Fault);

/** An error in Razer's own form: `{code, message}`. */
export function readFault(text: string): { code: string; reason: string } | null {
  const fields = readAnswer(text);
  if (!fields || !faultForm.Check(fields)) return null;
  return { code: fields.code, reason: `${fields.code} ${fields.message ?? ''}`.trim().slice(0, 200) };
}

/**
 * Returns true when an error proves that nothing was made. 40004: the number was used before, so a payment under it may
 * exist. 5xx prove nothing.
 * @source integrations: 400xx parameters, 401xx credentials
 */
export function isRefusal(status: number, code: string): boolean {
  return isCertainRefusal(status) && code !== '40004';
}

/** UNSURE: the longest description is not known. */
const DESCRIPTION_LENGTH = 100;

/**
 * "980 Crystals (USD 19.99)": no other field of a card that is its own price names the price, and the player has to
 * choose a PIN of exactly that value.
 */
function describeCardPriced({ productName, amount }: CreatePayment): string {
  const price = ` (${amount.currency} ${toDecimal(amount)})`;
  return `${productName.slice(0, DESCRIPTION_LENGTH - price.length)}${price}`;
}

/** Fields of a new payment, unsigned. A card that is its own price gets neither amount nor currency. */
export function writePayment(
  input: CreatePayment,
  given: { applicationCode: string; amount: string; channel: RazerChannel; callbackUrl: string },
): Fields {
  const { number, isCardPriced } = given.channel;
  return {
    applicationCode: given.applicationCode,
    referenceId: input.reference,
    version: 'v1',
    ...(isCardPriced ? {} : { amount: given.amount, currencyCode: input.amount.currency }),
    returnUrl: input.returnUrl,
    description: isCardPriced ? describeCardPriced(input) : input.productName.slice(0, DESCRIPTION_LENGTH),
    customerId: input.playerRef,
    ...(number === null ? {} : { channelId: number }),
    ...(given.callbackUrl === '' ? {} : { callbackUrl: given.callbackUrl }),
  };
}

/**
 * Only 00 is documented. UNSURE: the others are from memory (01 incomplete, 02 expired, 03 cancelled, 99 failure),
 * so none of them ends an order.
 */
const STATUS: Readonly<Record<string, PaymentStatus>> = {
  '00': 'paid',
  '01': 'pending',
  '02': 'pending',
  '03': 'declined',
  '99': 'declined',
};

const plain = (pattern: string) => Type.String({ pattern: `^(?:${pattern})$` });

const Notice = Type.Object(
  {
    applicationCode: plain('[0-9A-Za-z]{1,64}'),
    referenceId: plain('[0-9A-Za-z_-]{1,64}'),
    paymentId: plain('[0-9A-Za-z_-]{1,64}'),
    version: plain('v1'),
    amount: Type.Optional(plain('[0-9]{0,15}')),
    currencyCode: Type.Optional(plain('[A-Z]{0,3}')),
    paymentStatusCode: plain('[0-9]{2}'),
    paymentStatusDate: plain('[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{5,20}(?:Z|[+-][0-9]{2}:[0-9]{2})?'),
    channelId: Type.Optional(plain('[0-9]{0,9}')),
    customerId: Type.Optional(Type.String({ maxLength: 200 })),
    VirtualCurrencyAmount: Type.Optional(Type.Literal('')),
    virtualCurrencyAmount: Type.Optional(Type.String({ maxLength: 30 })),
    hashType: Type.Optional(Type.String()),
    signature: Type.String(),
  },
  { additionalProperties: false },
);
const noticeForm = Compile(Notice);

/**
 * Returns true when a callback has the known fields and no others, each in its own form. The signature covers neither
 * names nor where one value ends and the next begins: with fields to choose freely, "…00" + "99" + "2026…" of a failed
 * payment could be read as a paid one. VirtualCurrencyAmount stands right before the amount, so one that is filled is
 * not believed. What is refused here is found by asking.
 */
export function isNotice(fields: Fields): boolean {
  return noticeForm.Check(fields);
}

const paymentStatus = (code: string | undefined): PaymentStatus => statusIn(STATUS, code);

/** Reports a payment from verified fields of a callback or of a query. */
export function reportPayment(fields: Fields): PaymentReport {
  const code = fields['paymentStatusCode'] ?? '';
  const status = paymentStatus(code);
  const paymentId = fields['paymentId'] || null;
  return {
    status,
    reference: fields['referenceId'] || null,
    providerRef: paymentId,
    captureRef: status === 'paid' ? paymentId : null,
    amount: readAmount(fields['amount'], fields['currencyCode']),
    merchantAccount: fields['applicationCode'] || null,
    reason: `status ${code} ${fields['paymentStatusDate'] ?? ''}`.trim().slice(0, 200),
  };
}
