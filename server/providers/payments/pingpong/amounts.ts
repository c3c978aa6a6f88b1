// Amounts as PingPong writes them: decimal text in major units, with the decimals of ISO 4217.
import { createAmounts } from '#server/providers/payments/kit/amounts.ts';

/**
 * "4.99", "120". Answers pad with zeros ("100.000000").
 * @source acquirer-api-docs-v4-en.pingpongx.com, currencies: its table of decimals is that of ISO 4217; prePay:
 *   amount string(12)
 * UNSURE: that these are major units is inferred from the examples and the test amounts of the sandbox. CNY, RUB and
 * MMK are left out until a contract shows them.
 */
export const {
  decimalsOf,
  failRefund,
  read: readAmount,
  refuse,
  supportsCurrency,
  write: writeAmount,
} = createAmounts({
  title: 'PingPong',
  form: 'major',
  currencies: [
    'USD', 'EUR', 'GBP', 'JPY', 'KRW', 'TWD', 'HKD', 'SGD', 'MYR', 'THB', 'PHP', 'VND', 'IDR', 'INR', 'TRY', 'BRL', 'PLN', 'AED', 'SAR',
  ] /* a row a line */, // prettier-ignore
  maxLength: 12,
});
