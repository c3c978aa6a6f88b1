// Markets and amounts as Codapay writes them: numeric codes, and prices as JSON numbers in major
// units. No shapes, no statuses.
import { type Currency, type Money, money, parseDecimal, toDecimal } from '#kernel/money.ts';

type Market = { readonly currency: number; readonly country: number; readonly decimals: number };

/**
 * Currencies with the country they are the money of. Coda tells what was paid in the currency of the country, whatever
 * was asked, so a price in dollars is asked in the United States only: elsewhere its answer could not be compared.
 * @source coda-payments.gitbook.io: country (ISO 3166 numeric) and currency (ISO 4217 numeric) codes; no decimals in
 *   Indonesia, South Korea, Taiwan, Vietnam UNSURE: none in Japan is inferred.
 */
const MARKETS: Partial<Record<Currency, Market>> = {
  TWD: { currency: 901, country: 158, decimals: 0 },
  IDR: { currency: 360, country: 360, decimals: 0 },
  KRW: { currency: 410, country: 410, decimals: 0 },
  VND: { currency: 704, country: 704, decimals: 0 },
  JPY: { currency: 392, country: 392, decimals: 0 },
  MYR: { currency: 458, country: 458, decimals: 2 },
  THB: { currency: 764, country: 764, decimals: 2 },
  PHP: { currency: 608, country: 608, decimals: 2 },
  SGD: { currency: 702, country: 702, decimals: 2 },
  USD: { currency: 840, country: 840, decimals: 2 },
  AED: { currency: 784, country: 784, decimals: 2 },
  TRY: { currency: 949, country: 792, decimals: 2 },
  BRL: { currency: 986, country: 76, decimals: 2 },
};

export function supportsCurrency(currency: Currency): boolean {
  return MARKETS[currency] !== undefined;
}

/** ISO 3166 numeric of the country a currency is sold in; null for one Codapay is not asked in. */
export function countryOf(currency: Currency): number | null {
  return MARKETS[currency]?.country ?? null;
}

export type WirePrice = { readonly country: number; readonly currency: number; readonly price: number };

/** A double holds 15 decimal digits for certain: a number of that many is written back as it was read. */
const MAX_DIGITS = 15;

/** Null when Codapay cannot express the amount: a currency left out, or a part of a rupiah. */
export function writePrice(amount: Money): WirePrice | null {
  const market = MARKETS[amount.currency];
  if (market === undefined || amount.amountMinor <= 0) return null;
  const [whole = '', fraction = ''] = toDecimal(amount).split('.');
  if (/[^0]/.test(fraction.slice(market.decimals)) || whole.length + fraction.length > MAX_DIGITS) return null;
  return { country: market.country, currency: market.currency, price: Number(`${whole}.${fraction}`) };
}

/**
 * Our minor units; null when it is no number this shop can hold.
 * @param value major units as text, the way the number was written
 */
export function readPrice(value: string | undefined, currency: Currency): Money | null {
  if (value === undefined || !supportsCurrency(currency)) return null;
  const read = parseDecimal(value, currency);
  return read && money(read.amountMinor, currency);
}
