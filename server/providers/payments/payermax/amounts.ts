// Amounts as PayerMax writes them: JSON numbers in major units, by its own table of decimals. No shapes, no statuses.
import { type Currency, exponentOf, isCurrency, type Money, parseDecimal, toDecimal } from '#kernel/money.ts';

/**
 * Decimals at PayerMax where they are not two; its table is not ISO 4217 (IDR, TWD, PKR, COP
 * without, the dinars with two).
 * @source docs.payermax.com, currencies; the two decimals of the dinars are said of
 *   refunds. UNSURE: the same for orders
 */
const DECIMALS: Readonly<Record<string, number>> = { JPY: 0, KRW: 0, VND: 0, IDR: 0, TWD: 0, PKR: 0, COP: 0, CLP: 0 };

/**
 * Currencies this shop may charge through PayerMax. UNSURE: CNY, RUB and MMK are left out until a contract shows them.
 */
const SUPPORTED: ReadonlySet<Currency> = new Set<Currency>([
  'USD', 'EUR', 'GBP', 'JPY', 'KRW', 'TWD', 'HKD', 'SGD', 'MYR', 'THB', 'PHP', 'VND', 'IDR', 'INR', 'TRY', 'BRL', 'PLN', 'AED', 'SAR',
]); /* a row a line */ // prettier-ignore

export function supportsCurrency(currency: Currency): boolean {
  return SUPPORTED.has(currency);
}

/** Decimals of any ISO 4217 code at PayerMax. */
export function decimalsOf(currency: string): number {
  return DECIMALS[currency] ?? 2;
}

/** Decimal text of major units ("4.99", "10000"); null when PayerMax cannot express the amount. */
export function writeAmount(amount: Money): string | null {
  if (!supportsCurrency(amount.currency) || amount.amountMinor <= 0) return null;
  const decimals = decimalsOf(amount.currency);
  const [whole = '', fraction = ''] = toDecimal(amount).split('.');
  if (/[^0]/.test(fraction.slice(decimals))) return null;
  const kept = fraction.slice(0, decimals);
  return kept === '' ? whole : `${whole}.${kept}`;
}

/**
 * Our minor units; null when it is a currency or a number this shop cannot hold.
 * @param text the number as it was written: "10000", "4.9", "4.90"
 */
export function readAmount(text: string | undefined, currency: string | undefined): Money | null {
  if (text === undefined || currency === undefined || !isCurrency(currency)) return null;
  return parseDecimal(text, currency, exponentOf(currency));
}
