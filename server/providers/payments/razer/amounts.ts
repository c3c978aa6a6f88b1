// Amounts as Razer writes them: whole numbers with two implied decimals, whatever the currency.
import { createAmounts } from '#server/providers/payments/kit/amounts.ts';

/**
 * "1000" for MYR 10.00.
 * @source integrations: MYR and USD documented, TWD seen; the others here have two decimals everywhere
 * UNSURE: IDR, VND, KRW and JPY are said to have two implied decimals as well; they are off until seen in the sandbox.
 */
export const {
  read: readAmount,
  refuse,
  supportsCurrency,
  write: writeAmount,
} = createAmounts({
  title: 'Razer',
  form: 'minor',
  currencies: ['MYR', 'USD', 'SGD', 'THB', 'PHP', 'TWD', 'HKD', 'INR', 'BRL', 'TRY', 'EUR'],
  decimals: 2,
});
