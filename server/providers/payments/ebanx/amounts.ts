// Amounts as EBANX writes them: decimals in major units, two places, none for a few currencies. No shapes, no statuses.
import { type Currency, isCurrency, type Money, parseDecimal, toDecimal } from '#kernel/money.ts';

/**
 * Currencies of EBANX and their decimals there.
 * @source github.com/ebanx/benjamin, Currency. UNSURE: that CLP and PYG must be whole is
 *   inferred; answers show "44933.00"
 */
const DECIMALS: Readonly<Record<string, number>> = {
  USD: 2, EUR: 2, BRL: 2, MXN: 2, ARS: 2, COP: 2, PEN: 2, BOB: 2, UYU: 2, GTQ: 2, CLP: 0, PYG: 0,
}; /* a row a line */ // prettier-ignore

export function supportsCurrency(currency: Currency): boolean {
  return Object.hasOwn(DECIMALS, currency);
}

/** Decimals of any currency EBANX takes; null for others. */
export function decimalsOf(currency: string): number | null {
  return Object.hasOwn(DECIMALS, currency) ? (DECIMALS[currency] ?? null) : null;
}

/** "22.00"; null when EBANX cannot charge it. */
export function writeAmount(amount: Money): string | null {
  return supportsCurrency(amount.currency) && amount.amountMinor > 0 ? toDecimal(amount) : null;
}

/** Our minor units; null for a currency or a number this shop cannot hold. */
export function readAmount(text: string | undefined, currency: string | undefined): Money | null {
  if (text === undefined || currency === undefined || !isCurrency(currency) || !supportsCurrency(currency)) return null;
  return parseDecimal(text, currency);
}
