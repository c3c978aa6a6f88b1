// Amounts as Airwallex writes them: a JSON number in major units. No shapes, no statuses.
import { type Currency, isCurrency, type Money, parseDecimal, toDecimal } from '#kernel/money.ts';

/**
 * Currencies this shop may charge through Airwallex, with the decimals an amount may have. TWD and IDR have two in ISO
 * 4217, but several wallets take whole units only, so parts of them are never asked for.
 * @source airwallex.com/docs supported currencies (JPY, KRW, VND none; USD, THB, MYR two)
 * UNSURE: the others are from memory; TRY, BRL, INR, RUB and MMK are left out until seen.
 */
const DECIMALS: Partial<Record<Currency, number>> = {
  USD: 2, EUR: 2, GBP: 2, CNY: 2, HKD: 2, SGD: 2, MYR: 2, THB: 2, PHP: 2, PLN: 2, AED: 2, SAR: 2,
  JPY: 0, KRW: 0, VND: 0, TWD: 0, IDR: 0,
}; /* a row a line */ // prettier-ignore

export function supportsCurrency(currency: Currency): boolean {
  return DECIMALS[currency] !== undefined;
}

/** A double holds 15 decimal digits for certain: a number of that many is written back as it was read. */
const MAX_DIGITS = 15;

/** Major units; null when Airwallex cannot express the amount: a currency left out, or a part of a dollar of Taiwan. */
export function writeAmount(amount: Money): number | null {
  const decimals = DECIMALS[amount.currency];
  if (decimals === undefined || amount.amountMinor <= 0) return null;
  const [whole = '', fraction = ''] = toDecimal(amount).split('.');
  if (/[^0]/.test(fraction.slice(decimals)) || whole.length + fraction.length > MAX_DIGITS) return null;
  return Number(`${whole}.${fraction}`);
}

/**
 * Our minor units; null when it is a currency or a number this shop cannot hold.
 * @param value major units as text, the way the number was written
 */
export function readAmount(value: string | undefined, currency: string | undefined): Money | null {
  if (value === undefined || currency === undefined || !isCurrency(currency)) return null;
  return parseDecimal(value, currency);
}
