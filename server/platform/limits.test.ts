import { expect, test } from 'vitest';
import { delayAfter, networkOf } from './limits.ts';

test('failures are free at first, then cost twice as much each time, never more than 15 minutes', () => {
  expect([1, 5, 6, 7, 8, 9, 15, 16, 40].map(delayAfter)).toEqual([0, 0, 1, 2, 4, 8, 512, 900, 900]);
});

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::ffff:192.0.2.7', '::ffff:192.0.2.7'],
])('%s counts as %s', (ip, network) => {
  expect(networkOf(ip)).toBe(network);
});
