// Amounts as Pagsmile writes them: decimal text in major units. No shapes, no statuses.
import { type Currency, isCurrency, type Money, parseDecimal, toDecimal } from '#kernel/money.ts';

/**
 * Currencies of Pagsmile's methods that this shop knows, with the decimals an amount may have.
 * @source docs.pagsmile.com, payment methods: limits by country; IDR by bank transfer takes integers only
 * UNSURE: whole units of KRW and TWD are inferred, and IDR is whole for wallets too.
 */
const DECIMALS: Partial<Record<Currency, number>> = {
  BRL: 2, RUB: 2, TRY: 2, CNY: 2, HKD: 2, MYR: 2, PHP: 2, THB: 2, SAR: 2, AED: 2, USD: 2,
  KRW: 0, TWD: 0, IDR: 0,
}; /* a row a line */ // prettier-ignore

export function supportsCurrency(currency: Currency): boolean {
  return DECIMALS[currency] !== undefined;
}

/**
 * The largest amount of an order, major units. @source docs.pagsmile.com, checkout page:
 * `order_amount`, 0.01 to 999999999
 */
const MOST_DIGITS = 9;

/** "12.01", "150"; null when Pagsmile cannot express the amount: a currency left out, or a part of a rupiah. */
export function writeAmount(amount: Money): string | null {
  const decimals = DECIMALS[amount.currency];
  if (decimals === undefined || amount.amountMinor <= 0) return null;
  const [whole = '', fraction = ''] = toDecimal(amount).split('.');
  if (/[^0]/.test(fraction.slice(decimals)) || whole.length > MOST_DIGITS) return null;
  return decimals === 0 ? whole : `${whole}.${fraction.slice(0, decimals)}`;
}

/** Our minor units; null when it is a currency or a number this shop cannot hold. @param value major units as text */
export function readAmount(value: string | undefined, currency: string | undefined): Money | null {
  if (value === undefined || currency === undefined || !isCurrency(currency)) return null;
  return parseDecimal(value, currency);
}
