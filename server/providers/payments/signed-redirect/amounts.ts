// Amounts as the contract writes them: whole minor units or decimals, by its own table of decimals
// where that differs from ISO 4217.
import { type Currency, exponentOf, isCurrency, type Money, parseDecimal, toDecimal } from '#kernel/money.ts';
import type { Options } from './options.ts';

type AmountOptions = Pick<Options, 'amountFormat' | 'currencies' | 'decimals'>;

function decimalsOf(options: AmountOptions, currency: Currency): number {
  return options.decimals[currency] ?? exponentOf(currency);
}

/** Null when the contract cannot express it: another currency, or a part of its smallest unit. */
export function writeAmount(options: AmountOptions, amount: Money): string | null {
  if (!options.currencies.includes(amount.currency) || amount.amountMinor <= 0) return null;
  const decimals = decimalsOf(options, amount.currency);
  const [whole = '', fraction = ''] = toDecimal(amount).split('.');
  if (/[^0]/.test(fraction.slice(decimals))) return null;
  const kept = fraction.slice(0, decimals).padEnd(decimals, '0');
  if (options.amountFormat === 'minor_int') return `${whole}${kept}`.replace(/^0+(?=\d)/, '');
  return decimals === 0 ? whole : `${whole}.${kept}`;
}

/** Our minor units; null when it is a number or a currency this shop cannot hold. */
export function readAmount(options: AmountOptions, text: string, currency: string): Money | null {
  if (!isCurrency(currency)) return null;
  const decimals = decimalsOf(options, currency);
  if (options.amountFormat === 'major_decimal') return parseDecimal(text, currency);
  if (!/^\d{1,15}$/.test(text)) return null;
  const digits = text.padStart(decimals + 1, '0');
  const decimal = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
  return parseDecimal(decimal, currency);
}
