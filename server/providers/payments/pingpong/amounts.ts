// Amounts as PingPong writes them: decimal text in major units, by its table of decimals. No shapes, no statuses.
import { type Currency, exponentOf, isCurrency, type Money, parseDecimal, toDecimal } from '#kernel/money.ts';

/**
 * @source acquirer-api-docs-v4-en.pingpongx.com, currencies: none, three, and two for all
 * others, also IDR, TWD, COP and HUF
 */
const NONE = [
  'BIF',
  'CLP',
  'DJF',
  'GNF',
  'ISK',
  'JPY',
  'KMF',
  'KRW',
  'PYG',
  'RWF',
  'UGX',
  'UYI',
  'VND',
  'VUV',
  'XAF',
  'XOF',
  'XPF',
];
const THREE = ['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND'];
const DECIMALS: ReadonlyMap<string, number> = new Map([
  ...NONE.map((currency) => [currency, 0] as const),
  ...THREE.map((currency) => [currency, 3] as const),
]);

/**
 * Currencies this shop may charge through PingPong. UNSURE: CNY, RUB and MMK are left out until a contract shows them.
 */
const SUPPORTED: ReadonlySet<Currency> = new Set<Currency>([
  'USD', 'EUR', 'GBP', 'JPY', 'KRW', 'TWD', 'HKD', 'SGD', 'MYR', 'THB', 'PHP', 'VND', 'IDR', 'INR', 'TRY', 'BRL', 'PLN', 'AED', 'SAR',
]); /* a row a line */ // prettier-ignore

/** Longest text of an amount. @source acquirer-api-docs-v4-en.pingpongx.com, prePay, amount string(12) */
const MAX_LENGTH = 12;

export function supportsCurrency(currency: Currency): boolean {
  return SUPPORTED.has(currency);
}

/** Decimals of any ISO 4217 code at PingPong. */
export function decimalsOf(currency: string): number {
  return DECIMALS.get(currency) ?? 2;
}

/**
 * "4.99", "120"; null when PingPong cannot express the amount.
 * UNSURE: that these are major units is inferred from the examples and the test amounts of the sandbox
 */
export function writeAmount(amount: Money): string | null {
  if (!supportsCurrency(amount.currency) || amount.amountMinor <= 0) return null;
  // Every supported currency has as many decimals there as in ISO 4217; a table that says otherwise
  // must not shift money silently.
  if (decimalsOf(amount.currency) !== exponentOf(amount.currency)) return null;
  const text = toDecimal(amount);
  return text.length <= MAX_LENGTH ? text : null;
}

/**
 * Our minor units; answers pad with zeros ("100.000000"). Null when it is a currency or a number this shop cannot hold.
 */
export function readAmount(text: string | undefined, currency: string | undefined): Money | null {
  if (text === undefined || currency === undefined || !isCurrency(currency)) return null;
  return parseDecimal(text, currency);
}
