// How one provider of the family writes: form or JSON, whole units or decimals, and its signature.

import { createHmac } from 'node:crypto';
import { type Amount, minorFromText, textFromMinor } from '#simulators/kit/money.ts';
import type { Look } from '#simulators/kit/page.ts';

export type Manner = {
  title: string;
  look: Look;
  /** JSON, else forms. */
  isJson: boolean;
  /** Amounts in whole minor units, else in decimals. */
  isWhole: boolean;
  currencies: string[];
};

export type Account = { merchantId: string; secret: string };

export type Fields = Record<string, string>;

/** @source ISO 4217 table A.1, for the currencies that the simulators take */
const decimals: Record<string, number> = { USD: 2, EUR: 2, TWD: 2, JPY: 0, KRW: 0, VND: 0 };

export const decimalsOf = (currency: string): number => decimals[currency] ?? 2;

export function writeMoney(manner: Manner, amount: Amount): { amount: string; currency: string } {
  const text = textFromMinor(amount.amountMinor, manner.isWhole ? 0 : decimalsOf(amount.currency));
  return { amount: text, currency: amount.currency };
}

export function readMoney(manner: Manner, fields: Fields): Amount | undefined {
  const currency = fields['currency'] ?? '';
  if (!manner.currencies.includes(currency)) return undefined;
  const amountMinor = minorFromText(fields['amount'] ?? '', manner.isWhole ? 0 : decimalsOf(currency));
  return amountMinor ? { amountMinor, currency } : undefined;
}

/** Every field but `sign` that says something, sorted by name, `name=value` joined by `&`. */
function redirectText(fields: Fields): string {
  const signed = Object.keys(fields).filter((name) => name !== 'sign' && fields[name] !== '');
  return signed
    .toSorted((one, other) => (one < other ? -1 : 1))
    .map((name) => `${name}=${fields[name]}`)
    .join('&');
}

/** HMAC-SHA256, lower-case hex. */
export function redirectSign(fields: Fields, secret: string): string {
  return createHmac('sha256', secret).update(redirectText(fields)).digest('hex');
}
