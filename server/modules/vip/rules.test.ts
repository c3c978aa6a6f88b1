import { expect, test } from 'vitest';
import { levelOf } from './rules.ts';

const levels = [0, 100, 500].map((needPoints) => ({ needPoints }));

test.each([
  [-5, 0],
  [0, 0],
  [99, 0],
  [100, 100],
  [499, 100],
  [500, 500],
  [9_000, 500],
])('L135 %i points are the level of %i', (points, level) => {
  expect(levelOf(levels, points)?.needPoints).toBe(level);
});
