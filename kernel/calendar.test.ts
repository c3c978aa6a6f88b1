import { expect, test } from 'vitest';
import { dateOf, isDay, momentOf, periodAt, readInstant, readLocalTime, readTimeZone, showDate } from './calendar.ts';

const at = (text: string) => Date.parse(text);

test.each([
  ['Asia/Tokyo', 'Asia/Tokyo'],
  ['asia/tokyo', 'Asia/Tokyo'],
  ['UTC', 'UTC'],
  ['Etc/GMT-9', 'Etc/GMT-9'],
  // PostgreSQL would count these the other way round.
  ['+09:00', null],
  ['-0300', null],
  ['+09', null],
  ['Europe/Bonn', null],
  ['', null],
])('the time zone %j is %j', (name, zone) => {
  expect(readTimeZone(name)).toBe(zone);
});

test.each([
  ['UTC', { year: 2026, month: 11, day: 1 }, '2026-11-01T00:00:00Z'],
  ['Asia/Tokyo', { year: 2026, month: 11, day: 1, hour: 4 }, '2026-10-31T19:00:00Z'],
  ['Europe/Berlin', { year: 2026, month: 3, day: 29 }, '2026-03-28T23:00:00Z'],
  ['Europe/Berlin', { year: 2026, month: 3, day: 30 }, '2026-03-29T22:00:00Z'],
  ['America/Sao_Paulo', { year: 2026, month: 12, day: 32 }, '2027-01-01T03:00:00Z'],
] as const)('%s %j is %s', (zone, local, expected) => {
  expect(momentOf(local, zone)).toBe(at(expected));
});

test.each([
  ['Europe/Berlin', { year: 2026, month: 3, day: 29, hour: 2, minute: 30 }, '2026-03-29T01:30:00Z'],
  ['America/New_York', { year: 2026, month: 3, day: 8, hour: 2, minute: 30 }, '2026-03-08T07:30:00Z'],
  ['America/Santiago', { year: 2026, month: 9, day: 6 }, '2026-09-06T04:00:00Z'],
  ['America/Santiago', { year: 2026, month: 9, day: 6, minute: 45 }, '2026-09-06T04:45:00Z'],
  ['America/Havana', { year: 2026, month: 3, day: 8 }, '2026-03-08T05:00:00Z'],
  ['Australia/Lord_Howe', { year: 2026, month: 10, day: 4, hour: 2, minute: 10 }, '2026-10-03T15:40:00Z'],
  ['Pacific/Apia', { year: 2011, month: 12, day: 30, hour: 9 }, '2011-12-30T19:00:00Z'],
] as const)('%s %j, which a change of clocks skips, is as long after it: %s', (zone, local, expected) => {
  expect(momentOf(local, zone)).toBe(at(expected));
});

test.each([
  ['Europe/Berlin', { year: 2026, month: 10, day: 25, hour: 2, minute: 30 }, '2026-10-25T00:30:00Z'],
  ['America/Havana', { year: 2026, month: 11, day: 1 }, '2026-11-01T04:00:00Z'],
  ['Australia/Lord_Howe', { year: 2026, month: 4, day: 5, hour: 1, minute: 45 }, '2026-04-04T14:45:00Z'],
] as const)('%s %j, which comes twice, is the first of both: %s', (zone, local, expected) => {
  expect(momentOf(local, zone)).toBe(at(expected));
});

test.each([
  ['2026-09-06T03:59:59Z', '2026-09-05T04:00:00Z', '2026-09-06T04:00:00Z'],
  ['2026-09-06T04:00:00Z', '2026-09-06T04:00:00Z', '2026-09-07T03:00:00Z'],
])('the day in Santiago at %s, when midnight is skipped', (now, startsAt, endsAt) => {
  expect(periodAt('day', at(now), 'America/Santiago')).toEqual({ startsAt: at(startsAt), endsAt: at(endsAt) });
});

test('a date is the one of the zone', () => {
  expect(dateOf(at('2026-11-22T15:30:00Z'), 'Asia/Tokyo')).toEqual({ year: 2026, month: 11, day: 23, weekday: 0 });
  expect(dateOf(at('2026-11-22T15:30:00Z'), 'UTC')).toMatchObject({ day: 22, weekday: 6 });
  expect(showDate(at('2026-01-01T01:00:00Z'), 'America/Sao_Paulo')).toBe('2025-12-31');
});

test.each([
  ['month', 'Europe/Berlin', 0, '2026-03-15T12:00:00Z', '2026-02-28T23:00:00Z', '2026-03-31T22:00:00Z'],
  ['month', 'UTC', 1, '2026-01-15T12:00:00Z', '2025-12-01T00:00:00Z', '2026-01-01T00:00:00Z'],
  ['week', 'Europe/Berlin', 0, '2026-03-29T21:59:59Z', '2026-03-22T23:00:00Z', '2026-03-29T22:00:00Z'],
  ['week', 'Asia/Tokyo', 1, '2026-11-22T15:00:00Z', '2026-11-15T15:00:00Z', '2026-11-22T15:00:00Z'],
] as const)('the %s in %s, %d before that of %s', (period, zone, back, now, startsAt, endsAt) => {
  expect(periodAt(period, at(now), zone, back)).toEqual({ startsAt: at(startsAt), endsAt: at(endsAt) });
});

test('a moment of a file is read, or refused', () => {
  expect(readLocalTime('2026-11-23')).toEqual({ year: 2026, month: 11, day: 23, hour: 0, minute: 0 });
  expect(readLocalTime('2026-11-23 18:30')).toMatchObject({ hour: 18, minute: 30 });
  for (const text of ['2026-02-30', '2026-13-01', '2026-11-23 24:00', '2026-11-23T10:00', 'tomorrow'])
    expect(readLocalTime(text)).toBeNull();
});

test('a day exists or not', () => {
  expect(['2026-11-23', '2028-02-29'].map(isDay)).toEqual([true, true]);
  for (const text of ['2026-02-29', '2026-02-30', '2026-13-01', '2026-00-10', '0000-01-01', '2026-1-1', ''])
    expect([text, isDay(text)]).toEqual([text, false]);
});

test.each([
  ['2026-11-23T18:30Z', '2026-11-23T18:30:00.000Z'],
  ['2026-11-23T18:30:05.25Z', '2026-11-23T18:30:05.250Z'],
  ['2026-11-23T00:30:00+09:00', '2026-11-22T15:30:00.000Z'],
  ['2028-02-29T00:00:00-03:00', '2028-02-29T03:00:00.000Z'],
])('the moment %s', (text, expected) => {
  expect(new Date(readInstant(text) ?? Number.NaN).toISOString()).toBe(expected);
});

test.each([
  '2026-02-30T00:00:00Z', '2026-02-29T23:00:00+09:00', '2026-13-01T00:00:00Z', '2026-11-23T24:00:00Z',
  '2026-11-23T10:60:00Z', '2026-11-23T10:00:60Z', '2026-11-23T10:00:00+24:00', '2026-11-23T10:00:00', '2026-11-23',
  '23 Nov 2026 10:00 GMT', '2026-11-23 10:00Z', '',
])('no moment: "%s"', (text) => {
  expect(readInstant(text)).toBeNull();
}); /* a list of texts */ // prettier-ignore
