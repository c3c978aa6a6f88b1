// Amounts as PayerMax writes them: JSON numbers in major units, by its own table of decimals.
import { createAmounts } from '#server/providers/payments/kit/amounts.ts';

/**
 * Decimal text of major units ("4.99", "10000").
 * @source docs.payermax.com, currencies: not ISO 4217 (IDR, TWD, PKR, COP without, the dinars with two); the two
 *   decimals of the dinars are said of refunds. UNSURE: the same for orders
 * UNSURE: CNY, RUB and MMK are left out until a contract shows them.
 */
export const {
  decimalsOf,
  failRefund,
  read: readAmount,
  refuse,
  supportsCurrency,
  write: writeAmount,
} = createAmounts({
  title: 'PayerMax',
  form: 'major',
  currencies: [
    'USD', 'EUR', 'GBP', 'JPY', 'KRW', 'TWD', 'HKD', 'SGD', 'MYR', 'THB', 'PHP', 'VND', 'IDR', 'INR', 'TRY', 'BRL', 'PLN', 'AED', 'SAR',
  ] /* a row a line */, // prettier-ignore
  decimals: { IDR: 0, TWD: 0, PKR: 0, COP: 0, KWD: 2, BHD: 2, OMR: 2, JOD: 2, TND: 2, IQD: 2, LYD: 2 },
});
