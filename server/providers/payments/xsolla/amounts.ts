// Amounts as Xsolla writes them: JSON numbers in major units, made and read as text so that no
// float is ever calculated with.
import { createAmounts } from '#server/providers/payments/kit/amounts.ts';

/**
 * Decimal text that is also a JSON number ("4.99", "150"); JSON numbers are read as the text they were written in.
 * @source github.com/xsolla/xsolla-sdk-php tests: 1.5 stands for 1.50
 * UNSURE: whole numbers for JPY, KRW, VND, IDR and TWD are inferred, and that all of these are open to every merchant.
 */
export const {
  failRefund,
  read: readAmount,
  refuse,
  supportsCurrency,
  write: writeAmount,
} = createAmounts({
  title: 'Xsolla',
  form: 'major',
  currencies: [
    'USD', 'EUR', 'GBP', 'THB', 'MYR', 'TRY', 'BRL', 'RUB', 'CNY', 'HKD', 'SGD', 'PHP', 'INR', 'PLN', 'AED', 'SAR', 'JPY', 'KRW', 'VND', 'IDR', 'TWD',
  ] /* a row a line */, // prettier-ignore
  decimals: { IDR: 0, TWD: 0 },
});
