// How the number and the password of a prepaid card travel: written by the page, read by the server.
import Type from 'typebox';

/** @source specification section 9: "Card field max length 80" */
export const CARD_FIELD_MAX = 80;

/**
 * base64 of JSON `{card_id, card_password, hash}`. Two fields of 80 characters, each up to four bytes and escaped, fit.
 * @source specification section 7: "card_info (base64 of card id, card password and a hash)"
 */
export const CardInfo = Type.String({ minLength: 4, maxLength: 2000 });

/**
 * The text whose SHA-256, in hex, is the `hash` of card_info. It finds damaged input and proves
 * nothing: everybody can compute it.
 * @source docs/decisions/0009-prepaid-cards.md
 */
export function cardHashText(cardId: string, cardPassword: string): string {
  return `${cardId}:${cardPassword}`;
}

/** @param hash hex SHA-256 of `cardHashText`, computed where there is a SHA-256 */
export function encodeCardInfo(cardId: string, cardPassword: string, hash: string): string {
  const bytes = new TextEncoder().encode(JSON.stringify({ card_id: cardId, card_password: cardPassword, hash }));
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/** The three parts as they were typed; null for what is no such text. The hash is not compared here. */
export function decodeCardInfo(text: string): { cardId: string; cardPassword: string; hash: string } | null {
  try {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    const parts: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (typeof parts !== 'object' || parts === null) return null;
    const { card_id: cardId, card_password: cardPassword, hash } = parts as Record<string, unknown>;
    const isField = (value: unknown): value is string =>
      typeof value === 'string' && value !== '' && value.length <= CARD_FIELD_MAX && !value.includes('\0');
    return isField(cardId) && isField(cardPassword) && isField(hash) ? { cardId, cardPassword, hash } : null;
  } catch {
    return null;
  }
}
