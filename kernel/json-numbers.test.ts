import { expect, test } from 'vitest';
import { hasInexactNumbers, mapNumbers } from './json-numbers.ts';

test.each([
  ['{"value":499}', false],
  ['[1, -2, 99999999999999]', false],
  ['{"at":"2026-11-26T07:00:00-05:00","id":"7f0a-0abc"}', false],
  ['{"value": 1.0}', true],
  ['{"value":\n1e5}', true],
  ['[-0]', true],
  ['{"id":1234567890123456789}', true],
  ['12.50', true],
])('numbers of %s that JavaScript would write otherwise: %s', (text, isInexact) => {
  expect(hasInexactNumbers(text)).toBe(isInexact);
});

test('numbers keep their digits, and texts stay as they are', () => {
  const quoted = mapNumbers(
    '{"a":1.50,"b":[-0,12345678901234567890],"c":"x: 1.5","d\\"1":2}',
    (digits) => `"${digits}"`,
  );
  expect(quoted).toBe('{"a":"1.50","b":["-0","12345678901234567890"],"c":"x: 1.5","d\\"1":"2"}');
});
