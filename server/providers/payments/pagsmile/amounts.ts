// Amounts as Pagsmile writes them: decimal text in major units.
import { createAmounts } from '#server/providers/payments/kit/amounts.ts';

/**
 * Currencies of Pagsmile's methods that this shop knows.
 * @source docs.pagsmile.com, payment methods: limits by country; IDR by bank transfer takes integers only. Checkout
 *   page: `order_amount`, 0.01 to 999999999
 * UNSURE: whole units of KRW and TWD are inferred, and IDR is whole for wallets too.
 */
export const {
  failRefund,
  read: readAmount,
  refuse,
  supportsCurrency,
  write: writeAmount,
} = createAmounts({
  title: 'Pagsmile',
  form: 'major',
  currencies: ['BRL', 'RUB', 'TRY', 'CNY', 'HKD', 'MYR', 'PHP', 'THB', 'SAR', 'AED', 'USD', 'KRW', 'TWD', 'IDR'],
  decimals: { TWD: 0, IDR: 0 },
  max: 999_999_999,
});
