import { expect, test } from 'vitest';
import { createFailureWatch } from './failure-rules.ts';

const MINUTE = 60_000;
/** So many failures in each of these minutes; answers in which minutes the alarm was raised. */
function alarms(perMinute: readonly number[], watch = createFailureWatch(), from = 0): number[] {
  return perMinute.flatMap((count, minute) => {
    const raised = Array.from({ length: count }, (_, n) => watch('watt', (from + minute) * MINUTE + n));
    return raised.includes(true) ? [minute] : [];
  });
}

test('a quiet shop raises it at thirty in a minute, not before', () => {
  expect(alarms([0, 5, 29, 12, 0])).toEqual([]);
  expect(alarms([0, 5, 30])).toEqual([2]);
});

test('a busy shop raises it at five times what is usual', () => {
  const usual = Array<number>(300).fill(20);
  const watch = createFailureWatch();
  // Until it knows what is usual nothing is raised either: twenty is below thirty.
  expect(alarms(usual, watch)).toEqual([]);
  expect(alarms([60, 95], watch, 300)).toEqual([]);
  expect(alarms([120], watch, 310)).toEqual([0]);
});

test('an attack that goes on raises it every ten minutes, until it is what is usual', () => {
  expect(alarms(Array<number>(31).fill(200)).slice(0, 2)).toEqual([0, 10]);
});

test('brands are counted apart', () => {
  const watch = createFailureWatch();
  for (let n = 0; n < 29; n += 1) watch('watt', n);
  expect(watch('dragon', 30)).toBe(false);
  expect(watch('watt', 31)).toBe(true);
});
