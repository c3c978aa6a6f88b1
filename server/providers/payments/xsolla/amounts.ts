// Amounts as Xsolla writes them: JSON numbers in major units, made and read as text so that no
// float is ever calculated with.
import { type Currency, exponentOf, isCurrency, type Money, parseDecimal, toDecimal } from '#kernel/money.ts';

/**
 * Decimals sent to Xsolla for the currencies this shop may charge through it.
 * @source github.com/xsolla/xsolla-sdk-php tests: 1.5 stands for 1.50
 * UNSURE: whole numbers for JPY, KRW, VND, IDR and TWD are inferred, and that all of these are open to every merchant.
 */
const DECIMALS: Readonly<Partial<Record<Currency, number>>> = {
  USD: 2,
  EUR: 2,
  GBP: 2,
  THB: 2,
  MYR: 2,
  TRY: 2,
  BRL: 2,
  RUB: 2,
  CNY: 2,
  HKD: 2,
  SGD: 2,
  PHP: 2,
  INR: 2,
  PLN: 2,
  AED: 2,
  SAR: 2,
  JPY: 0,
  KRW: 0,
  VND: 0,
  IDR: 0,
  TWD: 0,
};

export function supportsCurrency(currency: Currency): boolean {
  return DECIMALS[currency] !== undefined;
}

/** Decimal text that is also a JSON number ("4.99", "150"); null when Xsolla cannot express the amount (NT$ 1.50). */
export function writeAmount(amount: Money): string | null {
  const decimals = DECIMALS[amount.currency];
  if (decimals === undefined || amount.amountMinor <= 0) return null;
  const [whole = '', fraction = ''] = toDecimal(amount).split('.');
  if (/[^0]/.test(fraction.slice(decimals))) return null;
  return decimals === 0 ? whole : `${whole}.${fraction.slice(0, decimals)}`;
}

/**
 * Minor units of `currency`; null when it is a currency or a number this shop cannot hold.
 * @param value decimal text; JSON numbers arrive here as the text they were written in
 */
export function readAmount(value: string | undefined, currency: string | undefined): Money | null {
  if (value === undefined || currency === undefined || !isCurrency(currency)) return null;
  return parseDecimal(value, currency, exponentOf(currency));
}
