// How a count of things is written: of gems, of gifts.
import type { Language } from './languages.ts';

/** Before each three digits that end at the end; a safe integer has sixteen digits. */
const THOUSANDS = /\d(?=(?:\d{3}){1,6}$)/g;

/**
 * Languages without a thousands comma have this separator, from this number of digits on.
 * @source Unicode CLDR, symbols of the Latin digits and `minimumGroupingDigits`; count.test.ts compares them with Intl
 */
const POINT = ['.', 4] as const;
const LATE_POINT = ['.', 5] as const;
const OTHERS: Partial<Record<Language, readonly [separator: string, from: number]>> = {
  de: POINT, es: LATE_POINT, fr: ['\u202f', 4], id: POINT, it: LATE_POINT,
  pl: ['\u00a0', 5], pt: POINT, ru: ['\u00a0', 4], tr: POINT, vi: POINT,
}; /* a row a line */ // prettier-ignore

/**
 * 1280 -> "1,280". Western digits in every language, as amounts of money. Not by Intl: the first formatter of a page
 * takes a phone 20 ms, before its first picture.
 * @param count whole
 * @param language whose separators stand there, where amounts have them as well (`money: local`); else commas
 */
export function showCount(count: number, language?: Language): string {
  const [separator, from] = (language && OTHERS[language]) ?? [',', 4];
  const digits = String(count);
  return digits.length < from ? digits : digits.replace(THOUSANDS, `$&${separator}`);
}
