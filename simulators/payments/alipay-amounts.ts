// Amounts of Alipay: whole smallest units as text at Antom, yuan with two decimals on the Open Platform.

import { type Amount, minorFromText, textFromMinor } from '#simulators/kit/money.ts';
import { textAt } from '#simulators/kit/read.ts';

/** Currencies without a smaller unit. @source docs.antom.com, Amount */
const whole = new Set(['JPY', 'KRW', 'VND', 'CLP', 'ISK', 'PYG', 'UGX']);

export const decimalsOf = (currency: string): number => (whole.has(currency) ? 0 : 2);

/** Reads `{value, currency}`; every scalar of Antom is text, a number is refused as it would be. */
export function readAntomAmount(amount: unknown): Amount | undefined {
  const [currency, value] = [textAt(amount, 'currency'), textAt(amount, 'value')];
  if (!currency || !/^[A-Z]{3}$/.test(currency) || !value || !/^[1-9]\d{0,14}$/.test(value)) return undefined;
  return { amountMinor: Number(value), currency };
}

export const writeAntomAmount = ({ amountMinor, currency }: Amount) => ({ value: String(amountMinor), currency });

export function readYuan(text: string | undefined): Amount | undefined {
  const amountMinor = text === undefined ? undefined : minorFromText(text, 2);
  return amountMinor ? { amountMinor, currency: 'CNY' } : undefined;
}

export const writeYuan = (amount: Amount): string => textFromMinor(amount.amountMinor, 2);
