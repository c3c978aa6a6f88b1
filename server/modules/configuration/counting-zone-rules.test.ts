import { expect, test } from 'vitest';
import { countingZone } from './counting-zone-rules.ts';

const brand = (accounts: 'builtin' | 'game') => ({ file: { accounts, timeZone: 'Asia/Tokyo' } });

test.each([
  ['builtin', 'Europe/Paris', 'Asia/Tokyo'],
  ['builtin', undefined, 'Asia/Tokyo'],
  ['game', 'Europe/Paris', 'Europe/Paris'],
  ['game', undefined, 'Etc/UTC'],
] as const)('a brand with accounts: %s and a game in %s begins days of %s', (accounts, zone, expected) => {
  const game = { file: zone === undefined ? {} : { timeZone: zone } };
  expect(countingZone(brand(accounts), game)).toBe(expected);
});
