// Money as integer minor units, and every conversion between that and text. The only place that knows exponents.
// No rates, no prices, no provider's own decimal rules (those live in the provider's wire.ts).

import { CURRENCIES_BY_DECIMALS } from './currencies.ts';
import { type Language, toBcp47 } from './languages.ts';

/** An amount in minor units of `currency` (cents for USD, whole yen for JPY). `amountMinor` is a safe integer. */
export type Money = { readonly amountMinor: number; readonly currency: Currency };

/**
 * Currencies that came after the list's date. @source ISO 4217, amendment 176: Caribbean guilder, from 31 March 2025
 */
const ADDED = { XCG: 2 } as const;

export type Currency =
  | (typeof CURRENCIES_BY_DECIMALS)[keyof typeof CURRENCIES_BY_DECIMALS][number]
  | keyof typeof ADDED;

/** Decimal places of one minor unit. */
const EXPONENTS: ReadonlyMap<string, number> = new Map<string, number>([
  ...Object.entries(CURRENCIES_BY_DECIMALS).flatMap(([decimals, codes]) =>
    codes.map((code): [string, number] => [code, Number(decimals)]),
  ),
  ...Object.entries(ADDED),
]);

/**
 * Symbol in front of an amount. THB, VND and IDR have none in the specification: ours are the signs in common
 * use; so are those from BRL on.
 * All others have the sign that Unicode gives them in English (CA$, CHF).
 * @source specification section 9, "Currency symbols"
 */
const SYMBOLS: Partial<Record<Currency, string>> = {
  USD: '$', EUR: '€', JPY: '¥', KRW: '₩', TWD: 'NT$', THB: '฿', VND: '₫', IDR: 'Rp', MYR: 'RM', TRY: '₺', BRL: 'R$', RUB: '₽',
  CNY: '¥', HKD: 'HK$', SGD: 'S$', PHP: '₱', INR: '₹', GBP: '£', PLN: 'zł', AED: 'AED', SAR: 'SAR', MMK: 'K',
}; /* a row a line */ // prettier-ignore

/**
 * Least decimals shown to a player: two, none for won.
 * @source specification section 5, "Amounts"
 */
const SHOWN_DECIMALS: Partial<Record<Currency, number>> = { KRW: 0 };

/** Returns true when `code` is a currency that this shop can hold. */
export function isCurrency(code: string): code is Currency {
  return EXPONENTS.has(code);
}

/** Decimal places of the currency's minor unit (USD 2, JPY 0, KWD 3). */
export function exponentOf(currency: Currency): number {
  return EXPONENTS.get(currency) ?? 2;
}

/** Every currency, by code. A function, for the page needs no list. */
export function allCurrencies(): Currency[] {
  return [...EXPONENTS.keys()].toSorted() as Currency[];
}

/** Builds Money; throws a RangeError when the amount is not a safe integer, for that is always a bug. */
export function money(amountMinor: number, currency: Currency): Money {
  if (!Number.isSafeInteger(amountMinor))
    throw new RangeError(`amount ${amountMinor} ${currency} is not a safe integer`);
  return { amountMinor, currency };
}

/**
 * Reads a decimal string ("4.99", "1200") into minor units. Returns null for anything else: signs, exponents,
 * more decimals than the currency has (unless they are zeros), or a number beyond the safe range.
 * @param exponent decimal places of the minor unit; defaults to the currency's own
 */
export function parseDecimal(text: string, currency: Currency, exponent = exponentOf(currency)): Money | null {
  const match = /^(\d{1,15})(?:\.(\d{1,12}))?$/.exec(text);
  if (!match) return null;
  const fraction = (match[2] ?? '').replace(/(?<!0)0+$/, '');
  if (fraction.length > exponent) return null;
  const amountMinor = Number(`${match[1]}${fraction.padEnd(exponent, '0')}`);
  return Number.isSafeInteger(amountMinor) ? { amountMinor, currency } : null;
}

/**
 * Writes minor units as a plain decimal string with exactly the currency's decimals: 499 USD
 * -> "4.99", 120 JPY -> "120".
 */
export function toDecimal(amount: Money, exponent = exponentOf(amount.currency)): string {
  const sign = amount.amountMinor < 0 ? '-' : '';
  const digits = String(Math.abs(amount.amountMinor)).padStart(exponent + 1, '0');
  if (exponent === 0) return `${sign}${digits}`;
  return `${sign}${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
}

/**
 * Writes money in the specification's form: symbol in front, thousands separators, two decimals, none for won.
 * "$1,299.00", "₩5,900". A dinar shows its third decimal where the amount has one: a price is never cut.
 */
export function showMoney(amount: Money): string {
  const shown = SHOWN_DECIMALS[amount.currency] ?? 2;
  const [whole = '0', fraction = ''] = toDecimal({ ...amount, amountMinor: Math.abs(amount.amountMinor) }).split('.');
  const grouped = whole.replace(/\B(?=(?:\d{3}){1,6}$)/g, ',');
  const decimals = fraction.replace(/(?<!0)0+$/, '').padEnd(shown, '0');
  return `${amount.amountMinor < 0 ? '-' : ''}${symbolOf(amount.currency)}${grouped}${decimals && `.${decimals}`}`;
}

const formats = new Map<string, Intl.NumberFormat>();

/** Making a format costs far more than using it. */
function formatOf(locale: string, options: Intl.NumberFormatOptions & { currency: Currency }): Intl.NumberFormat {
  const key = `${locale} ${options.currency}`;
  const known = formats.get(key);
  if (known) return known;
  const made = new Intl.NumberFormat(locale, { style: 'currency', ...options });
  formats.set(key, made);
  return made;
}

function symbolOf(currency: Currency): string {
  const own = SYMBOLS[currency];
  if (own !== undefined) return own;
  const parts = formatOf('en', { currency, currencyDisplay: 'symbol' }).formatToParts(0);
  return parts.find(({ type }) => type === 'currency')?.value ?? currency;
}

/**
 * Writes money in the form of the player's language, with the currency's own decimals: "1 350,00 ₽", "￥160". Digits are
 * western everywhere, as in counts.
 */
export function showLocalMoney(amount: Money, language: Language): string {
  const digits = exponentOf(amount.currency);
  const format = formatOf(`${toBcp47(language)}-u-nu-latn`, {
    currency: amount.currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  // Text, not a number: a double would round the last digits of a large amount.
  return format.format(toDecimal(amount) as `${number}`);
}

/**
 * The part of `amount` that a rate leaves to pay, rounded half up to the minor unit, once.
 * The rate is text ("0.8") because a float times money is how a cent goes missing.
 * @param rate decimal string between 0 and 1, at most six decimals; throws RangeError otherwise
 */
export function applyRate(amount: Money, rate: string): Money {
  const match = /^(0|1)(?:\.(\d{1,6}))?$/.exec(rate);
  if (!match) throw new RangeError(`rate ${rate} is not a decimal between 0 and 1 with at most six decimals`);
  const millionths = BigInt(`${match[1]}${(match[2] ?? '').padEnd(6, '0')}`);
  if (millionths > 1_000_000n) throw new RangeError(`rate ${rate} is above 1`);
  const scaled = (BigInt(amount.amountMinor) * millionths * 2n + 1_000_000n) / 2_000_000n;
  return money(Number(scaled), amount.currency);
}
