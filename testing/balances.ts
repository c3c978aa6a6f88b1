// Balances for tests: given as an operator gives them.
import { randomUUID } from 'node:crypto';
import type { PlayerId } from '#kernel/ids.ts';
import { type CreditRow, creditWallet } from '#server/modules/wallet/store.ts';
import type { Queryable } from '#server/platform/database/db.ts';

export async function giveTestBalance(
  db: Queryable,
  playerId: PlayerId,
  amountMinor: number,
  over: Partial<CreditRow> = {},
): Promise<void> {
  const given = await creditWallet(db, {
    player_id: playerId,
    external_id: randomUUID(),
    currency: 'USD',
    amount_minor: amountMinor,
    kind: 'paid',
    reason: 'test',
    actor: 'test',
    ...over,
  });
  if (given.outcome !== 'done') throw new Error(`not credited: ${given.outcome}`);
}
