import { expect, test } from 'vitest';
import { pathInside } from './path-inside.ts';

test.each(['brands/watt/brand.yaml', 'a', '..a/b', 'a/../b', '/etc/passwd'])('%s is inside', (path) => {
  expect(pathInside('/shop', path).startsWith('/shop/')).toBe(true);
});

test.each(['../x', 'a/../../x', '..', '.', '', 'a/..', 'games/../../../root/.ssh', 'a\0b'])('%j leads out', (path) => {
  expect(() => pathInside('/shop', path)).toThrow(RangeError);
  expect(() => pathInside('shop', path)).toThrow(RangeError);
});
