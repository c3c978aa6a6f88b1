// Make-up payments for tests: opened as an operator opens them, and paid by the pay call.
import { ulid } from 'ulid';
import type { ReplenishId } from '#kernel/ids.ts';
import type { Db } from '#server/platform/database/db.ts';
import { openReplenish } from '#server/modules/replenish/store.ts';
import { pay, type PayOptions } from './pay.ts';
import type { TestPlayer, TestShop } from './shop.ts';

export const REPLENISH_MINOR = 1250;

/** One of 12.50 USD in starlane, good for three days. */
export async function openTestReplenish(
  shop: { db: Db },
  player: Pick<TestPlayer, 'playerId' | 'brand'>,
  over: { validSeconds?: number; reference?: string } = {},
): Promise<ReplenishId> {
  const opened = await openReplenish(shop.db, {
    replenish_id: `RP-${ulid()}` as ReplenishId,
    player_id: player.playerId,
    brand_key: player.brand as never,
    game_id: 'starlane' as never,
    client_id: '70021',
    amount_minor: REPLENISH_MINOR,
    currency: 'USD',
    reason: 'chargeback of an order',
    opened_by: 'anna',
    reference: over.reference ?? null,
    valid_seconds: over.validSeconds ?? 3 * 86_400,
  });
  if (!opened) throw new Error('the make-up payment was not opened');
  return opened.replenish_id;
}

export const payReplenish = (shop: TestShop, player: TestPlayer, id: string, over: PayOptions = {}) =>
  pay(shop, player, {
    ...over,
    body: {
      client_id: '70021',
      server_id: '',
      role_id: '',
      product_id: id,
      replenish_id: id,
      price_minor: REPLENISH_MINOR,
      domain_area: 'universal',
      country: 'US',
      ...over.body,
    },
  });
