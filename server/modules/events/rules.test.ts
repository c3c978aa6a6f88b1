import { expect, test } from 'vitest';
import type { Currency } from '#kernel/money.ts';
import { money } from '#kernel/money.ts';
import { type PaidDay, percentOf, progressOf, shareOf } from './rules.ts';

const paid = (...days: [day: string, amountMinor: number, currency?: Currency][]): PaidDay[] =>
  days.map(([day, amountMinor, currency = 'USD']) => ({ day, amountMinor, currency }));
const anything = { least: new Map() };
const dollar = { least: new Map([['USD' as const, money(100, 'USD')]]) };

test.each([
  ['nothing', anything, paid(), { days: 0, isTodayDone: false, bestDays: 0 }],
  ['today', anything, paid(['2026-11-23', 1]), { days: 1, isTodayDone: true, bestDays: 1 }],
  ['yesterday counts on', anything, paid(['2026-11-22', 1]), { days: 1, isTodayDone: false, bestDays: 1 }],
  ['the day before does not', anything, paid(['2026-11-21', 1]), { days: 0, isTodayDone: false, bestDays: 1 }],
  ['over a month', anything, paid(['2026-10-31', 1], ['2026-11-01', 1], ['2026-11-02', 1]), { days: 0, bestDays: 3 }],
  ['over a change of clocks', anything, paid(['2026-03-28', 1], ['2026-03-29', 1], ['2026-03-30', 1]), { bestDays: 3 }],
  [
    'a gap',
    anything,
    paid(['2026-11-19', 1], ['2026-11-20', 1], ['2026-11-22', 1], ['2026-11-23', 1]),
    { days: 2, bestDays: 2 },
  ],
  ['two currencies on one day', anything, paid(['2026-11-23', 1], ['2026-11-23', 1, 'EUR']), { days: 1, bestDays: 1 }],
  [
    'below the least',
    dollar,
    paid(['2026-11-22', 100], ['2026-11-23', 99]),
    { days: 1, isTodayDone: false, bestDays: 1 },
  ],
  ['a currency without a least', dollar, paid(['2026-11-23', 9900, 'EUR']), { days: 0, bestDays: 0 }],
] as const)('days in a row: %s', (_name, event, days, expected) => {
  expect(progressOf(event, days, '2026-11-23')).toMatchObject(expected);
});

test('a step of a total is reached by any one currency, never by a bit of each', () => {
  const event = { file: { kind: 'cumulative' } } as never;
  const step = {
    id: 's',
    days: 0,
    items: [],
    total: new Map([
      ['USD', money(1000, 'USD')],
      ['JPY', money(1500, 'JPY')],
    ]),
  } as never;
  const share = (...days: Parameters<typeof paid>) =>
    shareOf(event, step, progressOf(anything, paid(...days), '2026-11-23'));
  expect(share(['2026-11-22', 400], ['2026-11-23', 600])).toBe(1);
  expect(share(['2026-11-22', 999], ['2026-11-23', 1499, 'JPY'])).toBeLessThan(1);
  expect(share(['2026-11-23', 1500, 'JPY'])).toBe(1);
  expect(share(['2026-11-23', 9900, 'EUR'])).toBe(0);
});

test('percent is whole, and 100 only when all is there', () => {
  expect([0, 0.5, 0.999_99, 1, 3].map(percentOf)).toEqual([0, 50, 99, 100, 100]);
});
