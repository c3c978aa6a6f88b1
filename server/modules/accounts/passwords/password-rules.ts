// Which passwords a player may choose for a built-in account. Length and being no common one;
// nothing about kinds of characters.
import { SHORTEST_PASSWORD } from '#contracts/accounts.ts';

/**
 * Those of eight characters and more that head every list of leaked passwords; an operator may
 * add a longer list of their own.
 */
const COMMON = new Set(
  `password password1 password12 password123 passw0rd p@ssw0rd p@ssword 12345678 123456789 1234567890 12345678910 123123123 11111111 111111111
   00000000 87654321 987654321 88888888 66666666 12341234 11223344 1q2w3e4r 1q2w3e4r5t 1qaz2wsx qazwsxedc qwertyuiop qwerty123 qwertyui qwer1234
   asdfghjkl asdfasdf zxcvbnm1 abcd1234 abc12345 a1234567 a12345678 aa123456 aa12345678 q1w2e3r4 iloveyou iloveyou1 princess sunshine football
   baseball superman computer michelle jennifer trustno1 whatever dragon12 starwars welcome1 letmein1 internet samsung1 changeme minecraft pokemon1
   liverpool charlie1 babygirl lovelove jordan23 qwerty12 asdf1234 pass1234 test1234 admin123 administrator blink182 michael1 maryjane 147258369
   159753456 789456123 123654789 12344321 abcdefgh abcdefg1 woaini1314 5201314520 5845201314 zaq12wsx`
    .split(/\s+/)
    .filter(Boolean),
);

export type PasswordFault = 'too_short' | 'too_common' | 'is_name';

/**
 * Null: the password will do. Upper length and encoding are password.ts's business.
 * @param names login name, brand: what a stranger would try first
 * @param denied further passwords, in lower case
 */
export function findPasswordFault(
  password: string,
  names: readonly string[],
  denied: ReadonlySet<string> = new Set(),
): PasswordFault | null {
  if ([...password].length < SHORTEST_PASSWORD) return 'too_short';
  const plain = password.toLowerCase();
  // The same character, or two of them, over and over.
  if (COMMON.has(plain) || denied.has(plain) || new Set(plain).size <= 2) return 'too_common';
  const letters = lettersOf(plain);
  // Digits and punctuation around it make no other word of a name. Three letters at least: else
  // nothing would be left to compare.
  return names.map(lettersOf).some((name) => name.length >= 3 && name === letters) ? 'is_name' : null;
}

const lettersOf = (text: string): string => text.toLowerCase().replaceAll(/\P{L}/gu, '');
