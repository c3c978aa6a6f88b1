// When an event is open: its runs by the calendar of a brand, and the days after them in which rewards are received.
import { expect, test } from 'vitest';
import type { EventEntry } from '#contracts/game-file.ts';
import { type EventWindow, buildEvent, isSeenBy, kindsOfOpenEvents, windowsAt } from './types/game-events-types.ts';

const event = (over: Partial<EventEntry> = {}) =>
  buildEvent(
    { id: 'e', kind: 'cumulative', name: { en: 'E' }, steps: [], ...over },
    { readAmounts: () => new Map(), pictureOf: () => null },
  );
const open = (over: Partial<EventEntry>, now: string, zone = 'UTC') =>
  windowsAt(event(over), zone, Date.parse(now)).map(showRun);
const showRun = ({ endsAt, key, startsAt }: EventWindow) =>
  [key, new Date(startsAt).toISOString().slice(0, 16), new Date(endsAt).toISOString().slice(0, 16)].join(' ');

const single = { from: '2026-11-01', until: '2026-12-01 10:00' };
const NOVEMBER = 'e.2026-11-01 2026-11-01T00:00 2026-12-01T00:00';
const OCTOBER = 'e.2026-10-01 2026-10-01T00:00 2026-11-01T00:00';

test.each<[string, Partial<EventEntry>, string, string, string[]]>([
  ['the moment before', single, '2026-10-31T23:59:59Z', 'UTC', []],
  ['the first moment', single, '2026-11-01T00:00:00Z', 'UTC', ['e 2026-11-01T00:00 2026-12-01T10:00']],
  ["the brand's own midnight", single, '2026-10-31T15:00:00Z', 'Asia/Tokyo', ['e 2026-10-31T15:00 2026-12-01T01:00']],
  ['over, and still to receive from', single, '2026-12-08T09:59:59Z', 'UTC', ['e 2026-11-01T00:00 2026-12-01T10:00']],
  ['over for good', single, '2026-12-08T10:00:00Z', 'UTC', []],
  ['without days to receive in', { ...single, receiveDays: 0 }, '2026-12-01T10:00:00Z', 'UTC', []],
  ['a daily reward, over with its last day', { ...single, kind: 'daily' }, '2026-12-01T10:00:00Z', 'UTC', []],
  ['a daily reward of each week: one run', { kind: 'daily', every: 'week' }, '2026-11-24T12:00:00Z', 'UTC', ['e.2026-11-23 2026-11-23T00:00 2026-11-30T00:00']],
  ['each month', { every: 'month' }, '2026-11-23T00:00:00Z', 'UTC', [NOVEMBER]],
  ['each month, the one before beside it', { every: 'month' }, '2026-11-07T23:00:00Z', 'UTC', [NOVEMBER, OCTOBER]],
  ['a month with a change of clocks', { every: 'month' }, '2026-03-20T00:00:00Z', 'Europe/Berlin', ['e.2026-03-01 2026-02-28T23:00 2026-03-31T22:00']],
  ['each week from Monday', { every: 'week', receiveDays: 0 }, '2026-11-22T12:00:00Z', 'UTC', ['e.2026-11-16 2026-11-16T00:00 2026-11-23T00:00']],
  ['a month that begins with the event', { every: 'month', from: '2026-11-10' }, '2026-11-23T00:00:00Z', 'UTC', ['e.2026-11-01 2026-11-10T00:00 2026-12-01T00:00']],
  ['no month before the event', { every: 'month', from: '2026-11-01' }, '2026-11-03T00:00:00Z', 'UTC', [NOVEMBER]],
  ['no month after it', { every: 'month', until: '2026-11-01' }, '2026-11-03T00:00:00Z', 'UTC', [OCTOBER]],
])('%s', (_name, over, now, zone, expected) => {
  expect(open(over, now, zone)).toEqual(expected);
}); /* a row a line */ // prettier-ignore

/** Offers begin anew each day, events do not. */
test.each<[string, number, string, string, string[]]>([
  ['late before a midnight that is skipped', 0, '2026-09-06T03:59:00Z', 'America/Santiago', ['e.2026-09-05 2026-09-05T04:00 2026-09-06T04:00']],
  ['whose midnight was skipped', 0, '2026-09-06T04:00:00Z', 'America/Santiago', ['e.2026-09-06 2026-09-06T04:00 2026-09-07T03:00']],
  ['whose midnight comes twice', 0, '2026-11-01T04:30:00Z', 'America/Havana', ['e.2026-11-01 2026-11-01T04:00 2026-11-02T05:00']],
  ['beside a day that never was', 1, '2011-12-30T10:00:00Z', 'Pacific/Apia', ['e.2011-12-31 2011-12-30T10:00 2011-12-31T10:00', 'e.2011-12-29 2011-12-29T10:00 2011-12-30T10:00']],
])('of each day: %s', (_name, receiveDays, now, zone, expected) => {
  const daily = { id: 'e', file: { every: 'day', receiveDays } } as const;
  expect(windowsAt(daily, zone, Date.parse(now)).map(showRun)).toEqual(expected);
}); /* a row a line */ // prettier-ignore

test('every run is open until the moment that its players were told, over a change of clocks', () => {
  const daily = { id: 'e', file: { every: 'day' } } as const;
  const [run] = windowsAt(daily, 'Europe/Berlin', Date.parse('2026-03-25T12:00:00Z'));
  const keysAt = (now: number) => windowsAt(daily, 'Europe/Berlin', now).map(({ key }) => key);
  const last = run?.receiveUntil ?? Number.NaN;
  expect(run?.key).toBe('e.2026-03-25');
  expect(keysAt(last - 1)).toContain('e.2026-03-25');
  expect(keysAt(last)).not.toContain('e.2026-03-25');
});

test('an event is seen by the brands, regions and browsers that it is for', () => {
  const viewer = { brandKey: 'watt', region: 'ja', isBeta: false };
  expect(isSeenBy(event(), viewer)).toBe(true);
  expect(isSeenBy(event({ brands: ['rhinos'] }), viewer)).toBe(false);
  expect(isSeenBy(event({ regions: ['universal'] }), viewer)).toBe(false);
  expect(isSeenBy(event({ regions: ['universal'] }), { ...viewer, region: '' })).toBe(true);
  expect(isSeenBy(event({ beta: true }), viewer)).toBe(false);
  expect(isSeenBy(event({ beta: true }), { ...viewer, isBeta: true })).toBe(true);
});

test('L78 the kinds that are open follow the calendar', () => {
  const events = [event(single), event({ ...single, kind: 'continuous', regions: ['ja'] })];
  const kinds = (now: string, region: string) => [
    ...kindsOfOpenEvents({ events }, { brandKey: 'watt', region, isBeta: false, timeZone: 'UTC' }, Date.parse(now)),
  ];
  expect(kinds('2026-11-05T00:00:00Z', 'ja')).toEqual(['cumulative', 'continuous']);
  expect(kinds('2026-11-05T00:00:00Z', 'universal')).toEqual(['cumulative']);
  expect(kinds('2027-11-05T00:00:00Z', 'ja')).toEqual([]);
});
