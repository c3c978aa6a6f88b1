// Amounts as MyCard writes them: decimal text, whole or with at most two decimals.
import type { Money } from '#kernel/money.ts';
import { createAmounts } from '#server/providers/payments/kit/amounts.ts';

/**
 * "150" for NT$150, "4.99" for $4.99.
 * @source integrations of MyBillingPay: TWD in whole dollars, "whole or at most two decimals" for the rest
 * UNSURE: MyCard sells in more (MYR, SGD, PHP, THB among them, from memory); those are off until somebody has seen one.
 */
const amounts = createAmounts({
  title: 'MyCard',
  form: 'short',
  currencies: ['TWD', 'HKD', 'USD'],
  decimals: { TWD: 0 },
});

export const { refuse, supportsCurrency, write: writeAmount } = amounts;

/** Our minor units of "150", "150.00" or "4.99"; null when it is no amount, or in a currency this shop cannot hold. */
export const readAmount = (text: string | undefined, currency: string | undefined): Money | null =>
  amounts.read(text?.trim(), currency);
