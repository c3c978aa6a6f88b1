// Amounts as the contract writes them: whole minor units or decimals, by its own table of decimals
// where that differs from ISO 4217.
import { type Amounts, createAmounts } from '#server/providers/payments/kit/amounts.ts';
import type { Options } from './options.ts';

export function amountsOf(options: Pick<Options, 'title' | 'amountFormat' | 'currencies' | 'decimals'>): Amounts {
  const { amountFormat, currencies, decimals, title } = options;
  return createAmounts({ title, form: amountFormat === 'minor_int' ? 'minor' : 'major', currencies, decimals });
}
