// Amounts as Alipay writes them: minor units as text at Antom, yuan with two decimals on the Open Platform.
import type { Money } from '#kernel/money.ts';
import { createAmounts } from '#server/providers/payments/kit/amounts.ts';

/**
 * @source docs.antom.com, Amount: "the smallest currency unit", 100 for one dollar and 1 for one yen
 * UNSURE: VND and KRW as whole units are from memory, consistent with the examples of its SDKs. TWD, IDR, MMK and RUB
 * are left out until their decimals are seen at Antom.
 */
const antom = createAmounts({
  title: 'Antom',
  form: 'minor',
  currencies: [
    'USD', 'EUR', 'GBP', 'CNY', 'HKD', 'SGD', 'MYR', 'THB', 'PHP', 'JPY', 'KRW', 'VND', 'BRL', 'TRY', 'AED', 'SAR', 'INR', 'PLN',
  ] /* a row a line */, // prettier-ignore
});

export const { decimalsOf, failRefund, read: readAmount, refuse, supportsCurrency } = antom;

/** `value`: an integer of smallest units, as text. */
export type WireAmount = { currency: string; value: string };

/** Null when Antom cannot express the amount. */
export function writeAmount(amount: Money): WireAmount | null {
  const value = antom.write(amount);
  return value === null ? null : { currency: amount.currency, value };
}

/** @source opendocs.alipay.com, alipay.trade.page.pay, total_amount: yuan with two decimals ("4.99") */
export const yuan = createAmounts({ title: 'the Open Platform', form: 'major', currencies: ['CNY'] });

export const readYuan = (text: string | undefined): Money | null => yuan.read(text, 'CNY');
