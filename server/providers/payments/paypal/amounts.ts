// Amounts as PayPal writes them: decimal text, by PayPal's own rules on decimals. No shapes, no statuses.
import { type Currency, exponentOf, isCurrency, type Money, parseDecimal, toDecimal } from '#kernel/money.ts';

/**
 * Decimals PayPal allows, for the currencies this shop may charge through it.
 * KRW, VND and IDR are no PayPal currencies; BRL, MYR, CNY and INR exist for accounts of
 * that country only and stay out.
 * @source developer.paypal.com currency codes page: HUF, JPY and TWD take no decimals
 * UNSURE: TRY and RUB were on older lists of the page; left out until seen.
 */
const DECIMALS: Readonly<Partial<Record<Currency, number>>> = {
  USD: 2,
  EUR: 2,
  GBP: 2,
  HKD: 2,
  SGD: 2,
  THB: 2,
  PHP: 2,
  PLN: 2,
  JPY: 0,
  TWD: 0,
};

export function supportsCurrency(currency: Currency): boolean {
  return DECIMALS[currency] !== undefined;
}

/** Decimals of PayPal's amounts in a currency; undefined for one this shop does not charge through it. */
export function decimalsOf(currency: Currency): number | undefined {
  return DECIMALS[currency];
}

export type WireAmount = { currency_code: string; value: string };

/** Null when PayPal cannot express the amount: an unknown currency, or decimals where it takes none (NT$ 1.50). */
export function writeAmount(amount: Money): WireAmount | null {
  const decimals = DECIMALS[amount.currency];
  if (decimals === undefined || amount.amountMinor <= 0) return null;
  const text = toDecimal(amount);
  const [whole = '', fraction = ''] = text.split('.');
  if (/[^0]/.test(fraction.slice(decimals))) return null;
  return { currency_code: amount.currency, value: decimals === 0 ? whole : `${whole}.${fraction.slice(0, decimals)}` };
}

/** Minor units of `currency_code`; null when it is a currency or a number this shop cannot hold. */
export function readAmount(wire: WireAmount | undefined): Money | null {
  if (!wire || !isCurrency(wire.currency_code)) return null;
  return parseDecimal(wire.value, wire.currency_code, exponentOf(wire.currency_code));
}
