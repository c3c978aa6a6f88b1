// The questions of finance and what they can be grouped by. Pure.

export const MONEY_REPORTS = ['revenue', 'refunds', 'chargebacks', 'fees'] as const;
export type MoneyReportKind = (typeof MONEY_REPORTS)[number];

/** `currency` is always one of them: amounts of two currencies make no sum. */
export const DIMENSIONS = ['day', 'brand', 'game', 'country', 'method', 'channel', 'provider', 'currency'] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/** @param names in any order; @returns in the order of DIMENSIONS, with the currency; the first unknown name else */
export function readDimensions(names: readonly string[]): { by: Dimension[] } | { unknown: string } {
  const unknown = names.find((name) => !DIMENSIONS.some((known) => known === name));
  if (unknown !== undefined) return { unknown };
  return { by: DIMENSIONS.filter((dimension) => dimension === 'currency' || names.includes(dimension)) };
}
