// Which passwords a player may choose for a built-in account. Length and being no common one;
// nothing about kinds of characters.
import { SHORTEST_PASSWORD, normalisePassword } from '#contracts/accounts.ts';

/** Common in East Asia, and missing in lists that were made in the West. */
const ALSO_COMMON = new Set('woaini1314 5201314520 5845201314 a12345678 aa12345678 12345678910 jordan23'.split(' '));
/** The digits that people add to a word until it is long enough. */
const RUN = '1234567890';

export type PasswordFault = 'too_short' | 'too_common' | 'is_name';

/**
 * Null: the password will do. Upper length and encoding are password.ts's business.
 * @param names login name, brand: what a stranger would try first
 * @param denied lists of passwords, normalised and in lower case
 */
export function findPasswordFault(
  password: string,
  names: readonly string[],
  denied: readonly ReadonlySet<string>[],
): PasswordFault | null {
  const plain = normalisePassword(password).toLowerCase();
  if ([...plain].length < SHORTEST_PASSWORD) return 'too_short';
  const isListed = (text: string) => ALSO_COMMON.has(text) || denied.some((list) => list.has(text));
  // The same character, or two of them, over and over.
  if (isListed(plain) || isListed(withoutRun(plain)) || new Set(plain).size <= 2) return 'too_common';
  const letters = lettersOf(plain);
  // Digits and punctuation around it make no other word of a name. Three letters at least: else
  // nothing would be left to compare.
  return names.map(lettersOf).some((name) => name.length >= 3 && name === letters) ? 'is_name' : null;
}

/** "password12345" is "password", and no better. */
function withoutRun(text: string): string {
  const digits = /(?<!\d)\d+$/.exec(text)?.[0] ?? '';
  return RUN.startsWith(digits) ? text.slice(0, text.length - digits.length) : text;
}

const lettersOf = (text: string): string => text.toLowerCase().replaceAll(/\P{L}/gu, '');
