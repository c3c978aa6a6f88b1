import { expect, test } from 'vitest';
import { SHORTEST_PASSWORD } from '#contracts/accounts.ts';
import { loadCommonPasswords } from './common-passwords.ts';
import { findPasswordFault } from './password-rules.ts';

test.each([
  ['seven77', 'too_short'],
  ['🔑🔑🔑🔑🔑🔑🔑', 'too_short'],
  ['password123', 'too_common'],
  ['PassWord123', 'too_common'],
  ['aaaaaaaaaaaa', 'too_common'],
  ['1212121212', 'too_common'],
  ...['qwerty12345', 'iloveyou2', 'password12345', 'sunshine1', 'monkey123', '1qazxsw2', 'woaini1314', 'ｐassword'].map(
    (password) => [password, 'too_common'] as const,
  ),
  ['한글'.normalize('NFD'), 'too_short'],
  ['from the list', 'too_common'],
  ['password 84719', null],
  ['kestrel-2026', 'is_name'],
  ['Watt!12345', 'is_name'],
  ['correct horse', null],
  ['пароль от игры', null],
  ['all lower case and long', null],
] as const)('%s: %s', async (password, fault) => {
  const denied = [await loadCommonPasswords(), new Set(['from the list'])];
  expect(findPasswordFault(password, ['Kestrel', 'watt'], denied)).toBe(fault);
});

test('a name without letters forbids nothing', () => {
  expect(findPasswordFault('correct horse', ['12345', ''], [])).toBeNull();
  expect(findPasswordFault('4711-4712-4713', ['12345'], [])).toBeNull();
});

test('the list has more than 3,000 that are long enough', async () => {
  const long = [...(await loadCommonPasswords())].filter((password) => password.length >= SHORTEST_PASSWORD);
  expect(long.length).toBeGreaterThan(3000);
});
