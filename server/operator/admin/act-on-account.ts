// Shutting a player out, letting in again, logging out, a new password: the act and its audit line in one transaction.
import type { BrandKey, PlayerId } from '#kernel/ids.ts';
import { type AccountAct, operateAccount } from '#server/modules/accounts/operate-account.ts';
import { addAudit } from '#server/modules/orders/operator/operate-store.ts';
import { type Db, transaction } from '#server/platform/database/db.ts';

/** @returns false where there is nothing to do, and no line is left */
export function actOnAccount(
  db: Db,
  input: {
    act: AccountAct;
    brandKey: BrandKey;
    playerId: PlayerId;
    password: string | null;
    by: string;
    reason?: string | undefined;
  },
): Promise<boolean> {
  return transaction(db, async (client) => {
    const { act, brandKey, playerId, password, by, reason } = input;
    if (!(await operateAccount(client, playerId, act, password))) return false;
    await addAudit(client, {
      actor: by,
      act: `account-${act}`,
      billingNo: null,
      details: { brand: brandKey, player: playerId, ...(reason === undefined ? {} : { reason }) },
    });
    return true;
  });
}
