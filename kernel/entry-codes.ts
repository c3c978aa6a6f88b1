// Codes that a game shows and a player types on another device: "WDJB-MJHT". Shape only; whether one is good is the
// server's business.

/**
 * Consonants that are no words together and are not mistaken for digits; with eight of them 34 bits, enough for a few
 * minutes and limited guesses. @source RFC 8628, section 6.1
 */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const LENGTH = 8;

/** @param pick a random whole number from 0 to below its argument, by a generator that nobody can foresee */
export function makeEntryCode(pick: (below: number) => number): string {
  return Array.from({ length: LENGTH }, () => LETTERS[pick(LETTERS.length)]).join('');
}

/** "WDJB-MJHT" of "WDJBMJHT": read aloud and typed in two halves. */
export function showEntryCode(code: string): string {
  return `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`;
}

/**
 * The code as it was made, of what somebody typed: in small letters, with blanks, dashes or wide forms. Null for no
 * code.
 */
export function readEntryCode(typed: string): string | null {
  const code = typed
    .normalize('NFKC')
    .replaceAll(/[\s\p{Pd}]/gu, '')
    .toUpperCase();
  return code.length === LENGTH && [...code].every((letter) => LETTERS.includes(letter)) ? code : null;
}
