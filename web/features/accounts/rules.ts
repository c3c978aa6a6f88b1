// Decides which input a login form may send, without the page: no network, no storage, no React.
import { SHORTEST_PASSWORD, normalisePassword } from '#contracts/accounts.ts';
import { encodeCredential } from '#contracts/credentials.ts';

const PREFIX_LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Characters in a card's number, and in its password. @source specification section 5, "each at most 80 characters" */
export const CARD_LENGTH = 80;

/** Returns true when the login button works: both fields hold more than blanks. @source specification section 5 */
export function canSubmitLogin(username: string, password: string): boolean {
  return username.trim() !== '' && password.trim() !== '';
}

/** Three letters or digits made of three random bytes; the prefix of an encoded credential. */
export function makePrefix(bytes: Uint8Array): string {
  return Array.from(bytes.subarray(0, 3), (byte) => PREFIX_LETTERS[byte % PREFIX_LETTERS.length]).join('');
}

/**
 * Both fields as the login call wants them: trimmed, then encoded, each with a prefix of its own.
 * @param randomBytes fills three bytes; handed in so that a test can know them
 * @source specification section 5: "both are trimmed and sent encoded with a random 3-character prefix"
 */
export function encodeLogin(
  username: string,
  password: string,
  randomBytes: () => Uint8Array,
): { username: string; password: string } {
  return {
    username: encodeCredential(username.trim(), makePrefix(randomBytes())),
    password: encodeCredential(password.trim(), makePrefix(randomBytes())),
  };
}

/** The same for a prepaid card. */
export function encodeCard(
  number: string,
  password: string,
  randomBytes: () => Uint8Array,
): { card_number: string; card_password: string } {
  const { username, password: encoded } = encodeLogin(number, password, randomBytes);
  return { card_number: username, card_password: encoded };
}

/** Both passwords as the call for a new one wants them, each with a prefix of its own. */
export function encodeChange(
  from: string,
  to: string,
  randomBytes: () => Uint8Array,
): { old_password: string; new_password: string } {
  const { username, password } = encodeLogin(from, to, randomBytes);
  return { old_password: username, new_password: password };
}

/** Returns true when asking the server makes sense: it decides, and looks for more than the length. */
export function isLongEnough(password: string): boolean {
  return [...normalisePassword(password.trim())].length >= SHORTEST_PASSWORD;
}
