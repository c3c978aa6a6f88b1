// Amounts as PayPal writes them: decimal text, by PayPal's own rules on decimals.
import type { Money } from '#kernel/money.ts';
import { type AmountRules, createAmounts } from '#server/providers/payments/kit/amounts.ts';

/**
 * KRW, VND and IDR are no PayPal currencies; BRL, MYR, CNY and INR exist for accounts of
 * that country only and stay out.
 * @source developer.paypal.com currency codes page: HUF, JPY and TWD take no decimals
 * UNSURE: TRY and RUB were on older lists of the page; left out until seen.
 */
const RULES: AmountRules = {
  title: 'PayPal',
  form: 'major',
  currencies: ['USD', 'EUR', 'GBP', 'HKD', 'SGD', 'THB', 'PHP', 'PLN', 'JPY', 'TWD'],
  decimals: { TWD: 0 },
};
const amounts = createAmounts(RULES);

export const { failRefund, refuse, supportsCurrency } = amounts;

export type WireAmount = { currency_code: string; value: string };

/** Null when PayPal cannot express the amount: an unknown currency, or decimals where it takes none (NT$ 1.50). */
export function writeAmount(amount: Money): WireAmount | null {
  const value = amounts.write(amount);
  return value === null ? null : { currency_code: amount.currency, value };
}

/** Minor units of `currency_code`; null when it is a currency or a number this shop cannot hold. */
export const readAmount = (wire: WireAmount | undefined): Money | null =>
  amounts.read(wire?.value, wire?.currency_code);

/**
 * Digits of a settlement file.
 * UNSURE: the page says that 100.00 dollars and the same number of yen are both 10000; we read it as PayPal's own
 * smallest unit.
 */
export const { read: readDigits } = createAmounts({ ...RULES, form: 'minor', isReadingChargedOnly: true });
