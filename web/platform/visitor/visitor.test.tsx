// Ids of a browser and its visits: what is kept, for how long, and what waits for consent.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DAY_MS, MINUTE_MS } from '#kernel/time.ts';
import { readBoot, setBoot } from '../boot.ts';
import { load, loadText } from './storage.ts';
import { draw } from '../test-page.tsx';
import { eraseVisitor, keepVisitor, trafficSource, visit, visitorId } from './visitor.ts';

const START = 1_000_000;

beforeEach(async () => {
  localStorage.clear();
  await draw(null);
  eraseVisitor();
  vi.useFakeTimers({ now: START });
});
afterEach(() => {
  vi.useRealTimers();
});

function askConsent(): void {
  const boot = readBoot();
  setBoot({ ...boot, brand: { ...boot.brand, needsTrackingConsent: true } });
}

test('L82 the id of a browser is made once and stays', () => {
  const id = visitorId();
  expect(id).toMatch(/^[0-9a-f]{32}$/);
  expect(loadText('uuid')).toBe(id);
  vi.setSystemTime(START + 300 * DAY_MS);
  expect(visitorId()).toBe(id);
});

test('L82 a visit goes on while it shows signs of life, and half an hour of silence ends it', () => {
  const first = visit();
  expect(first.startedAt).toBe(START);
  vi.setSystemTime(START + 29 * MINUTE_MS);
  expect(visit()).toEqual(first);
  vi.setSystemTime(START + 58 * MINUTE_MS);
  expect(visit()).toEqual(first);
  expect(load('trackTimestamp')).toMatchObject({ id: first.id, seenAt: START + 58 * MINUTE_MS });
  vi.setSystemTime(START + 88 * MINUTE_MS);
  const second = visit();
  expect(second.id).not.toBe(first.id);
  expect(second.startedAt).toBe(START + 88 * MINUTE_MS);
});

test.each([
  ['?utm_source=tube&utm_medium=video&utm_campaign=spring&utm_content=b1', 'tube/video/spring/b1'],
  ['?utm_source=tube', 'tube'],
  ['?utm_campaign=spring', '-/-/spring'],
  ['?utm_source=a&utm_source=b', 'b'],
  ['?utm_source=a/b', 'a_b'],
  ['?client_id=70021', ''],
])('L82 traffic source of %s is %j', (search, source) => {
  expect(trafficSource(search)).toBe(source);
});

test('L82 the first touch wins until its days are over', () => {
  expect(trafficSource('')).toBe('');
  expect(trafficSource('?utm_source=first')).toBe('first');
  expect(trafficSource('?utm_source=second')).toBe('first');
  clearMemory();
  expect(trafficSource('?utm_source=second')).toBe('first');
  vi.setSystemTime(START + 30 * DAY_MS);
  expect(trafficSource('?utm_source=second')).toBe('second');
});

test('a long source is cut to what a pay call takes', () => {
  expect(trafficSource(`?utm_source=${'x'.repeat(250)}`)).toHaveLength(200);
});

test('nothing is kept before consent, everything of this page after it, nothing after a refusal', () => {
  askConsent();
  const id = visitorId();
  const { id: visitId } = visit();
  trafficSource('?utm_source=tube');
  expect(localStorage.length).toBe(0);
  expect([visitorId(), visit().id, trafficSource('')]).toEqual([id, visitId, 'tube']);
  keepVisitor();
  expect([loadText('uuid'), loadText('trafficSource')]).toEqual([id, 'tube']);
  expect(load('trackTimestamp')).toMatchObject({ id: visitId });
  eraseVisitor();
  expect(localStorage.length).toBe(0);
  expect(visitorId()).not.toBe(id);
});

/** As a page that was just opened. */
function clearMemory(): void {
  const kept = Object.fromEntries(Object.keys(localStorage).map((key) => [key, localStorage.getItem(key) ?? '']));
  eraseVisitor();
  for (const [key, value] of Object.entries(kept)) localStorage.setItem(key, value);
}
