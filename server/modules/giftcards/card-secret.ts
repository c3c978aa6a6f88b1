// Converts a card's number and password before anything else sees them: one spelling, and keyed hashes.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { isMistyped } from './check-character.ts';
import { cardHashText, decodeCardInfo } from '#contracts/card-info.ts';

/**
 * A card as the database knows it. `cardKey` names what was typed without telling it: somebody may type a
 * password into the wrong field.
 */
export type HashedCard = {
  readonly cardId: string;
  readonly cardKey: string;
  readonly passwordHmac: string;
  /** The password cannot be one of a card: a typing error, which is no attempt. */
  readonly isMistyped: boolean;
};

/** Blanks and hyphens are for the eye, and nobody types capitals on a phone. */
export function normaliseCardText(text: string): string {
  return text.normalize('NFKC').replace(/[\s-]/g, '').toUpperCase();
}

/**
 * Hex HMAC-SHA256 of the normalised password. Passwords have 113 bits (24 characters), so a fast hash is enough,
 * and without the pepper a stolen table tells nothing at all. @source OWASP ASVS 6.5.2;
 * docs/decisions/0009-prepaid-cards.md
 */
export function hashCardPassword(pepper: string, password: string): string {
  return createHmac('sha256', pepper).update(normaliseCardText(password)).digest('hex');
}

export function hashCard(pepper: string, cardId: string, password: string): HashedCard {
  const id = normaliseCardText(cardId);
  return {
    cardId: id,
    cardKey: createHmac('sha256', pepper).update(`card:${id}`).digest('hex').slice(0, 32),
    passwordHmac: hashCardPassword(pepper, password),
    isMistyped: isMistyped(normaliseCardText(password)),
  };
}

/** Hashes the card inside `card_info`; null for a text that is damaged or holds none. */
export function readCardInfo(pepper: string, cardInfo: string): HashedCard | null {
  const read = decodeCardInfo(cardInfo);
  if (!read) return null;
  const sum = createHash('sha256').update(cardHashText(read.cardId, read.cardPassword)).digest('hex');
  const given = read.hash.toLowerCase();
  if (given.length !== sum.length || !timingSafeEqual(Buffer.from(given, 'latin1'), Buffer.from(sum, 'latin1')))
    return null;
  return hashCard(pepper, read.cardId, read.cardPassword);
}
