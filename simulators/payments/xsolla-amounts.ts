// Xsolla writes amounts as JSON numbers in major units; here they become minor units by way of
// their text, never by arithmetic.

import { type Amount, minorFromText, textFromMinor } from '#simulators/kit/money.ts';
import { numberAt, textAt } from '#simulators/kit/read.ts';

/** UNSURE: Xsolla does not publish which currencies take whole numbers only; these are inferred. */
const withoutDecimals = new Set(['JPY', 'KRW', 'VND', 'IDR', 'TWD']);

export const decimalsOf = (currency: string): number => (withoutDecimals.has(currency) ? 0 : 2);

/** Reads `{amount, currency}`; undefined when it is not a positive amount of that currency. */
export function readMoney(value: unknown): Amount | undefined {
  const currency = textAt(value, 'currency');
  const major = numberAt(value, 'amount');
  if (!currency || !/^[A-Z]{3}$/.test(currency) || major === undefined) return undefined;
  // The shortest text of a number that came as `4.99` is `4.99` again.
  const amountMinor = minorFromText(String(major), decimalsOf(currency));
  return amountMinor === undefined || amountMinor === 0 ? undefined : { amountMinor, currency };
}

export function writeMoney(amount: Amount): { currency: string; amount: number } {
  return { currency: amount.currency, amount: Number(textFromMinor(amount.amountMinor, decimalsOf(amount.currency))) };
}
