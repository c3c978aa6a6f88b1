// Markets and amounts as Codapay writes them: numeric codes, and prices as JSON numbers in major units.
import type { Currency, Money } from '#kernel/money.ts';
import { createAmounts, EXACT_DIGITS } from '#server/providers/payments/kit/amounts.ts';

type Market = { readonly currency: number; readonly country: number };

/**
 * Currencies with the country they are the money of. Coda tells what was paid in the currency of the country, whatever
 * was asked, so a price in dollars is asked in the United States only: elsewhere its answer could not be compared.
 * @source coda-payments.gitbook.io: country (ISO 3166 numeric) and currency (ISO 4217 numeric) codes
 */
const MARKETS: Partial<Record<Currency, Market>> = {
  TWD: { currency: 901, country: 158 },
  IDR: { currency: 360, country: 360 },
  KRW: { currency: 410, country: 410 },
  VND: { currency: 704, country: 704 },
  JPY: { currency: 392, country: 392 },
  MYR: { currency: 458, country: 458 },
  THB: { currency: 764, country: 764 },
  PHP: { currency: 608, country: 608 },
  SGD: { currency: 702, country: 702 },
  USD: { currency: 840, country: 840 },
  AED: { currency: 784, country: 784 },
  TRY: { currency: 949, country: 792 },
  BRL: { currency: 986, country: 76 },
};

/** @source coda-payments.gitbook.io: no decimals in Indonesia, South Korea, Taiwan, Vietnam UNSURE: in Japan inferred */
const amounts = createAmounts({
  title: 'Codapay',
  form: 'major',
  currencies: Object.keys(MARKETS) as Currency[],
  decimals: { TWD: 0, IDR: 0 },
  maxDigits: EXACT_DIGITS,
  isReadingChargedOnly: true,
});

export const { read: readPrice, refuse, supportsCurrency } = amounts;

/** ISO 3166 numeric of the country a currency is sold in; null for one Codapay is not asked in. */
export function countryOf(currency: Currency): number | null {
  return MARKETS[currency]?.country ?? null;
}

export type WirePrice = { readonly country: number; readonly currency: number; readonly price: number };

/** Null when Codapay cannot express the amount: a currency left out, or a part of a rupiah. */
export function writePrice(amount: Money): WirePrice | null {
  const market = MARKETS[amount.currency];
  const price = amounts.write(amount);
  return market === undefined || price === null ? null : { ...market, price: Number(price) };
}
