import { expect, test } from 'vitest';
import { wholeSetting } from './settings.ts';

test('a whole number is read, or the one of the adapter while none is set', () => {
  expect(wholeSetting({ AGE: '600' }, 'AGE', 300)).toBe(600);
  expect([wholeSetting({}, 'AGE', 300), wholeSetting({ AGE: '' }, 'AGE', 300)]).toEqual([300, 300]);
});

test.each(['5m', '-1', '1.5', '0x10', '1e3', ' 60', 'NaN', '010'])('"%s" is none, and takes no default', (text) => {
  expect(() => wholeSetting({ AGE: text }, 'AGE', 300)).toThrow('AGE must be a whole number');
});
