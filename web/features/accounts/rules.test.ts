// The login form's rules in tables.
import { expect, test } from 'vitest';
import { decodeCredential } from '#contracts/credentials.ts';
import { canSubmitLogin, encodeLogin, isLongEnough, makePrefix } from './rules.ts';

test.each([
  ['kestrel', 'secret', true],
  ['', 'secret', false],
  ['kestrel', '', false],
  ['   ', 'secret', false],
  ['kestrel', '  ', false],
  [' a ', ' b ', true],
])('login with %j and %j may be sent: %j', (username, password, expected) => {
  expect(canSubmitLogin(username, password)).toBe(expected);
});

test('a prefix is three letters or digits whatever the bytes', () => {
  expect(makePrefix(Uint8Array.of(0, 61, 62))).toBe('A9A');
  expect(makePrefix(Uint8Array.of(255, 128, 7))).toMatch(/^[A-Za-z0-9]{3}$/);
});

test('fields travel trimmed and come back as typed, each behind its own prefix', () => {
  let next = 0;
  const sent = encodeLogin('  みなと ', ' pass word ', () => Uint8Array.of(next++, next++, next++));
  expect(decodeCredential(sent.username)).toBe('みなと');
  expect(decodeCredential(sent.password)).toBe('pass word');
  expect(atob(sent.password).slice(0, 3)).toBe('DEF');
});

test.each([
  ['sevenis', false],
  ['  sevenis  ', false],
  ['eight is', true],
  // Characters, not the two places that each of these takes in a text.
  ['🐉🐉🐉🐉', false],
  ['🐉🔥🐉🔥🐉🔥🐉🔥', true],
])('a new password %j is long enough: %j', (password, expected) => {
  expect(isLongEnough(password)).toBe(expected);
});
