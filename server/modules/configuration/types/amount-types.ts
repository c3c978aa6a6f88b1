// Amounts of the files as money.
import { type Currency, exponentOf, type Money, parseDecimal } from '#kernel/money.ts';

/** By currency. @throws as readAmount */
export function readAmounts(amounts: Partial<Record<Currency, string>>): Map<Currency, Money> {
  return new Map(
    (Object.entries(amounts) as [Currency, string][]).map(([currency, text]) => [currency, readAmount(text, currency)]),
  );
}

/** Our choice: no price comes near it, and with two decimals ninety of them add up to a safe integer. */
const MAX_WHOLE_DIGITS = 12;
/** @source kernel/money.ts, parseDecimal */
const MAX_DECIMALS = 12;

/**
 * Finds what keeps decimal text from being an amount of the currency: zeros behind its last decimal do not.
 * @param text digits, and a point between them at most
 */
export function findAmountFault(text: string, currency: Currency): 'too-large' | 'too-many-decimals' | null {
  const [whole = '', decimals = ''] = text.split('.');
  if (whole.length > MAX_WHOLE_DIGITS) return 'too-large';
  if (decimals.length > MAX_DECIMALS || decimals.replace(/(?<!0)0+$/, '').length > exponentOf(currency))
    return 'too-many-decimals';
  // Four decimals behind twelve digits pass the safe integers.
  return parseDecimal(text, currency) ? null : 'too-large';
}

/** @returns the fault as files and sheets tell it; null where there is none */
export function explainAmountFault(text: string, currency: Currency): string | null {
  const fault = findAmountFault(text, currency);
  if (fault === null) return null;
  return fault === 'too-large'
    ? `"${text}" is too large; ${MAX_WHOLE_DIGITS} digits before the point are the most`
    : `"${text}" has more decimals than ${currency} knows (${exponentOf(currency)}); round it`;
}

/** @throws RangeError for what is no amount of the currency; the checks let none through */
export function readAmount(text: string, currency: Currency): Money {
  const amount = parseDecimal(text, currency);
  if (!amount) throw new RangeError(`"${text}" is not an amount of ${currency}`);
  return amount;
}
