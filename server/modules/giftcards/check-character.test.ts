import { expect, test } from 'vitest';
import { CODE_ALPHABET, randomCode } from '#server/platform/random-code.ts';
import { isMistyped, withCheckCharacter } from './check-character.ts';

const passwords = Array.from({ length: 20 }, () => withCheckCharacter(randomCode(23)));

test('a password as it was issued is well typed', () => {
  expect(passwords.filter(isMistyped)).toEqual([]);
  expect(passwords.every((password) => /^[A-Z2-9]{24}$/.test(password))).toBe(true);
});

test('one wrong character is found at every place', () => {
  const [password = ''] = passwords;
  for (let place = 0; place < 24; place += 1)
    for (const letter of `${CODE_ALPHABET}01OIL`) {
      const typed = password.slice(0, place) + letter + password.slice(place + 1);
      expect(isMistyped(typed)).toBe(typed !== password);
    }
});

test('any two characters that changed places, one too many and one too few are found', () => {
  for (const password of passwords)
    for (let place = 0; place < 23; place += 1) {
      const [before, one = '', other = ''] = [password.slice(0, place), password[place], password[place + 1]];
      expect(isMistyped(before + other + one + password.slice(place + 2))).toBe(one !== other);
      expect(isMistyped(before + other + password.slice(place + 2))).toBe(true);
      expect(isMistyped(`${before}X${password.slice(place)}`)).toBe(true);
    }
});

test.each(['', 'X', 'WRONG1', '72946150', 'a text that is none'])('%j was not meant as one', (text) => {
  expect(isMistyped(text)).toBe(false);
});
