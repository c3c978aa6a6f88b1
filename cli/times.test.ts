// Times that an operator writes: of any machine's time zone the same moment, and refused where the calendar has none.
import { expect, test } from 'vitest';
import { readDay, readTime, readTimes } from './times.ts';

test.each([
  ['2026-11-21', '2026-11-21T00:00:00.000Z'],
  ['2026-11-21T08:30Z', '2026-11-21T08:30:00.000Z'],
  ['2026-11-21T08:30:00+09:00', '2026-11-20T23:30:00.000Z'],
])('--since %s is %s', (text, expected) => {
  expect(readTime('--since', text).toISOString()).toBe(expected);
});

test.each([
  '2026-02-30', '2026-02-30T08:30:00Z', '2026-13-01', '2026-11-21T24:00:00Z', '2026-11-21T08:30:00', '2026-11-21 08:30',
  '21 Nov 2026', 'tomorrow', '1764000000000', '',
])('--since "%s" is refused', (text) => {
  expect(() => readTime('--since', text)).toThrow(`--since "${text}": write 2026-11-21 or`);
}); /* a list of texts */ // prettier-ignore

test.each(['2026-02-30', '2026-11-21T00:00:00Z', '2026-1-1'])('--date "%s" is refused', (text) => {
  expect(() => readDay('--date', text)).toThrow('it must be a day');
});

test('--since and --until are a span, which ends after it begins; each may be left out', () => {
  const [since, until] = ['2026-11-21', '2026-11-22T00:00:00+09:00'];
  expect(readTimes({ since, until })).toEqual({
    since: new Date('2026-11-21T00:00:00Z'),
    until: new Date('2026-11-21T15:00:00Z'),
  });
  expect([readTimes({ since }).until, readTimes({ until }).since]).toEqual([null, null]);
  for (const end of [since, '2026-11-20', '2026-11-21T08:00:00+09:00'])
    expect(() => readTimes({ since, until: end })).toThrow(`--until "${end}": it must be after 2026-11-21.`);
});
