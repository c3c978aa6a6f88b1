// Amounts as Alipay writes them: minor units as text at Antom, yuan with two decimals on the Open
// Platform. No shapes, no statuses.
import { type Currency, exponentOf, isCurrency, type Money, parseDecimal, toDecimal } from '#kernel/money.ts';

/**
 * Decimals of Antom's smallest unit where it is not the hundredth.
 * @source docs.antom.com, Amount: "the smallest currency unit", 100 for one dollar and 1 for one yen
 * UNSURE: VND and KRW as whole units are from memory, consistent with the examples of its SDKs
 */
const DECIMALS: Readonly<Record<string, number>> = { JPY: 0, KRW: 0, VND: 0 };

/**
 * Currencies this shop may charge through Antom. The Open Platform takes CNY only, see writeYuan.
 * UNSURE: TWD, IDR, MMK and RUB are left out until their decimals are seen at Antom.
 */
const SUPPORTED: ReadonlySet<Currency> = new Set<Currency>([
  'USD', 'EUR', 'GBP', 'CNY', 'HKD', 'SGD', 'MYR', 'THB', 'PHP', 'JPY', 'KRW', 'VND', 'BRL', 'TRY', 'AED', 'SAR', 'INR', 'PLN',
]); /* a row a line */ // prettier-ignore

export function supportsCurrency(currency: Currency): boolean {
  return SUPPORTED.has(currency);
}

/** Decimals of Antom's smallest unit of any ISO 4217 code. */
export function decimalsOf(currency: string): number {
  return DECIMALS[currency] ?? 2;
}

/** `value`: an integer of smallest units, as text. */
export type WireAmount = { currency: string; value: string };

/** Null when Antom cannot express the amount. */
export function writeAmount(amount: Money): WireAmount | null {
  if (!supportsCurrency(amount.currency) || amount.amountMinor <= 0) return null;
  const decimals = decimalsOf(amount.currency);
  // Every supported currency has as many decimals at Antom as in ISO 4217; a table that says otherwise
  // must not shift money silently.
  if (decimals !== exponentOf(amount.currency)) return null;
  return { currency: amount.currency, value: String(amount.amountMinor) };
}

/** Our minor units; null when it is a currency or a number this shop cannot hold. */
export function readAmount(value: string | undefined, currency: string | undefined): Money | null {
  if (value === undefined || currency === undefined || !isCurrency(currency) || !/^\d{1,15}$/.test(value)) return null;
  const decimals = decimalsOf(currency);
  const digits = value.padStart(decimals + 1, '0');
  const text = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
  return parseDecimal(text, currency, exponentOf(currency));
}

/**
 * Yuan with two decimals ("4.99"); null for any other currency. @source opendocs.alipay.com,
 * alipay.trade.page.pay, total_amount
 */
export function writeYuan(amount: Money): string | null {
  return amount.currency === 'CNY' && amount.amountMinor > 0 ? toDecimal(amount) : null;
}

export function readYuan(text: string | undefined): Money | null {
  return text === undefined ? null : parseDecimal(text, 'CNY');
}
