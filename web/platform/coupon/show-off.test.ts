import { expect, test } from 'vitest';
import { showOff } from './show-off.ts';

test.each([
  ['0.8', 'en', '20%'],
  ['0.875', 'de', '12,5\u00a0%'],
])('the rate %s in %s takes %s off', (rate, language, shown) => {
  expect(showOff(rate, language)).toBe(shown);
});
