// Amounts as Adyen writes them: whole minor units, by Adyen's own table of decimals.
import type { Money } from '#kernel/money.ts';
import { createAmounts } from '#server/providers/payments/kit/amounts.ts';

/**
 * @source docs.adyen.com currency codes: ISO 4217, but CLP, CVE and ISK; Adyen's own constant `currency-decimals` (IDR)
 * UNSURE: that TWD and the others with two decimals may be charged is from memory; RUB and MMK are left out until seen.
 */
const amounts = createAmounts({
  title: 'Adyen',
  form: 'minor',
  currencies: [
    'USD', 'EUR', 'JPY', 'KRW', 'TWD', 'THB', 'VND', 'IDR', 'MYR', 'TRY', 'BRL', 'CNY', 'HKD', 'SGD', 'PHP', 'INR', 'GBP', 'PLN', 'AED', 'SAR',
  ] /* a row a line */, // prettier-ignore
  decimals: { IDR: 0, CVE: 0, CLP: 2, ISK: 2 },
});

export const { decimalsOf, failRefund, read: readAmount, refuse, supportsCurrency } = amounts;

export type WireAmount = { currency: string; value: number };

/** Null when Adyen cannot express the amount: a currency left out, or a part of a rupiah. */
export function writeAmount(amount: Money): WireAmount | null {
  const value = amounts.write(amount);
  return value === null ? null : { currency: amount.currency, value: Number(value) };
}
