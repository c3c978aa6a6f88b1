// Codes that people read and type: coupons, prepaid cards.
import { randomInt } from 'node:crypto';

/** No 0 O 1 I L: what a person cannot tell apart is not in it. 31 characters, just under 5 bits each. */
export const CODE_ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';

/** `length` characters of the alphabet, from the operating system's randomness. */
export function randomCode(length: number): string {
  return Array.from({ length }, () => CODE_ALPHABET[randomInt(CODE_ALPHABET.length)]).join('');
}
