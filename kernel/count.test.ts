// Counts as they are written, measured by the platform's own way to write them.
import { expect, test } from 'vitest';
import { showCount } from './count.ts';
import { LANGUAGES, toBcp47 } from './languages.ts';
import { money, showLocalMoney } from './money.ts';

const COUNTS = [0, 7, 60, 999, 1000, 1280, 12_800, 999_999, 1_000_000, 1_234_567_890];

test.each(COUNTS)('%d is written with a comma before each three digits', (count) => {
  expect(showCount(count)).toBe(new Intl.NumberFormat('en-US').format(count));
});

test.each(LANGUAGES)('writes counts in %s as its amounts of money are written', (language) => {
  const platform = new Intl.NumberFormat(`${toBcp47(language)}-u-nu-latn`);
  for (const count of COUNTS) {
    expect(showCount(count, language)).toBe(platform.format(count));
    expect(showLocalMoney(money(count, 'JPY'), language)).toContain(showCount(count, language));
  }
});
