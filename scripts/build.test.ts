// Which build of the storefront may be used again.
import { expect, test } from 'vitest';
import { isFresh } from './build.ts';

test.each<[known: string, wanted: 'quick' | 'best', isFresh: boolean]>([
  ['now', 'best', true],
  ['now', 'quick', true],
  ['now quick', 'quick', true],
  // Budgets, images and releases measure and ship the best.
  ['now quick', 'best', false],
  ['before', 'quick', false],
  ['before quick', 'quick', false],
  ['', 'quick', false],
])('a build of "%s" is there, %s is wanted: fresh %s', (known, wanted, fresh) => {
  expect(isFresh(known, 'now', wanted === 'quick')).toBe(fresh);
});
