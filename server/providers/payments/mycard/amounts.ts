// Amounts as MyCard writes them: decimal text, whole or with at most two decimals. No shapes, no statuses.
import { type Currency, isCurrency, type Money, parseDecimal, toDecimal } from '#kernel/money.ts';

/**
 * Currencies this shop may charge through MyCard, and the decimals each is written with.
 * @source integrations of MyBillingPay: TWD in whole dollars, "whole or at most two decimals" for the rest
 * UNSURE: MyCard sells in more (MYR, SGD, PHP, THB among them, from memory); those are off until somebody has seen one.
 */
const DECIMALS: Partial<Record<Currency, number>> = { TWD: 0, HKD: 2, USD: 2 };

export function supportsCurrency(currency: Currency): boolean {
  return DECIMALS[currency] !== undefined;
}

/**
 * "150" for NT$150, "4.99" for $4.99; null when MyCard cannot express it: a currency left out,
 * or cents of a Taiwan dollar.
 */
export function writeAmount(amount: Money): string | null {
  const decimals = DECIMALS[amount.currency];
  if (decimals === undefined || amount.amountMinor <= 0) return null;
  const [whole = '', fraction = ''] = toDecimal(amount).split('.');
  if (/[^0]/.test(fraction.slice(decimals))) return null;
  return /[^0]/.test(fraction) ? `${whole}.${fraction.slice(0, decimals)}` : whole;
}

/** Our minor units of "150", "150.00" or "4.99"; null when it is no amount, or in a currency this shop cannot hold. */
export function readAmount(text: string | undefined, currency: string | undefined): Money | null {
  if (text === undefined || currency === undefined || !isCurrency(currency)) return null;
  return parseDecimal(text.trim(), currency);
}
