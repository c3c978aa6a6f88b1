// Prepaid cards that open an account, for flows in a browser: issued to a player of the
// demonstration, as an operator issues them.
import { randomUUID } from 'node:crypto';
import type { BrandKey, PlayerId } from '#kernel/ids.ts';
import { demoPepper } from '#scripts/start/start-demo-settings.ts';
import { issueCards } from '#server/modules/giftcards/issue-cards.ts';
import { openDb } from '#server/platform/database/db.ts';

/** @param name of a player that the shop knows already in this brand */
export async function issueCardTo(
  databaseUrl: string,
  brand: string,
  name: string,
): Promise<{ cardId: string; password: string }> {
  const db = openDb(databaseUrl, { max: 1, onError: () => {} });
  try {
    const { rows } = await db.query<{ player_id: PlayerId }>(
      'select player_id from player where brand_key = $1 and username = $2',
      [brand, name],
    );
    const batch = {
      batch_id: `login-${randomUUID()}`,
      brand_key: brand as BrandKey,
      channel: 'card',
      game_id: null,
      product_id: null,
      face_minor: 999,
      currency: 'USD',
      gems_number: 0,
      extra_gems: 0,
      valid_to: new Date(Date.now() + 86_400_000),
      issued_by: 'test',
    } as const;
    const issuedTo = rows[0]?.player_id ?? null;
    const [card] = await issueCards(db, { batch, count: 1, pepper: demoPepper({}), isActive: true, issuedTo });
    if (!card || !issuedTo) throw new Error(`no card for ${name}`);
    return card;
  } finally {
    await db.end();
  }
}
