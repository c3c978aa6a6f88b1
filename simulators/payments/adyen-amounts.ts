// Adyen's amounts are integer minor units, by its own table of decimals.

import type { Amount } from '#simulators/kit/money.ts';
import { numberAt, textAt } from '#simulators/kit/read.ts';

/** @source docs.adyen.com currency codes: IDR and CVE without decimals, CLP and ISK with two, unlike ISO 4217 */
const decimals: Record<string, number> = {
  CVE: 0,
  DJF: 0,
  GNF: 0,
  IDR: 0,
  JPY: 0,
  KMF: 0,
  KRW: 0,
  PYG: 0,
  RWF: 0,
  UGX: 0,
  VND: 0,
  VUV: 0,
  XAF: 0,
  XOF: 0,
  XPF: 0,
  BHD: 3,
  IQD: 3,
  JOD: 3,
  KWD: 3,
  LYD: 3,
  OMR: 3,
  TND: 3,
};

export const decimalsOf = (currency: string): number => decimals[currency] ?? 2;

/** Reads `{value, currency}`; undefined when it is not a positive whole number of a currency. */
export function readMoney(money: unknown): Amount | undefined {
  const currency = textAt(money, 'currency');
  const amountMinor = numberAt(money, 'value');
  if (!currency || !/^[A-Z]{3}$/.test(currency) || !Number.isSafeInteger(amountMinor) || amountMinor! <= 0)
    return undefined;
  return { amountMinor: amountMinor!, currency };
}

export function writeMoney(amount: Amount): { value: number; currency: string } {
  return { value: amount.amountMinor, currency: amount.currency };
}
