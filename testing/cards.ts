// Prepaid cards for tests: issued as an operator issues them, and typed as the page sends them.
import { createHash } from 'node:crypto';
import { cardHashText, encodeCardInfo } from '#contracts/card-info.ts';
import { type IssuedCard, issueCards } from '#server/modules/giftcards/issue-cards.ts';
import type { NewBatch } from '#server/modules/giftcards/store.ts';
import type { PlayerId } from '#kernel/ids.ts';
import type { Queryable } from '#server/platform/database/db.ts';
import { shopProviders } from '#server/providers/shop-payments.ts';
import type { ShopOverrides } from './shop.ts';

export const TEST_PEPPER = 'pepper-for-tests-0123456789abcdef';

/** A test shop that takes prepaid cards, and balances, beside what its test scripts. */
export const WITH_TENDERS: Pick<ShopOverrides, 'environment' | 'moreProviders'> = {
  environment: {
    REFILL_CARD_DEMO_PEPPER: TEST_PEPPER,
    REFILL_WALLET_DEMO_CREDIT_KEY: 'credit-key-for-tests-0123456789',
  },
  moreProviders: shopProviders.filter((provider) => provider.internalTender),
};

let batches = 0;

/**
 * Cards of 9.99 USD for the brand watt, good for a year, for any game; `over` and `options` for
 * what a test wants different.
 */
export async function issueTestCards(
  db: Queryable,
  count: number,
  over: Partial<NewBatch> = {},
  options: { isActive?: boolean; issuedTo?: PlayerId | null } = {},
): Promise<IssuedCard[]> {
  batches += 1;
  return issueCards(db, {
    batch: {
      batch_id: `TEST-${batches}`,
      brand_key: 'watt',
      channel: 'card',
      game_id: null,
      product_id: null,
      face_minor: 999,
      currency: 'USD',
      gems_number: 0,
      extra_gems: 0,
      valid_to: new Date(Date.now() + 365 * 86_400_000),
      issued_by: 'test',
      ...over,
    },
    count,
    pepper: TEST_PEPPER,
    isActive: options.isActive ?? true,
    issuedTo: options.issuedTo ?? null,
  });
}

export function cardInfo(cardId: string, password: string): string {
  return encodeCardInfo(cardId, password, createHash('sha256').update(cardHashText(cardId, password)).digest('hex'));
}
