import { expect, test } from 'vitest';
import { findPasswordFault } from './password-rules.ts';

test.each([
  ['seven77', 'too_short'],
  ['🔑🔑🔑🔑🔑🔑🔑', 'too_short'],
  ['password123', 'too_common'],
  ['PassWord123', 'too_common'],
  ['aaaaaaaaaaaa', 'too_common'],
  ['1212121212', 'too_common'],
  ['from the list', 'too_common'],
  ['kestrel-2026', 'is_name'],
  ['Watt!12345', 'is_name'],
  ['correct horse', null],
  ['пароль от игры', null],
  ['all lower case and long', null],
] as const)('%s: %s', (password, fault) => {
  expect(findPasswordFault(password, ['Kestrel', 'watt'], new Set(['from the list']))).toBe(fault);
});

test('a name without letters forbids nothing', () => {
  expect(findPasswordFault('correct horse', ['12345', ''])).toBeNull();
  expect(findPasswordFault('4711-4712-4713', ['12345'])).toBeNull();
});
