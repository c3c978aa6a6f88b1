// Writes a coupon's discount as a player reads it. Pure.

/** "20%" of the rate "0.8", as the language writes it. */
export function showOff(rate: string, language: string): string {
  const style = { style: 'percent', maximumFractionDigits: 2 } as const;
  return new Intl.NumberFormat(language, style).format(1 - Number(rate));
}
