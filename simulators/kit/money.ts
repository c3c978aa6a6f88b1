// Amounts between a provider's written form and integer minor units. Text arithmetic only.

export type Amount = { amountMinor: number; currency: string };

/** Minor units of a plain decimal text, or undefined when it is not one or has more decimals than allowed. */
export function minorFromText(text: string, decimals: number): number | undefined {
  const parts = /^(\d{1,12})(?:\.(\d+))?$/.exec(text);
  if (!parts) return undefined;
  const fraction = parts[2] ?? '';
  if (fraction.length > decimals) return undefined;
  const minor = Number(`${parts[1]}${fraction.padEnd(decimals, '0')}`);
  return Number.isSafeInteger(minor) ? minor : undefined;
}

/** The plain decimal text of minor units: 499 with 2 decimals is `4.99`. */
export function textFromMinor(minor: number, decimals: number): string {
  if (decimals === 0) return String(minor);
  const digits = String(minor).padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** Writes an amount as the payer reads it: symbol and thousands separators of English. */
export function showAmount(amount: Amount, decimals: number): string {
  const format = new Intl.NumberFormat('en', {
    style: 'currency',
    currency: amount.currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  // A numeric text keeps every digit; a float would not.
  return format.format(textFromMinor(amount.amountMinor, decimals) as Intl.StringNumericLiteral);
}
