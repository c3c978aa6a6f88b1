// Amounts as Adyen writes them: whole minor units, by Adyen's own table of decimals. No shapes, no statuses.
import { type Currency, exponentOf, isCurrency, type Money, parseDecimal, toDecimal } from '#kernel/money.ts';

/**
 * Decimals of Adyen's minor unit where they differ from ISO 4217, and the currencies with none
 * or three. The rest have two.
 * @source docs.adyen.com currency codes (CLP, CVE) and Adyen's own constant `currency-decimals` (IDR, JPY, KRW, VND);
 * ISK with two decimals: docs.adyen.com
 */
const DECIMALS: Readonly<Record<string, number>> = {
  JPY: 0,
  KRW: 0,
  VND: 0,
  IDR: 0,
  CVE: 0,
  CLP: 2,
  ISK: 2,
  KWD: 3,
  BHD: 3,
  OMR: 3,
  JOD: 3,
  TND: 3,
};

/**
 * Currencies this shop may charge through Adyen.
 * @source docs.adyen.com currency codes for USD, EUR, THB, MYR, HKD, JPY, KRW, VND, IDR
 * UNSURE: TWD and the others with two decimals are from memory; RUB and MMK are left out until seen.
 */
const SUPPORTED: ReadonlySet<Currency> = new Set<Currency>([
  'USD', 'EUR', 'JPY', 'KRW', 'TWD', 'THB', 'VND', 'IDR', 'MYR', 'TRY', 'BRL', 'CNY', 'HKD', 'SGD', 'PHP', 'INR', 'GBP', 'PLN', 'AED', 'SAR',
]); /* a row a line */ // prettier-ignore

export function supportsCurrency(currency: Currency): boolean {
  return SUPPORTED.has(currency);
}

/** Decimals of Adyen's minor unit of any ISO 4217 code. */
export function decimalsOf(currency: string): number {
  return DECIMALS[currency] ?? 2;
}

export type WireAmount = { currency: string; value: number };

/** Null when Adyen cannot express the amount: a currency left out, or a part of a rupiah. */
export function writeAmount(amount: Money): WireAmount | null {
  if (!supportsCurrency(amount.currency) || amount.amountMinor <= 0) return null;
  const decimals = decimalsOf(amount.currency);
  const [whole = '', fraction = ''] = toDecimal(amount).split('.');
  if (/[^0]/.test(fraction.slice(decimals))) return null;
  const value = Number(`${whole}${fraction.slice(0, decimals).padEnd(decimals, '0')}`);
  return Number.isSafeInteger(value) ? { currency: amount.currency, value } : null;
}

/**
 * Our minor units; null when it is a currency or a number this shop cannot hold.
 * @param value whole minor units as text, the way they were written
 */
export function readAmount(value: string | undefined, currency: string | undefined): Money | null {
  if (value === undefined || currency === undefined || !isCurrency(currency) || !/^\d{1,15}$/.test(value)) return null;
  const decimals = decimalsOf(currency);
  const digits = value.padStart(decimals + 1, '0');
  const text = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
  return parseDecimal(text, currency, exponentOf(currency));
}
