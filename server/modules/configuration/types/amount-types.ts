// Amounts of the files as money.
import { type Currency, type Money, parseDecimal } from '#kernel/money.ts';

/** By currency. @throws as readAmount */
export function readAmounts(amounts: Partial<Record<Currency, string>>): Map<Currency, Money> {
  return new Map(
    (Object.entries(amounts) as [Currency, string][]).map(([currency, text]) => [currency, readAmount(text, currency)]),
  );
}

/** @throws RangeError for what is no amount of the currency; the checks let none through */
export function readAmount(text: string, currency: Currency): Money {
  const amount = parseDecimal(text, currency);
  if (!amount) throw new RangeError(`"${text}" is not an amount of ${currency}`);
  return amount;
}
