// PayPal's currencies and how many decimals each takes.

import { type Amount, minorFromText, textFromMinor } from '#simulators/kit/money.ts';
import { textAt } from '#simulators/kit/read.ts';

/** @source PayPal currency codes page. KRW, VND and IDR are not among them. */
const currencies = new Set(
  'AUD BRL CAD CNY CZK DKK EUR HKD HUF ILS JPY MYR MXN TWD NZD NOK PHP PLN GBP SGD SEK CHF THB USD'.split(' '),
);

/** @source PayPal currency codes page: a decimal value in these is an error */
const withoutDecimals = new Set(['HUF', 'JPY', 'TWD']);

export type PaypalMoney = { currency_code: string; value: string };

export const decimalsOf = (currency: string): number => (withoutDecimals.has(currency) ? 0 : 2);

export type AmountProblem =
  | 'MISSING_REQUIRED_PARAMETER'
  | 'CURRENCY_NOT_SUPPORTED'
  | 'DECIMAL_PRECISION'
  | 'CANNOT_BE_ZERO_OR_NEGATIVE';

/** Reads `{currency_code, value}`; answers PayPal's issue name when it is not acceptable. */
export function readMoney(value: unknown): Amount | AmountProblem {
  const currency = textAt(value, 'currency_code');
  const text = textAt(value, 'value');
  if (!currency || !text) return 'MISSING_REQUIRED_PARAMETER';
  if (!currencies.has(currency)) return 'CURRENCY_NOT_SUPPORTED';
  const amountMinor = minorFromText(text, decimalsOf(currency));
  if (amountMinor === undefined) return 'DECIMAL_PRECISION';
  return amountMinor > 0 ? { amountMinor, currency } : 'CANNOT_BE_ZERO_OR_NEGATIVE';
}

export function writeMoney(amount: Amount): PaypalMoney {
  return { currency_code: amount.currency, value: textFromMinor(amount.amountMinor, decimalsOf(amount.currency)) };
}
