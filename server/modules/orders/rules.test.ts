import { expect, test } from 'vitest';
import { faceOf, isUnpaid, nextPollInSeconds, retryInSeconds } from './rules.ts';

test.each([
  ['created', -1, 'unpaid'],
  ['paid', -1, 'paid'],
  ['delivering', -1, 'delivering'],
  ['delivered', 1, 'delivered'],
  ['review', -1, 'review'],
  ['failed', -2, 'failed'],
  ['refunded', -2, 'refunded'],
] as const)('%s shows as %d', (state, status, stage) => {
  expect(faceOf(state)).toEqual({ status, stage });
});

test('only created and pending are unpaid', () => {
  expect((['created', 'pending', 'paid', 'failed', 'review'] as const).map(isUnpaid)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});

test('grants are retried at once, then slower, for 48 hours, then handed to a person', () => {
  const waits = Array.from({ length: 57 }, (_, index) => retryInSeconds(index + 1, 0));
  expect(waits.slice(0, 10)).toEqual([0, 2, 5, 15, 60, 120, 300, 600, 1800, 3600]);
  expect(waits.at(-1)).toBe(3600);
  expect(retryInSeconds(58, 0)).toBeNull();
  expect(retryInSeconds(5, 1)).toBeCloseTo(66);
});

test('payment status polling ends after a week', () => {
  const waits = Array.from({ length: 40 }, (_, index) => nextPollInSeconds(index + 1));
  expect(waits.slice(0, 8)).toEqual([60, 300, 300, 300, 300, 300, 3600, 3600]);
  const total = waits.reduce<number>((sum, wait) => sum + (wait ?? 0), 0);
  expect(total).toBeGreaterThan(6 * 86_400);
  expect(waits.at(-1)).toBeNull();
});
