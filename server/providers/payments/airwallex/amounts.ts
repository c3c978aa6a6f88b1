// Amounts as Airwallex writes them: a JSON number in major units.
import type { Money } from '#kernel/money.ts';
import { createAmounts, EXACT_DIGITS } from '#server/providers/payments/kit/amounts.ts';

/**
 * TWD and IDR have two decimals in ISO 4217, but several wallets take whole units only, so parts of them are never
 * asked for.
 * @source airwallex.com/docs supported currencies (JPY, KRW, VND none; USD, THB, MYR two)
 * UNSURE: the others are from memory; TRY, BRL, INR, RUB and MMK are left out until seen.
 */
const amounts = createAmounts({
  title: 'Airwallex',
  form: 'major',
  currencies: [
    'USD', 'EUR', 'GBP', 'CNY', 'HKD', 'SGD', 'MYR', 'THB', 'PHP', 'PLN', 'AED', 'SAR', 'JPY', 'KRW', 'VND', 'TWD', 'IDR',
  ] /* a row a line */, // prettier-ignore
  decimals: { TWD: 0, IDR: 0 },
  maxDigits: EXACT_DIGITS,
});

export const { failRefund, read: readAmount, refuse, supportsCurrency } = amounts;

/** Major units; null when Airwallex cannot express the amount: a currency left out, or a part of a dollar of Taiwan. */
export function writeAmount(amount: Money): number | null {
  const text = amounts.write(amount);
  return text === null ? null : Number(text);
}
