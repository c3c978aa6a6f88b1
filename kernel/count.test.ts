// Counts as they are written, measured by the platform's own way to write them.
import { expect, test } from 'vitest';
import { showCount } from './count.ts';

const platform = new Intl.NumberFormat('en-US');

test.each([0, 7, 60, 999, 1000, 1280, 12_800, 999_999, 1_000_000, 1_234_567_890, -1280, -999, 1280.5, 12_345.678])(
  '%d is written with a comma before each three digits',
  (count) => {
    expect(showCount(count)).toBe(platform.format(count));
  },
);
