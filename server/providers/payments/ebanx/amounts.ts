// Amounts as EBANX writes them: decimals in major units, two places, none for a few currencies.
import { createAmounts } from '#server/providers/payments/kit/amounts.ts';

/**
 * @source github.com/ebanx/benjamin, Currency. UNSURE: that CLP and PYG must be whole is
 *   inferred; answers show "44933.00"
 */
export const {
  decimalsOf,
  failRefund,
  read: readAmount,
  refuse,
  supportsCurrency,
  write: writeAmount,
} = createAmounts({
  title: 'EBANX',
  form: 'major',
  currencies: ['USD', 'EUR', 'BRL', 'MXN', 'ARS', 'COP', 'PEN', 'BOB', 'UYU', 'GTQ', 'CLP', 'PYG'],
  isReadingChargedOnly: true,
});
