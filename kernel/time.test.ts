import { expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS, showTime, waitParts, zoneOffset } from './time.ts';

test.each([
  [30_000, 0, 0, 1],
  [59 * MINUTE_MS, 0, 0, 59],
  [DAY_MS + 2 * HOUR_MS + 3 * MINUTE_MS + 59_000, 1, 2, 3],
  [0, 0, 0, 0],
  [-5, 0, 0, 0],
])('L204 waits %d ms: days, hours and minutes, one minute at least', (wait, days, hours, minutes) => {
  expect(waitParts(wait)).toEqual({ days, hours, minutes });
});

test.each([
  [Date.UTC(2026, 10, 21, 11, 5), 540, '2026/11/21 20:05 UTC+9'],
  [Date.UTC(2026, 10, 21, 11, 5), -210, '2026/11/21 07:35 UTC-3:30'],
  [Date.UTC(2026, 10, 21, 23, 5), 60, '2026/11/22 00:05 UTC+1'],
])('L205 shows %d at %d minutes from UTC as year/month/day hour:minute', (at, offset, text) => {
  expect(showTime(at, offset)).toBe(text);
});

test.each([
  ['UTC', 0],
  ['Asia/Tokyo', 540],
  ['Asia/Kolkata', 330],
  ['America/New_York', -300],
])('%s is %i minutes east of UTC in winter', (zone, minutes) => {
  expect(zoneOffset(Date.UTC(2026, 0, 1), zone)).toBe(minutes);
});

test('an hour more in summer', () => {
  expect(zoneOffset(Date.UTC(2026, 6, 1), 'Europe/Berlin')).toBe(120);
});
