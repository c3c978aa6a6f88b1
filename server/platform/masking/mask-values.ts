// Masks values that tell of a person by their own shape, whatever key they have: addresses of mail and network,
// telephone numbers, cards.
import { isIPv6 } from 'node:net';

export const MASK = '***';

/** Ours: the number of a player or an order, which leads to a person only through this database. */
const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

const MAIL = /(?<![^\s@<>"'=&;,:/()%])[^\s@<>"'=&;,:/()%]+(?:@|%40)[^\s@<>"'=&;,/()%]{1,190}\.[a-z\d-]{2,}/gi;
const IPV4 = /(?<![\d.])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?![\d.])/g;
const PERHAPS_IPV6 = /(?<![\da-z:])[\da-f]{0,4}:[\da-f:.]{2,40}(?![\da-z:])/gi;
/** International, as it is written for a machine or for people. */
const PHONE = /(?<![\w+/])\+\d(?:[ ().-]?\d){7,14}(?!\d)/g;
/** "411111******1111", and Adyen's "012345:1111:03/2030": authorisation, last four, expiry. */
const FRAGMENT = /\b\d{4,6}[*xX•]{3,}\d{2,4}\b|(?<=\b\d{4,8}):\d{4}:\d{1,2}\/\d{4}\b/g;
/** Tokens of our own sessions. */
const TOKEN = /r[fbth]1_[A-Za-z0-9_-]{20,}/g;
const PERHAPS_CARD = /(?<![\w.-])(?:3[4-7]|4\d|5[1-5]|2[2-7]|6\d)\d{2}[ -]?(?:\d[ -]?){8,13}\d(?![\w.-])/g;
/** Digits of the shortest number of a card. */
const SHORTEST_CARD = 13;
/** Numbers of payments are long, and one in ten of them would pass for a card. */
const REFERENCE =
  /-(id|ids|no|num|number|ref|reference|seq|key|code|token|sign|signature|hash|order|trade|transaction)-$/;

/** @param words the value's key, as `wordsOf` reads it */
export function maskValue(text: string, words: string): string {
  // Most values are words and numbers of a few characters: each shape is looked for only where its sign stands.
  let masked = text;
  if (masked.includes('@') || masked.includes('%40')) masked = masked.replaceAll(MAIL, MASK);
  if (masked.includes('.')) masked = masked.replaceAll(IPV4, MASK);
  if (masked.includes(':')) masked = masked.replaceAll(PERHAPS_IPV6, (found) => (isIPv6(found) ? MASK : found));
  if (masked.includes('+')) masked = masked.replaceAll(PHONE, MASK);
  if (masked.includes('1_')) masked = masked.replaceAll(TOKEN, MASK);
  // Numbers of cards, and what is left of them, have four digits in a row.
  if (!/\d{4}/.test(masked)) return masked;
  if (/[*xX•:]/.test(masked)) masked = masked.replaceAll(FRAGMENT, MASK);
  if (masked.length < SHORTEST_CARD) return masked;
  return REFERENCE.test(words) ? masked : masked.replaceAll(PERHAPS_CARD, (found) => (isCard(found) ? MASK : found));
}

/** True for what a person's key may hold all the same. */
export const isOwnNumber = (text: string): boolean => UUID.test(text);

/** By Luhn's check digit. */
function isCard(text: string): boolean {
  const digits = [...text.replaceAll(/\D/g, '')].map(Number);
  if (digits.length < 13 || digits.length > 19) return false;
  const sum = digits.toReversed().reduce((total, digit, index) => {
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}
