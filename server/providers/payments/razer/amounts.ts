// Amounts as Razer writes them: whole numbers with two implied decimals, whatever the currency. No shapes, no statuses.
import { type Currency, isCurrency, type Money, parseDecimal, toDecimal } from '#kernel/money.ts';

/**
 * Currencies this shop may charge through Razer.
 * @source integrations: MYR and USD documented, TWD seen; the others here have two decimals everywhere
 * UNSURE: IDR, VND, KRW and JPY are said to have two implied decimals as well; they are off until seen in the sandbox.
 */
const SUPPORTED: ReadonlySet<Currency> = new Set<Currency>([
  'MYR',
  'USD',
  'SGD',
  'THB',
  'PHP',
  'TWD',
  'HKD',
  'INR',
  'BRL',
  'TRY',
  'EUR',
]);

export function supportsCurrency(currency: Currency): boolean {
  return SUPPORTED.has(currency);
}

/** "1000" for MYR 10.00; null when Razer cannot take it. */
export function writeAmount(amount: Money): string | null {
  if (!supportsCurrency(amount.currency) || amount.amountMinor <= 0) return null;
  return toDecimal(amount).replace('.', '').replace(/^0+/, '');
}

/**
 * Our minor units of a whole number with two implied decimals; null when it is none, or in a
 * currency this shop cannot hold.
 */
export function readAmount(text: string | undefined, currency: string | undefined): Money | null {
  if (text === undefined || currency === undefined || !isCurrency(currency) || !/^\d{1,15}$/.test(text)) return null;
  const digits = text.padStart(3, '0');
  return parseDecimal(`${digits.slice(0, -2)}.${digits.slice(-2)}`, currency);
}
