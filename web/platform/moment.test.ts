import { afterEach, expect, test, vi } from 'vitest';
import { showMoment } from './moment.ts';

afterEach(() => vi.restoreAllMocks());

test.each([
  [-540, '2026/11/21 20:05 UTC+9'],
  [300, '2026/11/21 06:05 UTC-5'],
])('L205 a moment is told in the zone of who reads it, %i minutes behind: %s', (behind, text) => {
  vi.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValue(behind);
  expect(showMoment(Date.UTC(2026, 10, 21, 11, 5))).toBe(`\u2066${text}\u2069`);
});
