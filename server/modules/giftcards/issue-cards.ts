// Making prepaid cards: numbers and passwords leave this file once, in clear, and are stored as hashes.
import type { PlayerId } from '#kernel/ids.ts';
import type { Queryable } from '#server/platform/database/db.ts';
import { randomCode } from '#server/platform/random-code.ts';
import { withCheckCharacter } from './check-character.ts';
import { hashCardPassword } from './card-secret.ts';
import { type NewBatch, insertCards } from './store.ts';

/**
 * 12 characters (59 bits) name a card. Of the 24 that prove it 23 are random (113 bits): above the 112 bits from which a
 * fast hash is enough. @source OWASP ASVS 6.5.2
 */
const CARD_ID_LENGTH = 12;
const RANDOM_LENGTH = 23;

export type IssuedCard = { readonly cardId: string; readonly password: string };

/** @param pepper key of the password hashes; the same for as long as the cards shall be good */
export async function issueCards(
  db: Queryable,
  input: { batch: NewBatch; count: number; pepper: string; isActive: boolean; issuedTo: PlayerId | null },
): Promise<IssuedCard[]> {
  const made: IssuedCard[] = [];
  // A number that exists already is drawn again; with 59 bits that is a matter of form.
  while (made.length < input.count) {
    const wanted = new Map(
      Array.from({ length: input.count - made.length }, () => [
        randomCode(CARD_ID_LENGTH),
        withCheckCharacter(randomCode(RANDOM_LENGTH)),
      ]),
    );
    const cards = [...wanted].map(([cardId, password]) => ({
      cardId,
      passwordHmac: hashCardPassword(input.pepper, password),
    }));
    for (const cardId of await insertCards(db, input.batch, cards, input))
      made.push({ cardId, password: wanted.get(cardId) ?? '' });
  }
  return made;
}

/** "ABCD-EFGH-...": as it is printed. */
export function spaceOut(text: string): string {
  return text.replace(/(.{4})(?=.)/g, '$1-');
}
