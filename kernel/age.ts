// How old somebody is for certain when only the month of birth is known. Both sides ask for consent by it; the database
// counts by age_in_month, which a test holds equal to this.

/**
 * Whole years of age from which nobody else has to agree to a purchase.
 * @source specification section 5: caps end at 18; Japan: Civil Code, article 4
 */
export const OF_AGE = 18;

/**
 * Whole years on every day of the month of `at`: a birthday within the month counts from the next one.
 * @param month 1 to 12
 * @param at year and month, 1 to 12, where the caps are counted
 */
export function ageInMonth(year: number, month: number, at: { year: number; month: number }): number {
  return Math.floor((at.year * 12 + at.month - year * 12 - month - 1) / 12);
}

/** Year and month of a moment in a zone. @param now epoch milliseconds */
export function monthIn(timeZone: string, now: number): { year: number; month: number } {
  const parts = new Intl.DateTimeFormat('en', { timeZone, year: 'numeric', month: 'numeric' }).formatToParts(now);
  const read = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  return { year: read('year'), month: read('month') };
}
