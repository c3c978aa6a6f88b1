// Orders that events count: delivered at once, paid when and what a test says, and what comes back later.
import { randomUUID } from 'node:crypto';
import type { BillingNo, GameId, PlayerId } from '#kernel/ids.ts';
import type { Currency } from '#kernel/money.ts';
import { createRewardLoop } from '#server/modules/events/hand-over.ts';
import type { SealFacts } from '#server/modules/orders/deliveries/grant.ts';
import { recordDeliveryResults } from '#server/modules/orders/deliveries/delivery-store.ts';
import { type Db, query } from '#server/platform/database/db.ts';
import { type PlaceChanges, placeInput, placeTestOrder, report } from './orders.ts';
import type { TestShop } from './shop.ts';

export type PaidOrder = {
  readonly playerId: PlayerId;
  readonly billingNo: BillingNo;
  readonly attemptNo: number;
  readonly amount: { readonly amountMinor: number; readonly currency: Currency };
};

/** The client of Emberfall that these orders are for, and the character that the scripted game shows. */
export const EMBER_CLIENT = '70013';

/** A character of Emberfall, as the shop remembers one that the game showed it. */
export async function showEmberRole(db: Db, playerId: PlayerId, roleId = 'r1'): Promise<void> {
  await query(
    db,
    'test_ember_role',
    `insert into player_role (player_id, client_id, server_id, area_id, role_id, name, level, server_name)
     values ($1, '${EMBER_CLIENT}', 's1', '', $2, 'Kestrel_07', 42, 'Altair') on conflict do nothing`,
    [playerId, roleId],
  );
}

/** A worker that hands over the rewards which are due, and ends when it has; `sealFacts` as in createRewardLoop. */
export async function handOverRewards(shop: TestShop, over: { sealFacts?: SealFacts } = {}): Promise<void> {
  const { db, log } = shop.services;
  const loop = createRewardLoop({ db, log, environment: 'demo', gameServer: () => shop.game, ...over });
  loop.wake();
  await loop.stop();
}

/**
 * An order of Emberfall that was paid at `paidAt` (ISO 8601), and is delivered unless told; `isLate`: paid after it was
 * given up.
 */
export async function topUp(
  db: Db,
  playerId: PlayerId,
  amountMinor: number,
  over: PlaceChanges & { paidAt?: string; isDelivered?: boolean; isLate?: boolean } = {},
): Promise<PaidOrder> {
  const { paidAt, isDelivered = true, isLate = false, currency = 'USD', ...changes } = over;
  const order = await placeTestOrder(
    db,
    // A product of its own: an unpaid order of the same one would be found again.
    placeInput(playerId, {
      game_id: 'emberfall' as GameId,
      client_id: EMBER_CLIENT,
      product_id: `p${randomUUID().slice(0, 8)}`,
      amount_minor: amountMinor,
      currency,
      ...changes,
    }),
  );
  const paid = { playerId, ...order, amount: { amountMinor, currency } };
  if (isLate) await report(db, order, { status: 'expired' });
  await report(db, order, { amount: paid.amount });
  if (isDelivered) await deliver(db, paid);
  if (paidAt) {
    const at = 'update orders set paid_at = $3 where player_id = $1 and billing_no = $2';
    await query(db, 'test_paid_at', at, [playerId, order.billingNo, paidAt]);
  }
  return paid;
}

export async function deliver(db: Db, { playerId, billingNo }: PaidOrder): Promise<void> {
  await recordDeliveryResults(db, [
    {
      player_id: playerId,
      billing_no: billingNo,
      tries: 1,
      kind: 'done',
      receipt_id: 'R',
      reason: null,
      retry_in_seconds: null,
      on_declined: 'review',
    },
  ]);
}

/** The money of an order goes back. */
export async function reverseOrder(db: Db, order: PaidOrder, status: 'refunded' | 'chargeback'): Promise<void> {
  await report(db, order, { status, amount: order.amount });
}
