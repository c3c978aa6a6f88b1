// The last character of a card's password proves the others, so that a typing error is no attempt at the card. It says
// nothing of the password: whoever knows the rule can make it.
import { CODE_ALPHABET } from '#server/platform/random-code.ts';

/** Prime, so that the weights below have inverses. */
const SIZE = CODE_ALPHABET.length;
const LENGTH = 24;

/**
 * The sum of each character times its place, modulo 31, is 0, as in an ISBN-10: one wrong character and two that changed
 * places are always found, because all weights differ.
 * @source ISO 2108:2005, annex C
 */
const weigh = (text: string): number =>
  [...text].reduce((sum, letter, index) => sum + (index + 1) * CODE_ALPHABET.indexOf(letter), 0) % SIZE;

/** @param random 23 characters of the alphabet @returns the whole password */
export function withCheckCharacter(random: string): string {
  if (random.length !== LENGTH - 1) throw new RangeError('a password of a card has 24 characters');
  const last = [...CODE_ALPHABET].find((letter) => weigh(random + letter) === 0);
  if (last === undefined) throw new RangeError('a password of a card has letters of the alphabet alone');
  return random + last;
}

/**
 * Returns true for what was meant as a password of a card, one character more or less allowed, and cannot be one.
 * @param text in the one spelling that is hashed
 */
export function isMistyped(text: string): boolean {
  if (!/^[A-Z0-9]{23,25}$/.test(text)) return false;
  const isOfAlphabet = [...text].every((letter) => CODE_ALPHABET.includes(letter));
  return text.length !== LENGTH || !isOfAlphabet || weigh(text) !== 0;
}
